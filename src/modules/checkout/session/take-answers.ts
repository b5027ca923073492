/**
 * Takes what the gateway said about attempts, whichever way it came: from the request that
 * submitted the card, from the one that came back from the bank, or from a later question
 * (Decisions 0040 and 0078).
 *
 * Each answer is judged while its session and attempt are locked, and the first final answer
 * counts. An approval that comes when the session has ended is undone, never
 * forgotten.
 */

import { prepared, sql, sqlOf } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { unnest } from "../../../infra/db/unnest.ts";
import { type BatchResult, BUSY, type LockWait } from "../../../infra/db/write-batch.ts";
import type { Decided, Gateway, SaleOutcome } from "../../gateway/port.ts";
import type { PaymentResult } from "../../transactions/finalise-transaction.ts";
import {
  ATTEMPT,
  ATTEMPT_COLUMNS,
  type AttemptMove,
  type AttemptRow,
  askAfterSeconds,
  cardOf,
  isBack,
  isUndecided,
  moveAttempts,
} from "./attempt.ts";
import { cardAnswers } from "./checkout-metrics.ts";
import {
  type AnsweredAttempt,
  type AnswerOutcome,
  type CheckoutContext,
  reach,
  type SessionContext,
} from "./context.ts";
import { endSessions, tellCardsFailed } from "./end-sessions.ts";
import {
  approvedMessage,
  declinedMessage,
  NO_CARDS,
  NOT_CONFIRMED,
  NOT_KNOWN,
  NOT_SENT,
  NOT_TAKEN,
  TIMED_OUT,
  tidyAnswer,
} from "./result-messages.ts";
import {
  ATTEMPTS_MAX,
  GRACE_SECONDS,
  LOCKED_COLUMNS,
  LOCKED_SESSION,
  type LockedSession,
  limitWait,
  skipLocked,
  TRIES_MAX,
} from "./session.ts";
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
  if (!endedSession(outcome)) cardAnswers.inc({ outcome });
  const facts = { attemptId, transactionId, outcome: answer.outcome };
  if (outcome === "late") ctx.log.warn(facts, "a card was approved too late and will be voided");
  if (outcome === "error") ctx.log.error(facts, "a payment ended without a known outcome");
  if (outcome === "contradiction") ctx.log.error(facts, "the gateway contradicts an attempt");
  return outcome;
}

