/**
 * Asks the gateway about attempts that nobody decided, when they are due (Decision 0040): the
 * answer was lost, the process died, the customer came back from the bank and nobody completed the
 * sale, or the time is over.
 *
 * The rule that matters: claimed in one statement, asked with no tx open, taken by `takeAnswer` as
 * every answer is. A process that dies in between leaves a time at which the next one asks.
 */

import { sql } from "../../../infra/db/query.ts";
import type { Gateway, SaleOutcome } from "../../gateway/gateway.ts";
import { LEASE_SECONDS } from "../../transactions/within-limit.ts";
import { ATTEMPT_COLUMNS, type ClaimedAttempt, isBack } from "./attempt.ts";
import type { CheckoutContext } from "./context.ts";
import { recordsOf } from "./record.ts";
import { ask } from "./sell.ts";
import { takeAnswer } from "./take-answer.ts";
import { voidLate } from "./void-late.ts";

/** Those that are due and that nobody else has, at most so many, the longest due first. */
export function claimDue(
  { db, purposes }: Pick<CheckoutContext, "db" | "purposes">,
  countMax: number,
): Promise<ClaimedAttempt[]> {
  return db.rows<ClaimedAttempt>(sql`
    with due as materialized (
      select attempt_id, transaction_id from checkout_attempts
      where next_ask_at <= app_now()
      order by next_ask_at limit ${countMax}
      for no key update skip locked
    )
    update checkout_attempts as attempt
    set ask_count = attempt.ask_count + 1,
      next_ask_at = app_now() + make_interval(secs => ${LEASE_SECONDS})
    from due
    join checkout_sessions as session using (transaction_id)
    cross join ${recordsOf(purposes)}
    where attempt.attempt_id = due.attempt_id
    returning ${ATTEMPT_COLUMNS}, record.environment, record.account_number,
      session.state as session_state, session.purpose`);
}

/** Brings one that this process has claimed as far as the gateway lets it. */
export async function settleAttempt(ctx: CheckoutContext, claimed: ClaimedAttempt): Promise<void> {
  await ctx.failpoint(claimed.state === "void_due" ? "void: claimed" : "ask: claimed");
  const gateway = ctx.gateways[claimed.environment];
  if (claimed.state === "void_due") {
    if (gateway !== undefined) return voidLate(ctx, gateway, claimed);
    const { attempt_id: attemptId } = claimed;
    ctx.log.error({ attemptId }, "a late approval cannot be voided: no gateway is configured");
    return;
  }
  const answer: SaleOutcome =
    gateway === undefined
      ? { outcome: "unknown" }
      : await ask(ctx, gateway, claimed, () => outcomeOf(gateway, claimed));
  await ctx.failpoint("ask: answered");
  await takeAnswer(ctx, claimed, answer);
}

/** A sale whose customer came back in time is completed here, if nobody else did it. */
async function outcomeOf(gateway: Gateway, claimed: ClaimedAttempt): Promise<SaleOutcome> {
  const { attempt_id, challenge_token } = claimed;
  const known = await gateway.saleOutcome(attempt_id);
  const isOpen = known.outcome === "challenge" || known.outcome === "challenge pending";
  if (!isOpen || challenge_token === null || !isBack(claimed)) return known;
  // The result has been told: nothing may be paid any more.
  if (claimed.session_state === "ended") return { outcome: "challenge pending" };
  return gateway.completeChallenge(attempt_id, challenge_token, {});
}
