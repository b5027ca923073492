/**
 * Sends a sale to the gateway, once, within the lease that was written before (Decision 0040).
 *
 * The rule that matters: an error of the gateway means that nobody knows, so the reference is asked
 * about at once; what comes after the limit is still an answer and is taken. Of an error nothing
 * but its kind is told: the card was in that call.
 */

import type { Gateway, Sale, SaleOutcome } from "../../gateway/gateway.ts";
import { isTooLateToSend, withinLimit } from "../../transactions/within-limit.ts";
import type { AttemptRow } from "./attempt.ts";
import type { CheckoutContext } from "./context.ts";
import { CardUnusable } from "./purpose.ts";
import { reasonOf } from "./reason-of.ts";
import { UNUSABLE } from "./result-messages.ts";
import { takeAnswer } from "./take-answer.ts";

const UNKNOWN = { outcome: "unknown" } as const;
const NOT_USABLE = { outcome: "declined", ...UNUSABLE } as const;

export async function sell(
  ctx: CheckoutContext,
  gateway: Gateway,
  attempt: AttemptRow,
  beganAt: number,
  makeSale: () => Promise<Sale>,
): Promise<SaleOutcome> {
  const { attempt_id: attemptId } = attempt;
  await ctx.failpoint("sale: about to be sent");
  try {
    const answer = await withinLimit<SaleOutcome>(
      async () => {
        const sale = await makeSale();
        // The last look before it goes: a saved card is read and opened first, which takes time.
        return isTooLateToSend(beganAt) ? UNKNOWN : gateway.sale(sale);
      },
      (late) => takeLate(ctx, attempt, late),
    );
    await ctx.failpoint("sale: answered");
    return answer;
  } catch (error) {
    if (error instanceof CardUnusable) return NOT_USABLE;
    ctx.log.warn({ attemptId, reason: reasonOf(error) }, "the answer about a card was lost");
    await ctx.failpoint("sale: answer lost");
    return ask(ctx, gateway, attempt);
  }
}

/** What became of it, or unknown: who throws knows nothing. */
export async function ask(
  ctx: CheckoutContext,
  gateway: Gateway,
  attempt: AttemptRow,
  question = (): Promise<SaleOutcome> => gateway.saleOutcome(attempt.attempt_id),
): Promise<SaleOutcome> {
  return withinLimit(question, (late) => takeLate(ctx, attempt, late)).catch((error: unknown) => {
    const { attempt_id: attemptId } = attempt;
    ctx.log.warn({ attemptId, reason: reasonOf(error) }, "nobody knows yet about a card");
    return UNKNOWN;
  });
}

/** The port cannot be told to stop, so what it says after the limit is still an answer. */
async function takeLate(
  ctx: CheckoutContext,
  attempt: AttemptRow,
  late: Promise<SaleOutcome>,
): Promise<void> {
  const { attempt_id: attemptId } = attempt;
  try {
    const answer = await late;
    const isNews = answer.outcome === "approved" || answer.outcome === "declined";
    ctx.log.warn({ attemptId, outcome: answer.outcome }, "the gateway answered after the limit");
    if (isNews || answer.outcome === "challenge") await takeAnswer(ctx, attempt, answer);
  } catch (error) {
    ctx.log.warn({ attemptId, reason: reasonOf(error) }, "a late answer about a card was lost");
  }
}
