/**
 * Takes what the gateway said about attempts, whichever way it came: from the request that
 * submitted the card, from the one that came back from the bank, or from a later question
 * (Decisions 0040 and 0078).
 *
 * Each answer is judged while its session and attempt are locked, and the first final answer
 * counts. An approval that comes when the session has ended is undone, never forgotten.
 */

import { prepared, sql, sqlOf } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { unnest } from "../../../infra/db/unnest.ts";
import { type BatchResult, BUSY, type LockWait } from "../../../infra/db/write-batch.ts";
import { environmentOfTransaction } from "../../../kit/ids.ts";
import type { Gateway, SaleOutcome } from "../../gateway/port.ts";
import type { PaymentResult } from "../../transactions/finalise-transaction.ts";
import { ATTEMPT, ATTEMPT_COLUMNS, type AttemptRow, moveAttempts } from "./attempt.ts";
import { cardAnswers } from "./checkout-metrics.ts";
import {
  type AnsweredAttempt,
  type AnswerOutcome,
  type CheckoutContext,
  reach,
  type SessionContext,
} from "./context.ts";
import { endSessions, tellCardsFailed } from "./end-sessions.ts";
import { judge, type LockedAttempt } from "./judge-answer.ts";
import { tidyAnswer } from "./result-messages.ts";
import { LOCKED_COLUMNS, LOCKED_SESSION, limitWait, skipLocked } from "./session.ts";
import { noteLateApprovals } from "./void-late.ts";

/** The card was not charged, whether another may be tried or not. */
const FAILED: ReadonlySet<AnswerOutcome> = new Set(["declined", "failed", "error"]);

/** Then it is the status of the payment. */
export function endedSession(outcome: AnswerOutcome): outcome is PaymentResult["status"] {
  return outcome === "success" || outcome === "failed" || outcome === "error";
}

export async function takeAnswer(
  ctx: CheckoutContext,
  attempt: Pick<AttemptRow, "attempt_id" | "transaction_id">,
  given: SaleOutcome,
  gateway?: Pick<Gateway, "askAfterSeconds">,
): Promise<AnswerOutcome> {
  const { attempt_id: attemptId, transaction_id: transactionId } = attempt;
  const { failpoint } = ctx;
  const answer = tidyAnswer(given);
  await failpoint("answer: taken up");
  const outcome = await ctx.batches.takeAnswer({
    attemptId,
    transactionId,
    answer,
    askAfterSeconds: gateway?.askAfterSeconds,
    failpoint,
  });
  await failpoint("answer: kept");
  const environment = environmentOfTransaction(transactionId);
  if (!endedSession(outcome)) cardAnswers.inc({ environment, outcome });
  const facts = { attemptId, transactionId, outcome: answer.outcome };
  if (outcome === "late") ctx.log.warn(facts, "a card was approved too late and will be voided");
  // One of the sandbox's cards does it on purpose.
  const level = environment === "live" ? "error" : "info";
  if (outcome === "error") ctx.log[level](facts, "a payment ended without a known outcome");
  if (outcome === "contradiction") ctx.log.error(facts, "the gateway contradicts an attempt");
  return outcome;
}

export function takeAnswers(
  ctx: SessionContext,
  answers: readonly AnsweredAttempt[],
  locks: LockWait,
): Promise<BatchResult<AnswerOutcome>[]> {
  return ctx.db.transaction((tx) => takeAnswersIn(ctx, tx, answers, locks));
}

/** In the order given. */
export async function takeAnswersIn(
  ctx: SessionContext,
  tx: Tx,
  answers: readonly AnsweredAttempt[],
  locks: LockWait,
): Promise<BatchResult<AnswerOutcome>[]> {
  // A session may be answered twice at once, by a request and by the sweep: the first goes now.
  const firsts = new Map<string, AnsweredAttempt>();
  for (const one of answers) if (!firsts.has(one.transactionId)) firsts.set(one.transactionId, one);
  const locked = await lockAnswered(tx, [...firsts.values()], locks);
  const judged = locked.flatMap((attempt) => {
    const answered = firsts.get(attempt.transaction_id);
    return answered === undefined ? [] : [{ ...answered, attempt, ...judge(attempt, answered) }];
  });
  await reach(judged, "answer: session held");
  await moveAttempts(
    tx,
    judged.flatMap(({ attemptId, move }) => (move === undefined ? [] : { ...move, attemptId })),
  );
  await reach(judged, "answer: attempt moved");
  await countNotTaken(
    tx,
    judged.flatMap((one) => (one.isNotTaken ? one.transactionId : [])),
  );
  const failed = judged.filter(({ outcome }) => FAILED.has(outcome));
  await tellCardsFailed(
    ctx,
    tx,
    failed.map(({ attempt }) => attempt),
  );
  const late = judged.filter(({ outcome }) => outcome === "late");
  if (late.length > 0) await noteLateApprovals(ctx, tx, late);
  await endSessions(
    ctx,
    tx,
    judged.flatMap(({ attempt, result, failpoint }) =>
      result === undefined ? [] : { session: attempt, result, failpoint },
    ),
  );
  const outcomes = new Map(judged.map(({ attemptId, outcome }) => [attemptId, outcome]));
  return answers.map((one) => {
    const outcome = firsts.get(one.transactionId) === one && outcomes.get(one.attemptId);
    if (outcome) return outcome;
    return locks === "skip" ? BUSY : new Error(`${one.attemptId} is no attempt of its session`);
  });
}

/** They are none of the customer's tries. */
async function countNotTaken(tx: Tx, transactionIds: readonly string[]): Promise<void> {
  if (transactionIds.length === 0) return;
  await tx.run(sql`
    update checkout_sessions set not_taken_count = not_taken_count + 1
    where transaction_id = any(array(select unnest(${transactionIds}::text[])))`);
}

const ANSWERED = { transactionId: "text", attemptId: "uuid" };

/**
 * Both rows are locked, one after the other in the order of the sessions' ids and the session
 * first, so that both are read as they are now and not as they were when the statement began.
 */
function lockAnswered(
  tx: Tx,
  answers: readonly AnsweredAttempt[],
  locks: LockWait,
): Promise<LockedAttempt[]> {
  const skip = skipLocked(locks);
  const statement = sqlOf({ ...LOCKED_SESSION, ...ATTEMPT })`
    with answered as materialized (
      select * from ${unnest("answered", answers, ANSWERED, { anyLength: true })}
      order by transaction_id
    )
    select ${LOCKED_COLUMNS}, ${ATTEMPT_COLUMNS} from ${limitWait(locks)} answered
    cross join lateral (
      select * from checkout_sessions as one
      where one.transaction_id = answered.transaction_id for update ${skip}
    ) as session
    cross join lateral (
      select * from checkout_attempts as one where one.attempt_id = answered.attempt_id
        and one.transaction_id = session.transaction_id for update ${skip}
    ) as attempt`;
  return tx.rows(prepared(`lock-answered-${locks}`, statement));
}
