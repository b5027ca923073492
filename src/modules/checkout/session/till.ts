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
import { findSignable, type SignablePayment } from "../result/result-address.ts";
import { type Approval, approvePayments } from "./approve-payments.ts";
import type { AttemptRow } from "./attempt.ts";
import { beginAttempts, type NewAttempt } from "./begin-attempts.ts";
import {
  type CardWindow,
  type CountedCard,
  giveBackCards,
  takeCardWindows,
} from "./card-windows.ts";
import { findSessions } from "./find-sessions.ts";
import type { Purposes } from "./purpose.ts";
import type { SessionView } from "./session.ts";

const READS_AT_ONCE_MAX = 100;
/** A statement may take 5 seconds, and whoever is in it waits for all of it. */
const WRITES_AT_ONCE_MAX = 64;

export interface Till {
  /** By the token in its address; undefined: nothing was ever to be paid there. */
  readonly findSession: (token: string) => Promise<SessionView | undefined>;
  /** Whether the windows had room for a card. */
  readonly countCard: (windows: readonly CardWindow[]) => Promise<readonly CountedCard[]>;
  /** Into the windows of these keys. */
  readonly giveBackCard: (keys: readonly string[]) => Promise<undefined>;
  /** Undefined: it cannot go with the others. */
  readonly beginAttempt: (asked: NewAttempt) => Promise<AttemptRow | undefined>;
  /** Whether it went. */
  readonly approve: (approval: Approval) => Promise<boolean>;
  readonly findSignable: (transactionId: string) => Promise<SignablePayment>;
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
  return {
    findSession: createBatcher({
      sizeMax: READS_AT_ONCE_MAX,
      run: (tokens: readonly string[]) => findSessions({ db, purposes }, tokens),
    }),
    countCard: createBatcher({
      sizeMax: WRITES_AT_ONCE_MAX,
      run: (cards: readonly (readonly CardWindow[])[]) => takeCardWindows(db, cards),
    }),
    giveBackCard: createBatcher({
      sizeMax: WRITES_AT_ONCE_MAX,
      run: (cards: readonly (readonly string[])[]) => giveBackCards(db, cards),
    }),
    beginAttempt: createBatcher({
      sizeMax: WRITES_AT_ONCE_MAX,
      run: (asked: readonly NewAttempt[]) =>
        orAlone(asked, (items) => beginAttempts(db, items), undefined),
    }),
    approve: createBatcher({
      sizeMax: WRITES_AT_ONCE_MAX,
      run: (approvals: readonly Approval[]) =>
        orAlone(approvals, (items) => approvePayments(db, items), false),
    }),
    findSignable: createBatcher({
      sizeMax: READS_AT_ONCE_MAX,
      run: (ids: readonly string[]) => findSignable(db, ids),
    }),
  };
}
