/**
 * What the checkouts of one process do together (Decision 0078): looks at pages share a statement,
 * submitted cards share a commit, and so do answers and ends. Each is answered after its own
 * commit. A look or a count that fails, fails for all in it.
 */

import { createWriteBatcher } from "../../../infra/db/write-batch.ts";
import { createBatcher, PATIENCE_MS } from "../../../kit/batch.ts";
import { findPaymentsToSign } from "../result/result-address.ts";
import { beginAttempts } from "./begin-attempts.ts";
import { type CardWindow, giveBackCardWindows, takeCardWindows } from "./card-windows.ts";
import type { CheckoutBatches, ExpiringSession, NewAttempt, SessionContext } from "./context.ts";
import { expire } from "./end-sessions.ts";
import { findSessions } from "./find-sessions.ts";
import { takeAnswers } from "./take-answers.ts";

/** A statement may take 5 seconds, and every item in it waits for all of it. */
const WRITES = { sizeMax: 64, patienceMs: PATIENCE_MS };
const READS = { sizeMax: 100, patienceMs: PATIENCE_MS };
/** How many sessions the sweep ends in one tx. */
export const EXPIRED_MAX = 100;

export function createCheckoutBatches(ctx: SessionContext): CheckoutBatches {
  const { db, log } = ctx;
  const { sizeMax } = WRITES;
  return {
    findSession: createBatcher({
      ...READS,
      run: (tokens: readonly string[]) => findSessions(ctx, tokens),
    }),
    countCard: createBatcher({
      ...WRITES,
      run: (cards: readonly (readonly CardWindow[])[]) => takeCardWindows(db, cards),
    }),
    giveBackCard: createBatcher({
      ...WRITES,
      async run(cards: readonly (readonly string[])[]) {
        await giveBackCardWindows(db, cards.flat());
        return cards.map(() => undefined);
      },
    }),
    beginAttempt: createBeginner(ctx),
    takeAnswer: createWriteBatcher({
      log,
      sizeMax,
      run: (answers, locks) => takeAnswers(ctx, answers, locks),
    }),
    expireSession: createWriteBatcher({
      log,
      sizeMax: EXPIRED_MAX,
      // A session that is locked by another step is left to the next sweep.
      retry: "skip",
      run: (sessions: readonly ExpiringSession[], locks) =>
        db.transaction((tx) => expire(ctx, tx, sessions, locks)),
    }),
    findPaymentToSign: createBatcher({
      ...READS,
      run: (ids: readonly string[]) => findPaymentsToSign(db, ids),
    }),
  };
}

/** Those that keep something first, and may wait for it, hold up none of the others. */
function createBeginner(ctx: SessionContext): CheckoutBatches["beginAttempt"] {
  const create = () =>
    createWriteBatcher({
      log: ctx.log,
      sizeMax: WRITES.sizeMax,
      run: (attempts: readonly NewAttempt[], locks) => beginAttempts(ctx, attempts, locks),
    });
  const [plain, keeping] = [create(), create()];
  return (attempt) => {
    const keeps = ctx.purposes[attempt.session.purpose].begin !== undefined;
    return keeps ? keeping(attempt) : plain(attempt);
  };
}
