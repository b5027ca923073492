/**
 * Settles refunds: claim one in a tx, call the gateway with none open, write the outcome in a
 * second tx (Decision 0029). A job does this for each refund, and a sweep for those whose job died
 * with its worker.
 *
 * A process may die between any two steps. Then its lease runs out, and the next claim asks the
 * gateway about the reference before it sends the order again, under the same reference, so the
 * customer gets the money once. A lost answer never shortens a lease: until it is over the order
 * may still arrive, and the refund cannot be rejected.
 */

import { randomInt } from "node:crypto";
import { leaseEnd } from "../../infra/db/clock.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import { type Loop, together } from "../../infra/jobs/loop.ts";
import { claimEach, createSweepLoop, sweepAll } from "../../infra/jobs/sweep-loop.ts";
import { money } from "../../kit/money.ts";
import { ENVIRONMENTS, type Environment } from "../../kit/vocabulary.ts";
import type {
  Gateway,
  GatewayContext,
  RefundAnswer,
  RefundOrder,
  RefundOutcome,
} from "../gateway/port.ts";
import {
  endRefund,
  findRefund,
  REFUND,
  REFUND_COLUMNS,
  type RefundRow,
  SETTLE_REFUND,
  scheduleRefund,
  unscheduleRefund,
} from "./refund.ts";
import { isTooLateToSend, LEASE_SECONDS, withinLimit } from "./within-limit.ts";

const AGAIN_AFTER_SECONDS = { min: 2, max: 3600 };
/** So that refunds that failed together are not retried together. */
const JITTER_PERCENT = 20;

/** Does nothing when it has ended, is not due, or is claimed. */
export async function settleRefund(ctx: GatewayContext, refundId: string): Promise<void> {
  const settle = await claimRefund(ctx, refundId);
  await settle?.();
}

/** Claims the refund and returns the work; undefined when it cannot be claimed. */
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
  return async () => {
    if (isTooLateToSend(beganAt))
      return ctx.log.warn({ refundId }, "a refund was claimed too long ago to be sent");
    const { transaction_id: transactionId, attempt_count } = claimed;
    const amount = money(currency, claimed.amount_minor);
    const order = { reference: refundId, transactionId, amount };
    const outcome = await withinLimit(
      (signal) => orderRefund(gateway, order, attempt_count, signal),
      (late) => settleLate(ctx, claimed, late),
    ).catch((err: unknown) => {
      ctx.log.warn({ err, refundId }, "the gateway's answer about a refund was lost");
      return { outcome: "unknown" } as const;
    });
    await recordOutcome(ctx, claimed, outcome);
  };
}

/** The delay after so many tries without an answer, with jitter. */
export function againAfterSeconds(
  attemptCount: number,
  percent = randomInt(100 - JITTER_PERCENT, 100 + JITTER_PERCENT + 1),
): number {
  const { min, max } = AGAIN_AFTER_SECONDS;
  return (Math.min(max, min * 2 ** Math.min(attemptCount - 1, 20)) * percent) / 100;
}

/** A call cannot be aborted, so an outcome that comes after the limit still counts. */
async function settleLate(
  ctx: GatewayContext,
  claimed: RefundRow,
  late: Promise<RefundOutcome>,
): Promise<void> {
  const { refund_id: refundId } = claimed;
  try {
    const outcome = await late;
    ctx.log.warn({ refundId, ...outcome }, "the gateway answered about a refund after the limit");
    if (isEnd(outcome)) await recordOutcome(ctx, claimed, outcome);
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
    // If this process dies, the next try comes when the lease is over and not with a sweep.
    if (claimed !== undefined) await scheduleRefund(tx, refundId, LEASE_SECONDS);
    return claimed;
  });
}

/** From the second try on, asks first: the order may have arrived. */
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

async function recordOutcome(
  { db, log }: GatewayContext,
  claimed: RefundRow,
  outcome: RefundOutcome,
): Promise<void> {
  if (isEnd(outcome)) {
    const ended = await db.transaction(async (tx) => {
      await unscheduleRefund(tx, claimed.refund_id);
      return endRefund(tx, claimed, outcome);
    });
    if (ended === undefined) await reportContradiction({ db, log }, claimed, outcome);
    return;
  }
  const seconds = againAfterSeconds(claimed.attempt_count);
  await db.transaction(async (tx) => {
    const waiting = await tx.run(sql`
      update refunds
      set state = 'unknown', next_try_at = app_now() + make_interval(secs => ${seconds})
      where refund_id = ${claimed.refund_id} and attempt_count = ${claimed.attempt_count}
        and ended_at is null`);
    if (waiting > 0) await scheduleRefund(tx, claimed.refund_id, seconds);
  });
}

/** What has ended stays as it is; a gateway that says otherwise needs an operator. */
async function reportContradiction(
  { db, log }: Pick<GatewayContext, "db" | "log">,
  { refund_id: refundId }: RefundRow,
  { outcome }: RefundOutcome,
): Promise<void> {
  const state = (await findRefund(db, refundId))?.state;
  if (state !== outcome)
    log.error({ refundId, state, outcome }, "the gateway contradicts a refund");
}

const PAUSE_MS = 5_000;
const UNDER_WAY_MAX = 4;
/** More than can be under way: some may be claimed elsewhere. */
const LOOKED_AT_MAX = 100;

export const settleRefundJob = defineJob({
  name: SETTLE_REFUND,
  async run(ctx: GatewayContext, { refundId }: { refundId?: string }) {
    if (refundId !== undefined) await settleRefund(ctx, refundId);
  },
});

/** Each environment has its own slots: tests in the sandbox never delay live money. */
export function createRefundSweep(ctx: GatewayContext): Loop {
  const sweepOf = (environment: Environment) =>
    createSweepLoop({
      pauseMs: PAUSE_MS,
      underWayMax: UNDER_WAY_MAX,
      claim: () => claimDue(ctx, [environment]),
      onError: (err) => ctx.log.error({ err, environment }, "refunds could not be looked after"),
    });
  return together(ENVIRONMENTS.map(sweepOf));
}

/** Settles every refund that is due and returns how many there were: for tests. */
export function sweepRefunds(ctx: GatewayContext): Promise<number> {
  return sweepAll(() => claimDue(ctx, ENVIRONMENTS));
}

/** Skips those without a configured gateway, which would block the others for ever. */
async function* claimDue(
  ctx: GatewayContext,
  environments: readonly Environment[],
): AsyncIterable<() => Promise<void>> {
  const served = environments.filter((environment) => ctx.gateways[environment] !== undefined);
  const due = await ctx.db.rows(sqlOf(pick(tables.refunds, "refund_id"))`
    select refund_id from refunds join transactions using (transaction_id)
    where next_try_at <= (select app_now()) and environment = any (${served})
    order by next_try_at limit ${LOOKED_AT_MAX}`);
  yield* claimEach(
    due,
    ({ refund_id }) => claimRefund(ctx, refund_id),
    (err, { refund_id: refundId }) =>
      ctx.log.error({ err, refundId }, "a refund could not be settled"),
  );
}
