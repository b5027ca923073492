/**
 * Returns the small amount that proved a card, once: noted in the tx that verifies or deletes the
 * card, then claimed, asked of the gateway with no tx open, and written down (Decision 0043). It
 * goes the way of refunds: a lost answer is asked about before the order is sent again, under the
 * same reference, until the gateway has said yes or no.
 *
 * One that the gateway rejects stays in our books as owed to the customer, and is an alarm.
 */

import { insertAudit } from "../../infra/audit.ts";
import { leaseEnd } from "../../infra/db/clock.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { columns, int, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { addJob, defineJob, removeJob } from "../../infra/jobs/job.ts";
import type { Loop } from "../../infra/jobs/loop.ts";
import { claimEach, createSweepLoop, sweepAll } from "../../infra/jobs/sweep-loop.ts";
import { ENVIRONMENTS } from "../../kit/vocabulary.ts";
import type { Gateway, GatewayContext, RefundOutcome } from "../gateway/port.ts";
import { post } from "../ledger/post.ts";
import { againAfterSeconds, orderRefund } from "../transactions/refund-settle.ts";
import { isTooLateToSend, LEASE_SECONDS, withinLimit } from "../transactions/within-limit.ts";
import { amountOf, postingOf } from "./card-check.ts";
import { dueReturns, rejectedReturns } from "./card-metrics.ts";
import type { CardRow } from "./trusted-card.ts";

const RETURN_CHECK = "return-card-check";
/** So that the job never finds it a moment too early. */
const SLACK_SECONDS = 0.2;

const RETURN = {
  ...pick(tables.card_checks, "transaction_id", "account_number", "environment", "amount_minor"),
  ...pick(tables.card_checks, "return_reference", "return_count"),
};

type ReturnRow = Row<typeof RETURN>;

/** Does nothing when it is due or returned already. */
export async function dueReturn(
  tx: Tx,
  { transaction_id }: Pick<CardRow, "transaction_id">,
): Promise<void> {
  const count = await tx.run(sql`
    update card_checks set return_state = 'due', next_return_at = app_now()
    where transaction_id = ${transaction_id} and return_state = 'none'`);
  if (count > 0) await schedule(tx, transaction_id, 0);
}

/** Does nothing when it is not due, or claimed elsewhere. */
export async function returnCheck(ctx: GatewayContext, transactionId: string): Promise<void> {
  const giveBack = await claimReturn(ctx, transactionId);
  await giveBack?.();
}

/** What is left to do on it once it is claimed; nothing when it cannot be. */
async function claimReturn(
  ctx: GatewayContext,
  transactionId: string,
): Promise<(() => Promise<void>) | undefined> {
  const { environment } = await ctx.db.one(sqlOf(pick(RETURN, "environment"))`
    select environment from card_checks where transaction_id = ${transactionId}`);
  const gateway = ctx.gateways[environment];
  if (gateway === undefined) {
    ctx.log.warn({ transactionId }, "a card's amount waits for a gateway to be configured");
    return undefined;
  }
  const beganAt = performance.now();
  const claimed = await claim(ctx, transactionId);
  if (claimed === undefined) return undefined;
  return async () => {
    if (isTooLateToSend(beganAt))
      return ctx.log.warn({ transactionId }, "a card's amount was claimed too long ago to be sent");
    await giveBackClaimed(ctx, gateway, claimed);
  };
}

async function giveBackClaimed(
  ctx: GatewayContext,
  gateway: Gateway,
  claimed: ReturnRow,
): Promise<void> {
  const { transaction_id: transactionId, return_reference: reference, return_count } = claimed;
  const order = { reference, transactionId, amount: amountOf(claimed), isCardCheck: true } as const;
  const outcome = await withinLimit(
    (signal) => orderRefund(gateway, order, return_count, signal),
    (late) => takeLate(ctx, claimed, late),
  ).catch((err: unknown) => {
    ctx.log.warn({ err, transactionId }, "the gateway's answer about a card's amount was lost");
    return { outcome: "unknown" } as const;
  });
  await writeDown(ctx, claimed, outcome);
}

/** The port has no way to cancel, so what comes after the limit is still an answer. */
async function takeLate(
  ctx: GatewayContext,
  claimed: ReturnRow,
  late: Promise<RefundOutcome>,
): Promise<void> {
  const { transaction_id: transactionId } = claimed;
  try {
    const answer = await late;
    ctx.log.warn({ transactionId, ...answer }, "an answer about a card's amount came late");
    if (answer.outcome === "refunded" || answer.outcome === "rejected")
      await writeDown(ctx, claimed, answer);
  } catch (err) {
    ctx.log.warn({ err, transactionId }, "a late answer about a card's amount was lost");
  }
}

function claim({ db }: GatewayContext, transactionId: string): Promise<ReturnRow | undefined> {
  return db.transaction(async (tx) => {
    const claimed = await tx.maybeOne(sqlOf(RETURN)`
      update card_checks
      set return_count = return_count + 1,
        next_return_at = ${leaseEnd(LEASE_SECONDS)}
      where transaction_id = ${transactionId} and next_return_at <= app_now()
      returning ${columns(RETURN)}`);
    // Should this process die, the next try comes when the lease is over.
    if (claimed !== undefined) await schedule(tx, transactionId, LEASE_SECONDS);
    return claimed;
  });
}