/** In the order given. */
export function takeAnswers(
  ctx: SessionContext,
  answers: readonly AnsweredAttempt[],
  locks: LockWait,
): Promise<BatchResult<AnswerOutcome>[]> {
  // A session may be answered twice at once, by a request and by the sweep: the first goes now.
  const firsts = new Map<string, AnsweredAttempt>();
  for (const one of answers) if (!firsts.has(one.transactionId)) firsts.set(one.transactionId, one);
  return ctx.db.transaction(async (tx) => {
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

type LockedAttempt = AttemptRow & LockedSession;

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

/** What an answer comes to: what becomes of the attempt, and the result that ends the session. */
interface Verdict {
  readonly outcome: AnswerOutcome;
  readonly move?: Omit<AttemptMove, "attemptId">;
  readonly result?: PaymentResult;
  /** No gateway would take the card. */
  readonly isNotTaken?: true;
}

function judge(attempt: LockedAttempt, answered: AnsweredAttempt): Verdict {
  const { answer } = answered;
  if (!isUndecided(attempt.state)) return compare(attempt, answer);
  const isOver = attempt.session_state === "ended" || attempt.is_over;
  switch (answer.outcome) {
    case "approved":
      return approve(attempt, answer);
    case "declined":
      return decline(attempt, answer);
    case "never seen":
      // Until its lease is over, an order may still arrive; one that was seen cannot be unseen.
      return attempt.is_leased || attempt.challenge_token !== null
        ? waitLonger(attempt, answered)
        : decline(attempt, NOT_SENT);
    case "challenge": {
      // The customer has been at the bank since: an older answer does not send them there again.
      if (isBack(attempt)) return { outcome: "nothing new" };
      if (isOver) return abandon(attempt);
      // The bank asks the customer; the gateway is not asked before the time is over.
      const move = { state: "challenged", challenge: answer, askAt: attempt.expires_at } as const;
      return { outcome: "challenged", move };
    }
    case "challenge pending":
      return isOver ? abandon(attempt) : waitLonger(attempt, answered);
    case "not taken":
      return notTaken(attempt, answer.because === "settings" ? NO_CARDS : NOT_TAKEN);
    case "unknown":
      return waitLonger(attempt, answered);
  }
}

function approve(attempt: LockedAttempt, answer: Decided): Verdict {
  if (attempt.session_state === "ended") return undo(answer);
  const message = approvedMessage(answer);
  return {
    outcome: "success",
    move: { state: "approved", answer },
    result: {
      status: "success",
      message,
      card: cardOf(attempt),
      sale: { reference: attempt.attempt_id, avs: answer.avs, cvv: answer.cvv },
    },
  };
}

/** The session has ended: it is voided as soon as the sweep comes to it. */
function undo(answer: Decided): Verdict {
  return { outcome: "late", move: { state: "void_due", answer, askAfterSeconds: 0 } };
}

interface Refusal {
  readonly code: string;
  readonly message: string;
}

function decline(attempt: LockedAttempt, answer: Refusal): Verdict {
  const { attempt_count, not_taken_count } = attempt;
  return refuse(attempt, answer, attempt_count - not_taken_count < TRIES_MAX);
}

function notTaken(attempt: LockedAttempt, answer: Refusal): Verdict {
  return { ...refuse(attempt, answer, true), isNotTaken: true };
}

function refuse(attempt: LockedAttempt, answer: Refusal, hasTriesLeft: boolean): Verdict {
  const move = { state: "declined", answer } as const;
  if (attempt.session_state === "ended") return { outcome: "nothing new", move };
  if (!attempt.is_over && hasTriesLeft && attempt.attempt_count < ATTEMPTS_MAX)
    return { outcome: "declined", move };
  return { outcome: "failed", move, result: failure(attempt, declinedMessage(answer)) };
}

/** The bank asked and the customer never came back: without us, no money moves. */
function abandon(attempt: LockedAttempt): Verdict {
  const move = { state: "declined", answer: NOT_CONFIRMED } as const;
  if (attempt.session_state === "ended") return { outcome: "nothing new", move };
  return { outcome: "failed", move, result: failure(attempt, TIMED_OUT) };
}

function failure(attempt: LockedAttempt, message: string): PaymentResult {
  return { status: "failed", message, card: cardOf(attempt) };
}

/** Asked again by the schedule, and in any case when the session's time and its grace are over. */
function waitLonger(
  attempt: LockedAttempt,
  { askAfterSeconds: schedule }: AnsweredAttempt,
): Verdict {
  const { state, session_state, is_over, is_long_over, expires_at } = attempt;
  if (state === "challenged" && is_long_over) return abandon(attempt);
  const graceMs = is_over ? GRACE_SECONDS * 1_000 : 0;
  const isTold = session_state === "ended" || is_long_over;
  const move = {
    state: state === "challenged" ? "challenged" : "unknown",
    askAfterSeconds: askAfterSeconds(attempt.ask_count, schedule),
    askAt: isTold ? undefined : new Date(expires_at.getTime() + graceMs),
  } as const;
  if (session_state === "ended" || !is_long_over) return { outcome: "waiting", move };
  const result = { status: "error", message: NOT_KNOWN, card: cardOf(attempt) } as const;
  return { outcome: "error", move, result };
}

/** It had been decided: its result stays, and an approval beside it is undone. */
function compare({ state }: LockedAttempt, answer: SaleOutcome): Verdict {
  if (answer.outcome === "approved" && state === "declined") return undo(answer);
  const isContradiction = answer.outcome === "declined" && state !== "declined";
  return { outcome: isContradiction ? "contradiction" : "nothing new" };
}
