/**
 * Takes what the gateway said about an attempt, from whoever heard it: the request that submitted
 * the card, the one that came back from the bank, or the one who asked later (Decision 0040).
 *
 * The rule that matters: all of them come here, one after the other, and the first final answer
 * counts. An approval that comes when the result has been told is undone, never forgotten. A first
 * approval goes together with others of the moment (`approve-payments.ts`); what is left out there
 * is taken here, alone.
 */

import type { Tx } from "../../../infra/db/transaction.ts";
import type { Decided, SaleOutcome } from "../../gateway/gateway.ts";
import type { PaymentResult } from "../../transactions/finalise-transaction.ts";
import { type AttemptRow, cardOf, heldAttempt, isBack, isUndecided } from "./attempt.ts";
import { challenge, endAttempt, wait } from "./change-attempt.ts";
import { countAnswer } from "./checkout-metrics.ts";
import type { CheckoutContext } from "./context.ts";
import { endSession } from "./end-session.ts";
import {
  approvedMessage,
  declinedMessage,
  NOT_CONFIRMED,
  NOT_KNOWN,
  NOT_SENT,
  TIMED_OUT,
} from "./result-messages.ts";
import { ATTEMPTS_MAX, type LockedSession, lockSession } from "./session.ts";
import { tidyAnswer } from "./tidy-answer.ts";
import { noteLateApproval } from "./void-late.ts";

export type Taken =
  /** The session has ended with it. */
  | "success"
  | "failed"
  | "error"
  /** Another card may be tried. */
  | "declined"
  | "challenged"
  | "waiting"
  /** Approved after the result was told, or after we had given it up: it will be undone. */
  | "late"
  /** It had been decided, or says what was known. */
  | "nothing new"
  | "contradiction";

/** Then it is the status of the payment. */
export function endedSession(taken: Taken): taken is PaymentResult["status"] {
  return taken === "success" || taken === "failed" || taken === "error";
}

interface Held {
  readonly ctx: CheckoutContext;
  readonly tx: Tx;
  readonly session: LockedSession;
  readonly attempt: AttemptRow;
}

type AnsweredAttempt = Pick<AttemptRow, "attempt_id" | "transaction_id">;

export async function takeAnswer(
  ctx: CheckoutContext,
  attempt: AnsweredAttempt,
  given: SaleOutcome,
): Promise<Taken> {
  const answer = tidyAnswer(given);
  await ctx.failpoint("answer: taken up");
  const together = await takeTogether(ctx, attempt, answer);
  const taken = together ?? (await takeAlone(ctx, attempt, answer));
  await ctx.failpoint("answer: kept");
  if (!endedSession(taken)) countAnswer(taken);
  const { attempt_id: attemptId, transaction_id: transactionId } = attempt;
  const facts = { attemptId, transactionId, outcome: answer.outcome };
  if (taken === "late") ctx.log.warn(facts, "a card was approved too late and will be voided");
  if (taken === "error") ctx.log.error(facts, "a payment ended without a known outcome");
  if (taken === "contradiction") ctx.log.error(facts, "the gateway contradicts an attempt");
  return taken;
}

/** Undefined: it is to be taken alone. */
async function takeTogether(
  { batches, failpoint }: CheckoutContext,
  { attempt_id: attemptId, transaction_id: transactionId }: AnsweredAttempt,
  answer: SaleOutcome,
): Promise<"success" | undefined> {
  if (answer.outcome !== "approved") return undefined;
  const isPaid = await batches.approve({ attemptId, transactionId, answer, failpoint });
  return isPaid ? "success" : undefined;
}

function takeAlone(
  ctx: CheckoutContext,
  { attempt_id, transaction_id }: AnsweredAttempt,
  answer: SaleOutcome,
): Promise<Taken> {
  return ctx.db.transaction(async (tx) => {
    const session = await lockSession(ctx, tx, transaction_id);
    await ctx.failpoint("answer: session held");
    const attempt = await heldAttempt(tx, attempt_id);
    const held = { ctx, tx, session, attempt };
    return isUndecided(attempt.state) ? decide(held, answer) : compare(held, answer);
  });
}

async function decide(held: Held, answer: SaleOutcome): Promise<Taken> {
  const { session, attempt } = held;
  switch (answer.outcome) {
    case "approved":
      return approve(held, answer);
    case "declined":
      return decline(held, answer);
    case "never seen":
      // Until its lease is over, an order may still arrive; one that was seen cannot be unseen.
      return attempt.is_leased || attempt.challenge_token !== null
        ? waitLonger(held)
        : decline(held, NOT_SENT);
    case "challenge":
      // The customer has been at the bank since: an older answer does not send them there again.
      if (isBack(attempt)) return "nothing new";
      if (session.state === "ended" || session.is_over) return abandon(held);
      await challenge(held.tx, session, attempt, answer);
      return "challenged";
    case "challenge pending":
      return session.state === "ended" || session.is_over ? abandon(held) : waitLonger(held);
    case "unknown":
      return waitLonger(held);
  }
}

async function approve(held: Held, answer: Decided): Promise<Taken> {
  const { ctx, tx, session, attempt } = held;
  if (session.state === "ended") {
    await noteLateApproval(tx, session, attempt, answer);
    return "late";
  }
  await endAttempt(tx, attempt, "approved", answer);
  await ctx.failpoint("answer: attempt moved");
  const message = approvedMessage(answer);
  await endSession(ctx, tx, session, { status: "success", message, card: cardOf(attempt) });
  return "success";
}

async function decline(
  { ctx, tx, session, attempt }: Held,
  answer: { code: string; message: string },
): Promise<Taken> {
  await endAttempt(tx, attempt, "declined", answer);
  await ctx.failpoint("answer: attempt moved");
  if (session.state === "ended") return "nothing new";
  if (!session.is_over && session.attempt_count < ATTEMPTS_MAX) return "declined";
  const message = declinedMessage(answer);
  await endSession(ctx, tx, session, { status: "failed", message, card: cardOf(attempt) });
  return "failed";
}

/** The bank asked and the customer never came back: without us, no money moves. */
async function abandon({ ctx, tx, session, attempt }: Held): Promise<Taken> {
  await endAttempt(tx, attempt, "declined", NOT_CONFIRMED);
  await ctx.failpoint("answer: attempt moved");
  if (session.state === "ended") return "nothing new";
  await endSession(ctx, tx, session, {
    status: "failed",
    message: TIMED_OUT,
    card: cardOf(attempt),
  });
  return "failed";
}

async function waitLonger(held: Held): Promise<Taken> {
  const { ctx, tx, session, attempt } = held;
  if (attempt.state === "challenged" && session.is_long_over) return abandon(held);
  await wait(tx, session, attempt);
  await ctx.failpoint("answer: attempt moved");
  if (session.state === "ended" || !session.is_long_over) return "waiting";
  await endSession(ctx, tx, session, {
    status: "error",
    message: NOT_KNOWN,
    card: cardOf(attempt),
  });
  return "error";
}

/** It had been decided: what was told stays, and an approval beside it is undone. */
async function compare({ tx, session, attempt }: Held, answer: SaleOutcome): Promise<Taken> {
  const { state } = attempt;
  if (answer.outcome === "approved" && state === "declined") {
    await noteLateApproval(tx, session, attempt, answer);
    return "late";
  }
  return answer.outcome === "declined" && state !== "declined" ? "contradiction" : "nothing new";
}