async function writeDown(
  ctx: GatewayContext,
  claimed: ReturnRow,
  answer: RefundOutcome,
): Promise<void> {
  if (answer.outcome === "unknown" || answer.outcome === "never seen")
    return ctx.db.transaction((tx) => waitLonger(tx, claimed));
  const { transaction_id: transactionId } = claimed;
  const end = answer.outcome === "refunded" ? "returned" : "rejected";
  const isWritten = await ctx.db.transaction(async (tx) => {
    const count = await tx.run(sql`
      update card_checks set return_state = ${end}, next_return_at = null,
        returned_at = case when ${end} = 'returned' then app_now() end
      where transaction_id = ${transactionId} and return_state = 'due'`);
    if (count === 0) return false;
    await removeJob(tx, keyOf(transactionId));
    if (answer.outcome === "refunded") await post(tx, postingOf(claimed, "card_check_returned"));
    else await noteRejected(ctx, tx, claimed, answer.reason);
    return true;
  });
  if (isWritten) return;
  // What has ended stays as it is; that the gateway says otherwise is for a person to look at.
  const { state } = await ctx.db.one(sqlOf({ state: tables.card_checks.return_state })`
    select return_state as state from card_checks where transaction_id = ${transactionId}`);
  const { outcome } = answer;
  if (state !== end)
    ctx.log.error({ transactionId, state, outcome }, "the gateway contradicts a card's return");
}

async function noteRejected(
  { log }: GatewayContext,
  tx: Tx,
  { transaction_id, account_number: accountNumber }: ReturnRow,
  reason: string,
): Promise<void> {
  const detail = { transaction_id, reason };
  const action = "card_return_rejected";
  await insertAudit(tx, { action, accountNumber, actor: "trusted cards", detail });
  tx.afterCommit(() => {
    rejectedReturns.inc();
    log.error({ transactionId: transaction_id, reason }, "a card's amount could not be returned");
  });
}

async function waitLonger(tx: Tx, { transaction_id, return_count }: ReturnRow): Promise<void> {
  const seconds = againAfterSeconds(return_count);
  const waiting = await tx.run(sql`
    update card_checks set next_return_at = app_now() + make_interval(secs => ${seconds})
    where transaction_id = ${transaction_id} and return_count = ${return_count}
      and return_state = 'due'`);
  if (waiting > 0) await schedule(tx, transaction_id, seconds);
}

const keyOf = (transactionId: string) => `${RETURN_CHECK} ${transactionId}`;

async function schedule(tx: Tx, transactionId: string, seconds: number): Promise<void> {
  const inSeconds = seconds === 0 ? 0 : seconds + SLACK_SECONDS;
  await addJob(tx, RETURN_CHECK, { transactionId }, { key: keyOf(transactionId), inSeconds });
}

const PAUSE_MS = 5_000;
const UNDER_WAY_MAX = 4;
/** More than can be under way: some may be claimed by other processes. */
const LOOKED_AT_MAX = 100;

export const returnCheckJob = defineJob({
  name: RETURN_CHECK,
  async run(ctx: GatewayContext, { transactionId }: { transactionId?: string }) {
    if (transactionId !== undefined) await returnCheck(ctx, transactionId);
  },
});

export function createReturnSweep(ctx: GatewayContext): Loop {
  return createSweepLoop({
    pauseMs: PAUSE_MS,
    underWayMax: UNDER_WAY_MAX,
    claim: () => claimAllDue(ctx),
    onError: (err) => ctx.log.error({ err }, "cards' amounts could not be looked after"),
  });
}

/** Every one that is due, for tests. */
export async function returnChecks(ctx: GatewayContext): Promise<void> {
  await sweepAll(() => claimAllDue(ctx));
}

/** Those whose job died with its worker; without a gateway they wait for one. */
async function* claimAllDue(ctx: GatewayContext): AsyncIterable<() => Promise<void>> {
  // Those that wait for their next try, or for a gateway, are due as well.
  const { count } = await ctx.db.one(sqlOf({ count: int })`
    select count(*)::int as count from card_checks where next_return_at is not null`);
  dueReturns.set(count);
  const served = ENVIRONMENTS.filter((environment) => ctx.gateways[environment] !== undefined);
  const due = await ctx.db.rows(sqlOf(pick(RETURN, "transaction_id"))`
    select transaction_id from card_checks
    where next_return_at <= (select app_now()) and environment = any (${served})
    order by next_return_at limit ${LOOKED_AT_MAX}`);
  yield* claimEach(
    due,
    ({ transaction_id }) => claimReturn(ctx, transaction_id),
    (err, { transaction_id: transactionId }) =>
      ctx.log.error({ err, transactionId }, "a card's amount was not returned"),
  );
}
