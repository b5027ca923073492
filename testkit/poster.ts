/**
 * Group commit for postings that need no tx of their own: those that arrive during a commit go
 * together in the next one, as one statement, and each is answered after its own commit. A hot
 * account is then locked once for all of them. The service has no such postings: its own go with
 * the rows they are about. Tests and the bench have, and bring the ledger as many as it can take.
 */

import type { Database } from "../src/infra/db/database.ts";
import { isPlainRefusal } from "../src/infra/db/database-errors.ts";
import { sqlOf } from "../src/infra/db/query.ts";
import type { Tx } from "../src/infra/db/transaction.ts";
import { createBatcher } from "../src/kit/batch.ts";
import { Unavailable } from "../src/kit/errors.ts";
import { postBatch } from "../src/modules/ledger/post.ts";
import type { Posting, PostOutcome } from "../src/modules/ledger/posting.ts";

/** A batch of this size takes some 20 ms on a small machine: a statement may take 5 seconds. */
const POSTINGS_AT_ONCE_MAX = 256;

/** One at the database while the other is prepared: a third would only wait for their locks. */
const BATCHES_AT_ONCE = 2;

export type Poster = (posting: Posting) => Promise<PostOutcome>;

export function createPoster(db: Database): Poster {
  return createBatcher({
    sizeMax: POSTINGS_AT_ONCE_MAX,
    parallelMax: BATCHES_AT_ONCE,
    run: (postings: readonly Posting[]) => postTogether(db, postings),
  });
}

async function postTogether(
  db: Database,
  postings: readonly Posting[],
): Promise<(PostOutcome | Error)[]> {
  try {
    return await postInOneTx(db, postings);
  } catch (error) {
    // Retried one by one only if a single posting can be the cause.
    if (postings.length === 1 || !isPlainRefusal(error)) throw error;
  }
  const outcomes: (PostOutcome | Error)[] = [];
  for (const posting of postings)
    outcomes.push(...(await postInOneTx(db, [posting]).catch((error: Error) => [error])));
  return outcomes;
}

async function postInOneTx(
  db: Database,
  postings: readonly Posting[],
): Promise<(PostOutcome | Error)[]> {
  let outcomes: (PostOutcome | Error)[] = [];
  let found: (PostOutcome | Error)[] | undefined;
  const work = async (tx: Tx) => {
    outcomes = await postBatch(tx, postings);
    return outcomes;
  };
  const confirm = async () => {
    // Nothing was written, so nothing can be lost.
    if (!outcomes.includes("posted")) return outcomes;
    found = await lookUp(db, postings, outcomes);
    return found.some((one) => one instanceof Unavailable) ? undefined : found;
  };
  try {
    return await db.transaction(work, { confirm });
  } catch (error) {
    if (found === undefined) throw error;
    return found;
  }
}

/**
 * After a lost COMMIT. One posting of the batch being in the books says nothing about the others:
 * another process may have posted it. A refusal was decided with the others applied, so it holds
 * only if they are all there.
 */
async function lookUp(
  db: Database,
  postings: readonly Posting[],
  outcomes: readonly (PostOutcome | Error)[],
): Promise<(PostOutcome | Error)[]> {
  const found: (PostOutcome | Error | undefined)[] = [];
  for (const [at, posting] of postings.entries()) {
    const stored = await findPosted(db, posting);
    found.push(stored === "repeated" && outcomes[at] === "posted" ? "posted" : stored);
  }
  const isCommitted = outcomes.every(
    (outcome, at) => outcome !== "posted" || found[at] === "posted",
  );
  return outcomes.map((outcome, at) => {
    if (isCommitted) return outcome;
    return found[at] ?? new Unavailable({ cause: "the answer to COMMIT was lost" });
  });
}

/** Undefined: its id is not in the books. Posting what is there again only compares. */
async function findPosted(
  db: Database,
  posting: Posting,
): Promise<PostOutcome | Error | undefined> {
  const { environment, postingId } = posting;
  const found = await db.maybeOne(sqlOf({})`
    select from ledger_postings where environment = ${environment} and posting_id = ${postingId}`);
  if (found === undefined) return undefined;
  const [outcome] = await db.transaction((tx) => postBatch(tx, [posting]));
  return outcome;
}
