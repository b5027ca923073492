/**
 * Brings a refund to its end: claim it in one tx, talk to the gateway with none open, write what it
 * said in a second (Decision 0029).
 *
 * A process may die between any two steps. Then the lease runs out and the next one asks the
 * gateway about the reference before it sends the order again, under the same reference, so the
 * customer gets the money once.
 */

import { sql } from "../../infra/db/query.ts";
import { SECOND_MS } from "../../kit/clock.ts";
import { type Currency, money } from "../../kit/money.ts";
import type { Gateway, GatewayContext, RefundOutcome } from "../gateway/gateway.ts";
import { findRefund, REFUND_COLUMNS, type RefundRow } from "./refund.ts";
import { endRefund } from "./refund-end.ts";
import { addRefundJob } from "./refund-jobs.ts";

/** All that is said to the gateway in one go; well within the lease. */
const GATEWAY_SECONDS_MAX = 20;
const LEASE_SECONDS = 60;
const AGAIN_AFTER_SECONDS = { min: 2, max: 3600 };

/** Does nothing when it has ended, is not due, or somebody else is at it. */
export async function settleRefund(ctx: GatewayContext, refundId: string): Promise<void> {
  const found = await findRefund(ctx.db, refundId);
  if (found === undefined || found.ended_at !== null) return;
  const gateway = ctx.gateways[found.environment];
  if (gateway === undefined)
    return ctx.log.warn({ refundId }, "a refund waits for a gateway to be configured");
  const claimed = await claim(ctx, found);
  if (claimed === undefined) return;
  const outcome = await withinLimit(askGateway(gateway, claimed, found.currency)).catch(
    (err: unknown) => {
      ctx.log.warn({ err, refundId }, "the gateway's answer about a refund was lost");
      return { outcome: "unknown" } as const;
    },
  );
  await writeDown(ctx, claimed, outcome);
}

/** How long to wait after so many tries without an answer. */
export function againAfterSeconds(attemptCount: number): number {
  const { min, max } = AGAIN_AFTER_SECONDS;
  return Math.min(max, min * 2 ** Math.min(attemptCount - 1, 20));
}

function claim({ db }: GatewayContext, { refund_id }: RefundRow): Promise<RefundRow | undefined> {
  return db.transaction((tx) =>
    tx.maybeOne<RefundRow>(sql`
      update refunds
      set state = case state when 'requested' then 'submitted' else state end,
        attempt_count = attempt_count + 1,
        leased_until = app_now() + make_interval(secs => ${LEASE_SECONDS}),
        next_try_at = app_now() + make_interval(secs => ${LEASE_SECONDS})
      where refund_id = ${refund_id} and next_try_at <= app_now()
      returning ${REFUND_COLUMNS}`),
  );
}

async function askGateway(
  gateway: Gateway,
  claimed: RefundRow,
  currency: Currency,
): Promise<RefundOutcome> {
  const { refund_id: reference, transaction_id: transactionId } = claimed;
  if (claimed.attempt_count > 1) {
    const known = await gateway.refundOutcome(reference);
    if (known.outcome !== "never seen") return known;
  }
  const amount = money(currency, claimed.amount_minor);
  return gateway.refund({ reference, transactionId, amount });
}

async function writeDown(
  { db, log }: GatewayContext,
  claimed: RefundRow,
  outcome: RefundOutcome,
): Promise<void> {
  if (outcome.outcome === "refunded" || outcome.outcome === "rejected") {
    const ended = await db.transaction((tx) => endRefund(tx, claimed, outcome));
    if (ended === undefined) await complainOfContradiction({ db, log }, claimed, outcome);
    return;
  }
  const seconds = againAfterSeconds(claimed.attempt_count);
  await db.transaction(async (tx) => {
    const waiting = await tx.run(sql`
      update refunds
      set state = 'unknown', leased_until = null,
        next_try_at = app_now() + make_interval(secs => ${seconds})
      where refund_id = ${claimed.refund_id} and attempt_count = ${claimed.attempt_count}
        and ended_at is null`);
    if (waiting > 0) await addRefundJob(tx, claimed.refund_id, seconds);
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

async function withinLimit<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    const late = new Error(`the gateway said nothing for ${GATEWAY_SECONDS_MAX} s`);
    timer = setTimeout(() => reject(late), GATEWAY_SECONDS_MAX * SECOND_MS);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
