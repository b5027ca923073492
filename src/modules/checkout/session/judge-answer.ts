/**
 * What the gateway's answer about a card comes to, as a pure function of the answer and of the
 * locked rows: what becomes of the attempt, and the result that ends the session (Decision 0040).
 */

import type { Decided, SaleOutcome } from "../../gateway/port.ts";
import type { PaymentResult } from "../../transactions/finalise-transaction.ts";
import {
  type AttemptMove,
  type AttemptRow,
  askAfterSeconds,
  cardOf,
  isBack,
  isUndecided,
} from "./attempt.ts";
import type { AnsweredAttempt, AnswerOutcome } from "./context.ts";
import {
  approvedMessage,
  declinedMessage,
  NO_CARDS,
  NOT_CONFIRMED,
  NOT_KNOWN,
  NOT_SENT,
  NOT_TAKEN,
  TIMED_OUT,
} from "./result-messages.ts";
import { ATTEMPTS_MAX, GRACE_SECONDS, type LockedSession, TRIES_MAX } from "./session.ts";

/** An attempt and its session, both locked. */
export type LockedAttempt = AttemptRow & LockedSession;

/** What an answer comes to: what becomes of the attempt, and the result that ends the session. */
interface Verdict {
  readonly outcome: AnswerOutcome;
  readonly move?: Omit<AttemptMove, "attemptId">;
  readonly result?: PaymentResult;
  /** No gateway would take the card. */
  readonly isNotTaken?: true;
}

export function judge(attempt: LockedAttempt, answered: AnsweredAttempt): Verdict {
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
