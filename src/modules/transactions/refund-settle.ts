/**
 * Brings a refund to its end: claim it in one tx, talk to the gateway with none open, write what it
 * said in a second (Decision 0029).
 *
 * A process may die between any two steps. Then the lease runs out and the next one asks the
 * gateway about the reference before it sends the order again, under the same reference, so the
 * customer gets the money once. A lease is never cut short by a lost answer: until it is over the
 * order may still be on its way, and nobody gives the refund up.
 */

import { randomInt } from "node:crypto";
import { leaseEnd } from "../../infra/db/clock.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { money } from "../../kit/money.ts";
import type {
  Gateway,
  GatewayContext,
  RefundAnswer,
  RefundOrder,
  RefundOutcome,
} from "../gateway/port.ts";
import { findRefund, REFUND, REFUND_COLUMNS, type RefundRow } from "./refund.ts";
import { endRefund } from "./refund-end.ts";
import { scheduleRefund, unscheduleRefund } from "./refund-schedule.ts";
import { isTooLateToSend, LEASE_SECONDS, withinLimit } from "./within-limit.ts";

const AGAIN_AFTER_SECONDS = { min: 2, max: 3600 };
/** So that refunds that failed together do not come again together. */
const JITTER_PERCENT = 20;

/** Does nothing when it has ended, is not due, or somebody else is at it. */
export async function settleRefund(ctx: GatewayContext, refundId: string): Promise<void> {
  const settle = await claimRefund(ctx, refundId);
  await settle?.();
}

/** What is left to do on it once it is claimed; nothing when it cannot be. */
export async function claimRefund(
  ctx: GatewayContext,
  refundId: string,
): Promise<(() => Promise<void>) | undefined> {
  const found = await findRefund(ctx.db, refundId);
  if (found === undefined || found.ended_at !== null) return undefined;
  const { environment, currency } = found;
  const gateway = ctx.gateways[environment];
  if (gateway === undefined) {
    ctx.log.warn({ refundId }, "a refund waits for a gateway to be configured");
    return undefined;
  }
  const beganAt = performance.now();
  const claimed = await claim(ctx, refundId);
  if (claimed === undefined) return undefined;
  const { transaction_id: transactionId, amount_minor } = claimed;
  const order = { reference: refundId, transactionId, amount: money(currency, amount_minor) };
  return async () => {
    if (isTooLateToSend(beganAt))
      return ctx.log.warn({ refundId }, "a refund was claimed too long ago to be sent");
    await settleClaimed(ctx, gateway, claimed, order);
  };
}

async function settleClaimed(
  ctx: GatewayContext,
  gateway: Gateway,
  claimed: RefundRow,
  order: RefundOrder,
): Promise<void> {
  const outcome = await withinLimit(
    (signal) => orderRefund(gateway, order, claimed.attempt_count, signal),
    (late) => settleLate(ctx, claimed, late),
  ).catch((err: unknown) => {
    const { refund_id: refundId } = claimed;
    ctx.log.warn({ err, refundId }, "the gateway's answer about a refund was lost");
    return { outcome: "unknown" } as const;
  });
  await writeDown(ctx, claimed, outcome);
}

/** How long to wait after so many tries without an answer, give or take a little. */
export function againAfterSeconds(
  attemptCount: number,
  percent = randomInt(100 - JITTER_PERCENT, 100 + JITTER_PERCENT + 1),
): number {
  const { min, max } = AGAIN_AFTER_SECONDS;
  return (Math.min(max, min * 2 ** Math.min(attemptCount - 1, 20)) * percent) / 100;
}

/** The port cannot be told to stop, so what it says after the limit is still an answer. */
async function settleLate(
  ctx: GatewayContext,
  claimed: RefundRow,
  late: Promise<RefundOutcome>,
): Promise<void> {
  const { refund_id: refundId } = claimed;
  try {
    const outcome = await late;
    ctx.log.warn({ refundId, ...outcome }, "the gateway answered about a refund after the limit");
    if (isEnd(outcome)) await writeDown(ctx, claimed, outcome);
  } catch (err) {
    ctx.log.warn({ err, refundId }, "a late answer about a refund was lost");
  }
}

function claim({ db }: GatewayContext, refundId: string): Promise<RefundRow | undefined> {
  return db.transaction(async (tx) => {
    const claimed = await tx.maybeOne(sqlOf(REFUND)`
      update refunds
      set state = case state when 'requested' then 'submitted' else state end,
        attempt_count = attempt_count + 1,
        leased_until = ${leaseEnd(LEASE_SECONDS)},
        next_try_at = ${leaseEnd(LEASE_SECONDS)}
      where refund_id = ${refundId} and next_try_at <= app_now()
      returning ${REFUND_COLUMNS}`);
    // Should this process die, the next try comes when the lease is over and not with a sweep.
    if (claimed !== undefined) await scheduleRefund(tx, refundId, LEASE_SECONDS);
    return claimed;
  });
}

/** From the second try on it is asked about first: the order may have arrived. */
export async function orderRefund(
  gateway: Gateway,
  order: RefundOrder,
  attemptCount: number,
  signal: AbortSignal,
): Promise<RefundOutcome> {
  if (attemptCount > 1) {
    const known = await gateway.refundOutcome(order.reference);
    if (known.outcome !== "never seen") return known;
    // A slow answer must not become an order that outlives the lease.
    signal.throwIfAborted();
  }
  return gateway.refund(order);
}

function isEnd(outcome: RefundOutcome): outcome is RefundAnswer {
  return outcome.outcome === "refunded" || outcome.outcome === "rejected";
}

async function writeDown(
  { db, log }: GatewayContext,
  claimed: RefundRow,
  outcome: RefundOutcome,
): Promise<void> {
  if (isEnd(outcome)) {
    const ended = await db.transaction(async (tx) => {
      await unscheduleRefund(tx, claimed.refund_id);
      return endRefund(tx, claimed, outcome);
    });
    if (ended === undefined) await complainOfContradiction({ db, log }, claimed, outcome);
    return;
  }
  const seconds = againAfterSeconds(claimed.attempt_count);
  await db.transaction(async (tx) => {
    const waiting = await tx.run(sql`
      update refunds
      set state = 'unknown',
        next_try_at = app_now() + make_interval(secs => ${seconds})
      where refund_id = ${claimed.refund_id} and attempt_count = ${claimed.attempt_count}
        and ended_at is null`);
    if (waiting > 0) await scheduleRefund(tx, claimed.refund_id, seconds);
  });
}

/** What has ended stays as it is; that the gateway says otherwise is for a person to look at. */
async function complainOfContradiction(
  { db, log }: Pick<GatewayContext, "db" | "log">,
  { refund_id: refundId }: RefundRow,
  { outcome }: RefundOutcome,
): Promise<void> {
  const state = (await findRefund(db, refundId))?.state;
  if (state !== outcome)
    log.error({ refundId, state, outcome }, "the gateway contradicts a refund");
}
