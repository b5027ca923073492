/**
 * Group commit for postings that need no tx of their own: those that come while one commit is under
 * way go together in the next, as one statement, and each is answered after its own commit
 * (Decision 0024). This is what a hot account lives on: it is locked once for all of them.
 */

import type { Database } from "../../infra/db/database.ts";
import { isPlainRefusal } from "../../infra/db/database-errors.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { createBatcher } from "../../kit/batch.ts";
import { Unavailable } from "../../kit/errors.ts";
import { findPosted, postBatch } from "./post.ts";
import type { Posting, PostOutcome } from "./posting.ts";

/** A batch of this size takes some 20 ms on a small machine: a statement may take 5 seconds. */
const POSTINGS_AT_ONCE_MAX = 256;

/** One at the database while the other is made ready: a third would only wait for their locks. */
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
    // The database is in trouble for everybody; or one of several is wrong in its own way.
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
    // Where nothing was written, there is nothing to lose.
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
 * After a lost COMMIT. That one posting of the batch is there says nothing of the others: another
 * process may have been asked for that one. What was refused was judged beside the others, so it
 * holds only where they are there.
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
  const isThere = outcomes.every((outcome, at) => outcome !== "posted" || found[at] === "posted");
  return outcomes.map((outcome, at) => {
    if (isThere) return outcome;
    return found[at] ?? new Unavailable({ cause: "the answer to COMMIT was lost" });
  });
}
