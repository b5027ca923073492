/**
 * What checkouts of one process do together (Decision 0062): looks at pages share a statement,
 * submitted cards share a commit, and so do approvals.
 *
 * The rule that matters: it only ever makes the usual way cheaper. An attempt or an approval that
 * cannot go with the others, and all of a batch of them that is refused, takes a way of its own,
 * which finds out why. A look or a count that fails, fails for all in it. Each is answered after
 * its own commit.
 */

import { createBatcher, PATIENCE_MS } from "../../../kit/batch.ts";
import { findPaymentsToSign, type PaymentToSign } from "../result/find-payments-to-sign.ts";
import { type Approval, approvePayments } from "./approve-payments.ts";
import type { AttemptRow } from "./attempt.ts";
import { beginAttempts, type NewAttempt } from "./begin-attempts.ts";
import {
  type CardWindow,
  type CountedWindow,
  giveBackCardWindows,
  takeCardWindows,
} from "./card-windows.ts";
import type { CheckoutContext } from "./context.ts";
import { findSessions } from "./find-sessions.ts";
import { orLeftOut } from "./or-left-out.ts";
import type { SessionView } from "./session.ts";

/** A statement may take 5 seconds, and whoever is in it waits for all of it. */
const WRITES = { sizeMax: 64, patienceMs: PATIENCE_MS };
const READS = { sizeMax: 100, patienceMs: PATIENCE_MS };

export interface CheckoutBatches {
  /** By the token in its address; undefined: nothing was ever to be paid there. */
  readonly findSession: (token: string) => Promise<SessionView | undefined>;
  /** Of each window, whether it had room for a card. */
  readonly countCard: (windows: readonly CardWindow[]) => Promise<readonly CountedWindow[]>;
  /** Takes a card out of the windows of these keys again. */
  readonly giveBackCard: (keys: readonly string[]) => Promise<void>;
  /** Undefined: begin it alone. */
  readonly beginAttempt: (asked: NewAttempt) => Promise<AttemptRow | undefined>;
  /** Whether it is paid now; false: take it alone. */
  readonly approve: (approval: Approval) => Promise<boolean>;
  readonly findPaymentToSign: (transactionId: string) => Promise<PaymentToSign>;
}

export function createCheckoutBatches(
  ctx: Pick<CheckoutContext, "db" | "log" | "purposes">,
): CheckoutBatches {
  const { db, log } = ctx;
  const giveBack = createBatcher<readonly string[], undefined>({
    ...WRITES,
    async run(cards) {
      await giveBackCardWindows(db, cards.flat());
      return cards.map(() => undefined);
    },
  });
  return {
    findSession: createBatcher({
      ...READS,
      run: (tokens: readonly string[]) => findSessions(ctx, tokens),
    }),
    countCard: createBatcher({
      ...WRITES,
      run: (cards: readonly (readonly CardWindow[])[]) => takeCardWindows(db, cards),
    }),
    giveBackCard: async (keys) => giveBack(keys),
    beginAttempt: createBatcher({
      ...WRITES,
      run: orLeftOut<NewAttempt, AttemptRow | undefined>(log, undefined, (asked) =>
        beginAttempts(ctx, asked),
      ),
    }),
    approve: createBatcher({
      ...WRITES,
      run: orLeftOut<Approval, boolean>(log, false, (all) => approvePayments(ctx, all)),
    }),
    findPaymentToSign: createBatcher({
      ...READS,
      run: (ids: readonly string[]) => findPaymentsToSign(db, ids),
    }),
  };
}
