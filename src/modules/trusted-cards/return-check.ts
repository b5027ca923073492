/**
 * Returns the small amount that proved a card, once: noted in the tx that verifies or deletes the
 * card, then settled as refunds are, by `gateway/settle-order.ts` (Decision 0043).
 *
 * One that the gateway rejects stays in our books as owed to the customer, and is an alarm.
 */

import { insertAudit } from "../../infra/audit.ts";
import { sql, sqlOf } from "../../infra/db/query.ts";
import { columns, int, pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Loop } from "../../infra/jobs/loop.ts";
import { ENVIRONMENTS } from "../../kit/vocabulary.ts";
import { LEASE_SECONDS } from "../gateway/call-lease.ts";
import type { GatewayContext } from "../gateway/port.ts";
import { createSettler, scheduleOrder, unscheduleOrder } from "../gateway/settle-order.ts";
import { post } from "../ledger/post.ts";
import { amountOf, CHECK, CHECK_COLUMNS, type CheckRow, postingOf } from "./card-check.ts";
import { dueReturns, rejectedReturns } from "./card-metrics.ts";
import type { CardRow } from "./trusted-card.ts";

const RETURN_CHECK = { name: "return-card-check", idName: "transactionId" } as const;

/** Does nothing when it is due or returned already. */
export async function dueReturn(
  tx: Tx,
  { transaction_id }: Pick<CardRow, "transaction_id">,
): Promise<void> {
  const count = await tx.run(sql`
    update card_checks set return_state = 'due', next_return_at = app_now()
    where transaction_id = ${transaction_id} and return_state = 'none'`);
  if (count > 0) await scheduleOrder(tx, RETURN_CHECK, transaction_id, 0);
}

/** After an outage: what waits for the live gateway is due now, unless it is claimed. */
export async function returnLiveNow({ db }: Pick<GatewayContext, "db">): Promise<void> {
  await db.run(sql`
    update card_checks set next_return_at = app_now()
    where return_state = 'due' and environment = 'live'
      and next_return_at > app_now() + make_interval(secs => ${LEASE_SECONDS})`);
}

const RETURN = {
  ...pick(tables.card_checks, "environment", "return_reference", "amount_minor"),
  ...pick(tables.card_checks, "sale_reference"),
};

const settler = createSettler({
  job: RETURN_CHECK,
  noun: "a card's return",
  async find(db, transactionId) {
    const row = await db.one(sqlOf(RETURN)`
      select ${columns(RETURN)} from card_checks where transaction_id = ${transactionId}`);
    const { environment, return_reference: reference, sale_reference: saleReference } = row;
    const order = { reference, transactionId, saleReference, amount: amountOf(row) };
    return { environment, order: { ...order, isCardCheck: true } };
  },
  async claim(tx, transactionId, leasedUntil) {
    const claimed = await tx.maybeOne(sqlOf(pick(tables.card_checks, "return_count"))`
      update card_checks set return_count = return_count + 1, next_return_at = ${leasedUntil}
      where transaction_id = ${transactionId} and next_return_at <= app_now()
      returning return_count`);
    return claimed?.return_count;
  },
  async wait(tx, transactionId, tryCount, seconds) {
    const count = await tx.run(sql`
      update card_checks set next_return_at = app_now() + make_interval(secs => ${seconds})
      where transaction_id = ${transactionId} and return_count = ${tryCount}
        and return_state = 'due'`);
    return count > 0;
  },
  async end(ctx, tx, { transactionId }, answer) {
    const isReturned = answer.outcome === "refunded";
    const ended = await tx.maybeOne(sqlOf(CHECK)`
      update card_checks set return_state = ${isReturned ? "returned" : "rejected"},
        next_return_at = null, returned_at = case when ${isReturned}::boolean then app_now() end
      where transaction_id = ${transactionId} and return_state = 'due'
      returning ${CHECK_COLUMNS}`);
    if (ended === undefined) return false;
    await unscheduleOrder(tx, RETURN_CHECK, transactionId);
    if (answer.outcome === "refunded") await post(tx, postingOf(ended, "card_check_returned"));
    else await noteRejected(ctx, tx, ended, answer.reason);
    return true;
  },
  async endOf(db, transactionId) {
    const { state } = await db.one(sqlOf({ state: tables.card_checks.return_state })`
      select return_state as state from card_checks where transaction_id = ${transactionId}`);
    return state === "returned" ? "refunded" : state;
  },
  async findDue({ db }, environments, countMax) {
    // Those that wait for their next try, or for a gateway, are due as well.
    const { count } = await db.one(sqlOf({ count: int })`
      select count(*)::int as count from card_checks where next_return_at is not null`);
    dueReturns.set(count);
    const due = await db.rows(sqlOf(pick(CHECK, "transaction_id"))`
      select transaction_id from card_checks
      where next_return_at <= (select app_now()) and environment = any (${environments})
      order by next_return_at limit ${countMax}`);
    return due.map(({ transaction_id }) => transaction_id);
  },
});

async function noteRejected(
  { log }: GatewayContext,
  tx: Tx,
  { transaction_id, account_number: accountNumber }: CheckRow,
  reason: string,
): Promise<void> {
  const detail = { transaction_id, reason };
  const action = "card_return_rejected";
  await insertAudit(tx, { action, accountNumber, actor: "trusted cards", detail });
  tx.afterCommit(() => {
    rejectedReturns.inc();
    log.error({ reason }, "a card's amount could not be returned");
  });
}

export const { settle: returnCheck, claimDue: claimDueReturns, job: returnCheckJob } = settler;

export function createReturnSweep(ctx: GatewayContext): Loop {
  return settler.createSweep(ctx, ENVIRONMENTS);
}
