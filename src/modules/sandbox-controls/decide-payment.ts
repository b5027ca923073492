/**
 * Ends an open payment as a card's bank, or the time, would (Decision 0102).
 *
 * A card that is being tried gets the answer, whether its sale is under way, unknown or before the
 * bank's question; where none is, one is tried. The simulator's journal is decided in the same tx,
 * and the answer is taken by the code that takes the gateway's: so an answer of the gateway that
 * comes at the same moment finds the payment ended, and the first one counts.
 */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { sqlOf } from "../../infra/db/query.ts";
import { pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { money } from "../../kit/money.ts";
import { type AttemptRow, cardOf, isUndecided, lastAttempts } from "../checkout/session/attempt.ts";
import { beginInTx } from "../checkout/session/begin-attempts.ts";
import type { CheckoutContext, NewAttempt } from "../checkout/session/context.ts";
import { expireNow, giveUpIn } from "../checkout/session/end-sessions.ts";
import { RECORD, recordsOf } from "../checkout/session/record.ts";
import { tidyAnswer } from "../checkout/session/result-messages.ts";
import { LOCKED_COLUMNS, LOCKED_SESSION, lockSessions } from "../checkout/session/session.ts";
import { takeAnswersIn } from "../checkout/session/take-answers.ts";
import type { SaleOutcome } from "../gateway/port.ts";
import { findEntry, forceSale } from "../gateway/sandbox/sale-journal.ts";
import { decided, outcomeOf } from "../gateway/sandbox/simulator.ts";
import { outcomeRefused } from "./payment-outcomes.ts";
import { DecidedOtherwise } from "./simulation-refused.ts";

export type Decision =
  | { readonly outcome: "approve" }
  | { readonly outcome: "expire" }
  /** `code`: undefined where any will do. */
  | { readonly outcome: "decline"; readonly code: string | undefined };

const USUAL_DECLINE = "05";
/** The approved card of each network. */
const LAST_FOUR = "1111";

const OPEN = {
  ...LOCKED_SESSION,
  ...pick(tables.checkout_sessions, "is_avs", "card_type"),
  ...pick(RECORD, "account_number", "environment", "currency", "customer_total_minor", "language"),
  ...pick(RECORD, "stored_brand", "stored_last_four"),
};

type OpenSession = Row<typeof OPEN>;

export async function decidePayment(
  ctx: CheckoutContext,
  tx: Tx,
  transactionId: string,
  decision: Decision,
): Promise<void> {
  const session = await lockOpen(ctx, tx, transactionId, decision);
  const last = (await lastAttempts(tx, [session])).get(transactionId);
  const current = last !== undefined && isUndecided(last.state) ? last : undefined;
  if (decision.outcome === "expire") return endTime(ctx, tx, session, current);
  const attempt = current ?? (await tryCard(ctx, tx, session));
  // It could not be tried, as where the last place of a link is taken: that has ended the payment.
  if (attempt === undefined) return;
  const outcome = await takeOne(ctx, tx, attempt, await forced(tx, session, attempt, decision));
  // Another card may be tried: the customer goes back instead.
  if (outcome === "declined") await giveUpIn(ctx, tx, transactionId);
}

async function lockOpen(
  { purposes }: CheckoutContext,
  tx: Tx,
  transactionId: string,
  { outcome }: Decision,
): Promise<OpenSession> {
  // A statement of its own: the next one must see what was committed while this one waited.
  await lockSessions(tx, [transactionId], "wait");
  const session = await tx.maybeOne(sqlOf(OPEN)`
    select ${LOCKED_COLUMNS}, is_avs, card_type, record.account_number, record.environment,
      record.currency, record.customer_total_minor, record.language, record.stored_brand,
      record.stored_last_four
    from checkout_sessions as session cross join ${recordsOf(purposes)}
    where session.transaction_id = ${transactionId}`);
  if (session?.session_state !== "open") throw outcomeRefused(outcome, "not open any more");
  if (session.is_over && outcome !== "expire")
    throw outcomeRefused(outcome, "incomplete, but its time is over");
  return session;
}

/** Undefined: it could not be tried, and the session has ended with that. */
async function tryCard(
  ctx: CheckoutContext,
  tx: Tx,
  session: OpenSession,
): Promise<AttemptRow | undefined> {
  const attemptId = randomUUID();
  const { transaction_id: transactionId, purpose } = session;
  const attempt: NewAttempt = {
    attemptId,
    session: {
      transactionId,
      purpose,
      accountNumber: session.account_number,
      environment: session.environment,
    },
    seenAttempts: session.attempt_count,
    card: {
      network: session.stored_brand ?? session.card_type ?? "visa",
      lastFour: session.stored_last_four ?? LAST_FOUR,
      number: undefined,
      open: () => assert.fail("a simulated card has no number"),
    },
    email: undefined,
    language: session.language ?? "en",
    failpoint: ctx.failpoint,
  };
  const { forms, refusals } = await beginInTx(ctx, tx, [attempt], "wait");
  const refusal = refusals.get(attemptId);
  if (refusal instanceof Error) throw refusal;
  if (refusal !== undefined) return undefined;
  const begun = (
    await lastAttempts(tx, [{ ...session, attempt_count: session.attempt_count + 1 }])
  ).get(transactionId);
  assert(forms.length === 1 && begun?.attempt_id === attemptId, "a locked session takes a card");
  return begun;
}

async function forced(
  tx: Tx,
  session: OpenSession,
  attempt: AttemptRow,
  decision: Exclude<Decision, { outcome: "expire" }>,
): Promise<SaleOutcome> {
  const wanted = decision.outcome === "decline" ? decision.code : "00";
  const entry = await forceSale(tx, {
    reference: attempt.attempt_id,
    transactionId: session.transaction_id,
    amount: money(session.currency, session.customer_total_minor),
    card: cardOf(attempt),
    wantsAvs: session.is_avs,
    code: wanted ?? USUAL_DECLINE,
  });
  const isWanted = wanted === undefined ? entry.outcome === "declined" : entry.code === wanted;
  if (!isWanted)
    throw new DecidedOtherwise(decision.outcome, `${entry.outcome} it (${entry.code})`);
  return decided(entry);
}

async function takeOne(
  ctx: CheckoutContext,
  tx: Tx,
  { attempt_id: attemptId, transaction_id: transactionId }: AttemptRow,
  answer: SaleOutcome,
) {
  const { failpoint } = ctx;
  const answered = { attemptId, transactionId, answer: tidyAnswer(answer), failpoint };
  const [outcome] = await takeAnswersIn(ctx, tx, [answered], "wait");
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

/**
 * The time and its grace are over. A card that is being tried ends with what the gateway knows of
 * it at this moment, as it would then: an approval counts, an open question of the bank is no
 * payment, and an outcome that is not known is an error.
 */
async function endTime(
  ctx: CheckoutContext,
  tx: Tx,
  { transaction_id: transactionId }: OpenSession,
  current: AttemptRow | undefined,
): Promise<void> {
  await expireNow(ctx, tx, transactionId);
  if (current === undefined) return;
  const answer = outcomeOf(await findEntry(tx, current.attempt_id));
  const outcome = await takeOne(ctx, tx, current, answer);
  assert(outcome !== "waiting", "after its grace a session does not wait");
}
