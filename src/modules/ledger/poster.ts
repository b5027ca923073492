/**
 * Group commit for postings that need no tx of their own: those that come while one commit is under
 * way go together in the next, as one statement, and each is answered after its own commit
 * (Decision 0024). This is what a hot account lives on: it is locked once for all of them.
 */

import type { Database } from "../../infra/db/database.ts";
import { isPlainRefusal } from "../../infra/db/database-errors.ts";
import { sql } from "../../infra/db/query.ts";
import { createBatcher } from "../../kit/batch.ts";
import { postBatch } from "./post.ts";
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

function postInOneTx(db: Database, postings: readonly Posting[]): Promise<(PostOutcome | Error)[]> {
  let outcomes: (PostOutcome | Error)[] = [];
  return db.transaction(
    async (tx) => {
      outcomes = await postBatch(tx, postings);
      return outcomes;
    },
    {
      // One tx: where one of its postings is, all are. Where it had none, there is nothing to lose.
      async confirm() {
        const written = postings[outcomes.indexOf("posted")];
        if (written === undefined) return outcomes;
        const found = await db.maybeOne(sql`
          select from ledger_postings
          where environment = ${written.environment} and posting_id = ${written.postingId}`);
        return found === undefined ? undefined : outcomes;
      },
    },
  );
}
