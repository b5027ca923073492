/**
 * What is asked of the gateway about cards (Decision 0040): a sale, once, within the lease that was
 * written before; and what became of it, when its answer was lost, when the process died, or when
 * the time is over.
 *
 * No tx is open while the gateway is called, and every answer is taken by `takeAnswer`. An error of
 * the gateway means that the outcome is unknown. Of an error only its kind is logged: the card was
 * in that call.
 */

import { leaseEnd } from "../../../infra/db/clock.ts";
import { sql, sqlOf } from "../../../infra/db/query.ts";
import { isTooLateToSend, LEASE_SECONDS, withinLimit } from "../../gateway/call-lease.ts";
import type { Gateway, Sale, SaleOutcome } from "../../gateway/port.ts";
import { IS_SANDBOX_ID } from "../../transactions/environment-of-id.ts";
import {
  ATTEMPT_COLUMNS,
  type AttemptRow,
  CLAIMED_ATTEMPT,
  type ClaimedAttempt,
  isBack,
} from "./attempt.ts";
import { CardUnusable, type CheckoutContext } from "./context.ts";
import { recordsOf } from "./record.ts";
import { errorKind, UNUSABLE } from "./result-messages.ts";
import { takeAnswer } from "./take-answers.ts";
import { voidLate } from "./void-late.ts";

const UNKNOWN = { outcome: "unknown" } as const;
/** Answers that change what is known, also when they come late. */
const NEWS = new Set<SaleOutcome["outcome"]>(["approved", "declined", "challenge", "not taken"]);
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
        // Checked last: a saved card is read and opened first, which takes time.
        return isTooLateToSend(beganAt) ? UNKNOWN : gateway.sale(sale);
      },
      (late) => takeLate(ctx, gateway, attempt, late),
    );
    await ctx.failpoint("sale: answered");
    return answer;
  } catch (error) {
    if (error instanceof CardUnusable) return NOT_USABLE;
    ctx.log.warn({ attemptId, reason: errorKind(error) }, "the answer about a card was lost");
    await ctx.failpoint("sale: answer lost");
    return ask(ctx, gateway, attempt);
  }
}

/** What became of it; an error is unknown. */
export async function ask(
  ctx: CheckoutContext,
  gateway: Gateway,
  attempt: AttemptRow,
  question = (): Promise<SaleOutcome> => gateway.saleOutcome(attempt.attempt_id),
): Promise<SaleOutcome> {
  const { attempt_id: attemptId } = attempt;
  return withinLimit(question, (late) => takeLate(ctx, gateway, attempt, late)).catch(
    (error: unknown) => {
      ctx.log.warn({ attemptId, reason: errorKind(error) }, "the outcome of a card is unknown");
      return UNKNOWN;
    },
  );
}

/** The port has no way to cancel, so what comes after the limit is still an answer. */
async function takeLate(
  ctx: CheckoutContext,
  gateway: Gateway,
  attempt: AttemptRow,
  late: Promise<SaleOutcome>,
): Promise<void> {
  const { attempt_id: attemptId } = attempt;
  try {
    const answer = await late;
    ctx.log.warn({ attemptId, outcome: answer.outcome }, "the gateway answered after the limit");
    if (NEWS.has(answer.outcome)) await takeAnswer(ctx, attempt, answer, gateway);
  } catch (error) {
    ctx.log.warn({ attemptId, reason: errorKind(error) }, "a late answer about a card was lost");
  }
}

/**
 * After an outage: everything live that waits for the gateway is due now. What is claimed is not
 * touched; a claim never lasts longer than a lease.
 */
export async function askLiveNow({ db }: Pick<CheckoutContext, "db">): Promise<void> {
  await db.run(sql`
    update checkout_attempts set next_ask_at = app_now()
    where state in ('unknown', 'void_due') and not ${IS_SANDBOX_ID}
      and next_ask_at > app_now() + make_interval(secs => ${LEASE_SECONDS})`);
}

/** Those that are due and claimed by no other process, the longest due first. */
export function claimDue(
  { db, purposes }: Pick<CheckoutContext, "db" | "purposes">,
  countMax: number,
): Promise<ClaimedAttempt[]> {
  return db.rows(sqlOf(CLAIMED_ATTEMPT)`
    with due as materialized (
      select attempt_id, transaction_id from checkout_attempts
      where next_ask_at <= app_now()
      order by next_ask_at limit ${countMax}
      for no key update skip locked
    )
    update checkout_attempts as attempt
    set ask_count = attempt.ask_count + 1,
      next_ask_at = ${leaseEnd(LEASE_SECONDS)}
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
  await takeAnswer(ctx, claimed, answer, gateway);
}

/** A sale whose customer came back in time is completed here, if no other process did it. */
async function outcomeOf(gateway: Gateway, claimed: ClaimedAttempt): Promise<SaleOutcome> {
  const { attempt_id, challenge_token } = claimed;
  const known = await gateway.saleOutcome(attempt_id);
  const isOpen = known.outcome === "challenge" || known.outcome === "challenge pending";
  if (!isOpen || challenge_token === null || !isBack(claimed)) return known;
  // The session has ended: nothing may be paid any more.
  if (claimed.session_state === "ended") return { outcome: "challenge pending" };
  return gateway.completeChallenge(attempt_id, challenge_token, {});
}
