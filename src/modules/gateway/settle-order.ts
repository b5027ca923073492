/**
 * Settles orders that give money back on a card, those of refunds and of card checks: claim one in
 * a tx, call the gateway with none open, write the outcome in a second tx (Decisions 0029 and
 * 0043). A job does this for each order, and a sweep for those whose job died with its worker.
 *
 * A process may die between any two steps. Then its lease runs out, and the next claim asks the
 * gateway about the reference before it sends the order again, under the same reference, so the
 * customer gets the money once. A lost answer never shortens a lease: until it is over the order
 * may still arrive.
 */

import { leaseEnd } from "../../infra/db/clock.ts";
import type { Queryable, Sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { addJob, defineJob, removeJob } from "../../infra/jobs/job.ts";
import type { Loop } from "../../infra/jobs/loop.ts";
import { claimEach, createSweepLoop } from "../../infra/jobs/sweep-loop.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import {
  againAfterSeconds,
  isTooLateToSend,
  LEASE_SECONDS,
  scheduledSeconds,
  withinLimit,
} from "./call-lease.ts";
import type { Gateway, GatewayContext, RefundAnswer, RefundOrder, RefundOutcome } from "./port.ts";

/** The job of an order. `idName`: the order's id in the payload and in log lines. */
export interface OrderJob {
  readonly name: string;
  readonly idName: "refundId" | "transactionId";
}

/** One kind of order: its rows, and what its ends do. */
export interface OrderKind {
  readonly job: OrderJob;
  /** In log lines, as "a refund". */
  readonly noun: string;
  /** Undefined: there is nothing to settle. */
  find(db: Queryable, id: string): Promise<UnsettledOrder | undefined>;
  /** Which try this is; undefined when none is due, or another process has claimed it. */
  claim(tx: Tx, id: string, leasedUntil: Sql): Promise<number | undefined>;
  /** Whether there will be a next try: not when another was made since, or when it has ended. */
  wait(tx: Tx, id: string, tryCount: number, seconds: number): Promise<boolean>;
  /** Ends it and removes its job; false when it had ended before. */
  end(ctx: GatewayContext, tx: Tx, order: RefundOrder, answer: RefundAnswer): Promise<boolean>;
  /** The outcome that it ended with. */
  endOf(db: Queryable, id: string): Promise<string | undefined>;
  /** The ids of those that are due, the longest due first. */
  findDue(
    ctx: GatewayContext,
    environments: readonly Environment[],
    countMax: number,
  ): Promise<readonly string[]>;
}

interface UnsettledOrder {
  readonly environment: Environment;
  readonly order: RefundOrder;
}

/** So that the job never runs a moment before its order is due. */
const SLACK_SECONDS = 0.2;

const keyOf = ({ name }: OrderJob, id: string) => `${name} ${id}`;

/** Under a key, so that one job waits for an order, however often it is added. */
export function scheduleOrder(tx: Tx, job: OrderJob, id: string, seconds: number): Promise<void> {
  const inSeconds = seconds === 0 ? 0 : seconds + SLACK_SECONDS;
  return addJob(tx, job.name, { [job.idName]: id }, { key: keyOf(job, id), inSeconds });
}

/** Of an order that ends: its job would find nothing to do. */
export function unscheduleOrder(tx: Tx, job: OrderJob, id: string): Promise<void> {
  return removeJob(tx, keyOf(job, id));
}

const PAUSE_MS = 5_000;
const UNDER_WAY_MAX = 4;
/** More than can be under way: some may be claimed elsewhere. */
const LOOKED_AT_MAX = 100;

export function createSettler(kind: OrderKind) {
  const { name, idName } = kind.job;
  const claim = (ctx: GatewayContext, id: string) => claimOrder(ctx, kind, id);

  /** Does nothing when it has ended, is not due, or is claimed. */
  async function settle(ctx: GatewayContext, id: string): Promise<void> {
    const work = await claim(ctx, id);
    await work?.();
  }

  /** Skips those without a configured gateway, which would block the others for ever. */
  async function* claimDue(ctx: GatewayContext, environments: readonly Environment[]) {
    const served = environments.filter((environment) => ctx.gateways[environment] !== undefined);
    yield* claimEach(
      await kind.findDue(ctx, served, LOOKED_AT_MAX),
      (id) => claim(ctx, id),
      (err, id) => ctx.log.error({ err, [idName]: id }, `${kind.noun} could not be settled`),
    );
  }

  return {
    claim,
    claimDue,
    settle,
    job: defineJob({
      name,
      async run(ctx: GatewayContext, { [idName]: id }: Readonly<Record<string, string>>) {
        if (id !== undefined) await settle(ctx, id);
      },
    }),
    createSweep: (ctx: GatewayContext, environments: readonly Environment[]): Loop =>
      createSweepLoop({
        name: `sweep ${name}`,
        pauseMs: PAUSE_MS,
        underWayMax: UNDER_WAY_MAX,
        claim: () => claimDue(ctx, environments),
        onError: (err) => ctx.log.error({ err, environments }, `the ${name} sweep failed`),
      }),
  };
}

