/**
 * What checkouts of one process do together (Decision 0062): pages that are looked at share a
 * statement, submitted cards share a commit, and so do approvals.
 *
 * The rule that matters: it only ever makes the usual way cheaper. Whatever cannot go with the
 * others, and all of a batch that the database refuses, takes a way of its own, which finds out
 * why. Each is answered after its own commit.
 */

import type { Database } from "../../../infra/db/database.ts";
import type { Log } from "../../../infra/log.ts";
import { createBatcher } from "../../../kit/batch.ts";
import { Unavailable } from "../../../kit/errors.ts";
import { type Approval, approvePayments } from "./approve-payments.ts";
import type { AttemptRow } from "./attempt.ts";
import { beginAttempts, type NewAttempt } from "./begin-attempts.ts";
import { findSessions } from "./find-sessions.ts";
import type { Purposes } from "./purpose.ts";
import type { SessionView } from "./session.ts";

const READS_AT_ONCE_MAX = 100;
/** A statement may take 5 seconds, and whoever is in it waits for all of it. */
const WRITES_AT_ONCE_MAX = 64;
/** While one waits for the disk, the next is made ready. */
const RUNS_AT_ONCE = 2;

export interface Till {
  /** By the token in its address; undefined: nothing was ever to be paid there. */
  readonly findSession: (token: string) => Promise<SessionView | undefined>;
  /** Undefined: it cannot go with the others. */
  readonly beginAttempt: (asked: NewAttempt) => Promise<AttemptRow | undefined>;
  /** Whether it went. */
  readonly approve: (approval: Approval) => Promise<boolean>;
}

interface Behind {
  readonly db: Database;
  readonly log: Log;
  readonly purposes: Purposes;
}

export function createTill({ db, log, purposes }: Behind): Till {
  /** Tells what `none` is told when one of a batch is wrong in a way that nobody foresaw. */
  async function orAlone<In, Out>(
    items: readonly In[],
    together: (items: readonly In[]) => Promise<readonly Out[]>,
    none: Out,
  ): Promise<readonly Out[]> {
    try {
      return await together(items);
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      log.error({ err: error, count: items.length }, "a batch of checkouts was refused");
      return items.map(() => none);
    }
  }
  const writes = { sizeMax: WRITES_AT_ONCE_MAX, parallelMax: RUNS_AT_ONCE };
  return {
    findSession: createBatcher({
      sizeMax: READS_AT_ONCE_MAX,
      parallelMax: RUNS_AT_ONCE,
      run: (tokens: readonly string[]) => findSessions({ db, purposes }, tokens),
    }),
    beginAttempt: createBatcher({
      ...writes,
      run: (asked: readonly NewAttempt[]) =>
        orAlone(asked, (items) => beginAttempts(db, items), undefined),
    }),
    approve: createBatcher({
      ...writes,
      run: (approvals: readonly Approval[]) =>
        orAlone(approvals, (items) => approvePayments(db, items), false),
    }),
  };
}
