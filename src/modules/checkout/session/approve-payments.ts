/**
 * Takes approvals: of any number of cards in one tx, each with its attempt, session, payment, event
 * and money (Decisions 0040 and 0062). It does for many what `take-answer.ts`, `end-session.ts` and
 * the purpose of a payment do for one.
 *
 * The rule that matters: those that go together are first answers about payments that are open,
 * judged once their sessions are held. Every other one is left out, and taken alone.
 */

import type { Tx } from "../../../infra/db/transaction.ts";
import type { Decided } from "../../gateway/gateway.ts";
import { payTransactions } from "../../transactions/finalise-transaction.ts";
import { cardOf } from "./attempt.ts";
import { approveAttempts } from "./change-attempt.ts";
import { countEnded } from "./checkout-metrics.ts";
import type { CheckoutContext, Step } from "./context.ts";
import { endSessions } from "./end-session.ts";
import { purposesThat } from "./purpose.ts";
import { approvedMessage } from "./result-messages.ts";
import { holdOpenSessions } from "./session.ts";

export interface Approval {
  readonly attemptId: string;
  readonly transactionId: string;
  readonly answer: Extract<Decided, { outcome: "approved" }>;
  /** Of this one alone: a test may stop one of many. */
  readonly failpoint: CheckoutContext["failpoint"];
}

/** Tells of each, in the order given, whether it went. */
export async function approvePayments(
  { db, purposes }: Pick<CheckoutContext, "db" | "purposes">,
  approvals: readonly Approval[],
): Promise<readonly boolean[]> {
  // An attempt may be answered twice at once, by its request and by the sweep: the first one goes.
  const firsts = new Map<string, Approval>();
  for (const one of approvals) if (!firsts.has(one.attemptId)) firsts.set(one.attemptId, one);
  const names = purposesThat(purposes, ({ isApprovedTogether }) => isApprovedTogether);
  const approved = await db.transaction((tx) => approve(tx, names, [...firsts.values()]));
  return approvals.map((one) => approved.has(one.attemptId) && firsts.get(one.attemptId) === one);
}

/** Tells which attempts went. */
async function approve(
  tx: Tx,
  purposes: readonly string[],
  approvals: readonly Approval[],
): Promise<ReadonlySet<string>> {
  const transactionIds = approvals.map(({ transactionId }) => transactionId);
  const held = await holdOpenSessions(tx, { transactionIds, purposes });
  const open = approvals.filter(({ transactionId }) => held.has(transactionId));
  if (open.length === 0) return new Set();
  await passAll(open, "answer: session held");
  const approved = await approveAttempts(tx, open);
  const ids = new Set(approved.map(({ attempt_id }) => attempt_id));
  const going = open.filter(({ attemptId }) => ids.has(attemptId));
  if (going.length === 0) return ids;
  await passAll(going, "answer: attempt moved");
  await endSessions(
    tx,
    approved.map(({ transaction_id }) => transaction_id),
  );
  await passAll(going, "answer: session ended");
  await payTransactions(
    tx,
    approved.map((row) => ({
      transactionId: row.transaction_id,
      message: approvedMessage({ code: row.outcome_code, message: row.message }),
      card: cardOf(row),
    })),
  );
  tx.afterCommit(() => countEnded("success", approved.length));
  await passAll(going, "answer: payment ended");
  return ids;
}

async function passAll(approvals: readonly Approval[], step: Step): Promise<void> {
  for (const { failpoint } of approvals) await failpoint(step);
}