/** Claims the order and returns the work; undefined when it cannot be claimed. */
async function claimOrder(
  ctx: GatewayContext,
  kind: OrderKind,
  id: string,
): Promise<(() => Promise<void>) | undefined> {
  const found = await kind.find(ctx.db, id);
  if (found === undefined) return undefined;
  const { environment, order } = found;
  const gateway = ctx.gateways[environment];
  const log = ctx.log.child({ [kind.job.idName]: id });
  if (gateway === undefined) {
    log.warn(`${kind.noun} waits for a gateway to be configured`);
    return undefined;
  }
  const beganAt = performance.now();
  const tryCount = await ctx.db.transaction(async (tx) => {
    const claimed = await kind.claim(tx, id, leaseEnd(LEASE_SECONDS));
    // If this process dies, the next try comes when the lease is over and not with a sweep.
    if (claimed !== undefined) await scheduleOrder(tx, kind.job, id, LEASE_SECONDS);
    return claimed;
  });
  if (tryCount === undefined) return undefined;
  return async () => {
    if (isTooLateToSend(beganAt))
      return log.warn(`${kind.noun} was claimed too long ago to be sent`);
    await settleClaimed({ ctx: { ...ctx, log }, gateway, kind, id, order, tryCount });
  };
}

interface Claimed {
  /** Its log names the order. */
  readonly ctx: GatewayContext;
  readonly gateway: Gateway;
  readonly kind: OrderKind;
  readonly id: string;
  readonly order: RefundOrder;
  readonly tryCount: number;
}

async function settleClaimed(claimed: Claimed): Promise<void> {
  const { ctx, gateway, kind, order, tryCount } = claimed;
  const outcome = await withinLimit(
    (signal) => callGateway(gateway, order, tryCount, signal),
    (late) => settleLate(claimed, late),
  ).catch((err: unknown) => {
    ctx.log.warn({ err }, `the gateway's answer about ${kind.noun} was lost`);
    return { outcome: "unknown" } as const;
  });
  await recordOutcome(claimed, outcome);
}

/** From the second try on, asks first: the order may have arrived. */
async function callGateway(
  gateway: Gateway,
  order: RefundOrder,
  tryCount: number,
  signal: AbortSignal,
): Promise<RefundOutcome> {
  if (tryCount > 1) {
    const known = await gateway.refundOutcome(order.reference);
    if (known.outcome !== "never seen") return known;
    // A slow answer must not become an order that outlives the lease.
    signal.throwIfAborted();
  }
  return gateway.refund(order);
}

/** A call cannot be aborted, so an outcome that comes after the limit still counts. */
async function settleLate(claimed: Claimed, late: Promise<RefundOutcome>): Promise<void> {
  const { ctx, kind } = claimed;
  try {
    const outcome = await late;
    ctx.log.warn(outcome, `the gateway answered about ${kind.noun} after the limit`);
    if (isEnd(outcome)) await recordOutcome(claimed, outcome);
  } catch (err) {
    ctx.log.warn({ err }, `a late answer about ${kind.noun} was lost`);
  }
}

function isEnd(outcome: RefundOutcome): outcome is RefundAnswer {
  return outcome.outcome === "refunded" || outcome.outcome === "rejected";
}

async function recordOutcome(claimed: Claimed, outcome: RefundOutcome): Promise<void> {
  const { ctx, gateway, kind, id, order, tryCount } = claimed;
  const isNew = await ctx.db.transaction(async (tx) => {
    if (isEnd(outcome)) return kind.end(ctx, tx, order, outcome);
    const seconds =
      gateway.askAfterSeconds === undefined
        ? againAfterSeconds(tryCount)
        : scheduledSeconds(gateway.askAfterSeconds, tryCount - 1);
    const isWaiting = await kind.wait(tx, id, tryCount, seconds);
    if (isWaiting) await scheduleOrder(tx, kind.job, id, seconds);
    return true;
  });
  if (isNew) return;
  // What has ended stays as it is; a gateway that says otherwise needs an operator.
  const ended = await kind.endOf(ctx.db, id);
  if (ended !== outcome.outcome)
    ctx.log.error({ ...outcome, ended }, `the gateway contradicts ${kind.noun}`);
}
