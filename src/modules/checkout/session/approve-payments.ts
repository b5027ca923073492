/**
 * Takes approvals: of any number of cards in one tx, each with its attempt, session, payment, event
 * and money (Decisions 0040 and 0062).
 *
 * The rule that matters: those that go together are first answers about payments that are open,
 * judged once their sessions are held. Every other one is taken alone, by `take-answer.ts`.
 */

import assert from "node:assert/strict";
import type { Database } from "../../../infra/db/database.ts";
import { prepared, sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import type { Decided } from "../../gateway/gateway.ts";
import { payTransactions } from "../../transactions/finalise-transaction.ts";
import { type AttemptRow, cardOf, UNDECIDED } from "./attempt.ts";
import { countEnded } from "./checkout-metrics.ts";
import type { CheckoutContext, Step } from "./context.ts";
import { approvedMessage } from "./result-messages.ts";

export interface Approval {
  readonly passing: CheckoutContext["passing"];
  readonly attemptId: string;
  readonly transactionId: string;
  readonly answer: Decided;
}

interface ApprovedRow
  extends Pick<AttemptRow, "attempt_id" | "transaction_id" | "card_brand" | "card_last_four"> {
  readonly outcome_code: string;
  readonly message: string;
}

/** Tells of each, in the order given, whether it went. */
export async function approvePayments(
  db: Database,
  approvals: readonly Approval[],
): Promise<readonly boolean[]> {
  // An attempt may be answered twice at once, by its request and by the sweep: the first one goes.
  const firsts = new Map(approvals.toReversed().map((one) => [one.attemptId, one]));
  const approved = await db.transaction((tx) => approve(tx, [...firsts.values()]));
  return approvals.map((one) => approved.has(one.attemptId) && firsts.get(one.attemptId) === one);
}

/** Tells which attempts went. */
async function approve(tx: Tx, approvals: readonly Approval[]): Promise<ReadonlySet<string>> {
  const held = await holdOpen(tx, approvals);
  await passAll(approvals, "answer: session held");
  const open = approvals.filter(({ transactionId }) => held.has(transactionId));
  const approved = open.length === 0 ? [] : await endAttempts(tx, open);
  await passAll(approvals, "answer: attempt moved");
  if (approved.length > 0) await endSessions(tx, approved);
  await passAll(approvals, "answer: session ended");
  await payTransactions(
    tx,
    approved.map((row) => ({
      transactionId: row.transaction_id,
      message: approvedMessage({ code: row.outcome_code, message: row.message }),
      card: cardOf(row),
    })),
  );
  tx.afterCommit(() => countEnded("success", approved.length));
  await passAll(approvals, "answer: payment ended");
  return new Set(approved.map(({ attempt_id }) => attempt_id));
}

async function passAll(approvals: readonly Approval[], step: Step): Promise<void> {
  for (const { passing } of approvals) await passing(step);
}

/**
 * The sessions among them that are open and of payments, held until the tx ends. One that somebody
 * else holds is left out: the others do not wait for it.
 */
async function holdOpen(tx: Tx, approvals: readonly Approval[]): Promise<ReadonlySet<string>> {
  const statement = sql`
    select transaction_id from checkout_sessions
    where transaction_id = any(array(
        select unnest(${approvals.map(({ transactionId }) => transactionId)}::text[])))
      and purpose in ('payment', 'charge') and state || '' = 'open'
    order by transaction_id for update skip locked`;
  const rows = await tx.rows<{ transaction_id: string }>(prepared("hold-open-sessions", statement));
  return new Set(rows.map(({ transaction_id }) => transaction_id));
}

/** Those that nobody has decided; a session has one of them at most. */
function endAttempts(tx: Tx, approvals: readonly Approval[]): Promise<ApprovedRow[]> {
  const each = <T>(of: (one: Approval) => T) => approvals.map(of);
  const statement = sql`
    with given as materialized (
      select * from unnest((select ${each((one) => one.attemptId)}::uuid[]),
        (select ${each((one) => one.transactionId)}::text[]),
        (select ${each(({ answer }) => answer.code)}::text[]),
        (select ${each(({ answer }) => answer.message)}::text[]),
        (select ${each(({ answer }) => answer.avs ?? null)}::text[]))
        as given (attempt_id, transaction_id, code, message, avs)
    )
    update checkout_attempts as attempt
    set state = 'approved', outcome_code = given.code, message = given.message,
      avs_answer = given.avs, challenge_html = null, ask_count = 0, ended_at = (select app_now()),
      next_ask_at = null
    from given
    where attempt.attempt_id = any(array(select attempt_id from given))
      and attempt.attempt_id = given.attempt_id
      and attempt.transaction_id = given.transaction_id
      and attempt.state || '' = any(${UNDECIDED})
    returning attempt.attempt_id, attempt.transaction_id, attempt.card_brand,
      attempt.card_last_four, attempt.outcome_code, attempt.message`;
  return tx.rows<ApprovedRow & Record<string, unknown>>(prepared("approve-attempts", statement));
}

async function endSessions(tx: Tx, approved: readonly ApprovedRow[]): Promise<void> {
  const statement = sql`
    update checkout_sessions set state = 'ended', ended_at = (select app_now())
    where transaction_id = any(array(
        select unnest(${approved.map(({ transaction_id }) => transaction_id)}::text[])))
      and state || '' = 'open'`;
  const count = await tx.run(prepared("end-sessions", statement));
  assert.equal(count, approved.length, "a session ends once, by whoever holds it");
}
