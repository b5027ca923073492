/**
 * What waits for a person of the operator: approvals, held withdrawals, open chargebacks. Of live
 * money only; the first of each, along indexes that have nothing else.
 */

import { type Queryable, sql, sqlOf } from "../../../infra/db/query.ts";
import { columns, computed, nullable, pick, text } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { type Currency, formatMoney, money } from "../../../kit/money.ts";
import { lastReconciliations } from "../../ledger/last-reconciliation.ts";
import { accountName } from "../../people/account-name.ts";
import { IS_SANDBOX_ID } from "../../transactions/environment-of-id.ts";
import { amountIn } from "../amount-cell.ts";
import type { ApprovableBy } from "../approvals/approvable.ts";
import { listWaitingFor, viewApproval } from "../approvals/approval.ts";
import { CHECKS } from "../reconciliation.ts";
import { type Block, tableBlock } from "../render.ts";

/** Of each kind so many are shown. */
const SHOWN_MAX = 10;

/** As their indexes say it. */
export const IS_LIVE_AND_HELD = sql`status = 'held' and environment = 'live'`;
export const IS_LIVE_AND_OPEN = sql`state = 'open' and not ${IS_SANDBOX_ID}`;

export async function waitingApprovals(db: Queryable, by: ApprovableBy): Promise<Block> {
  const rows = (await listWaitingFor(db, by, SHOWN_MAX + 1)).map(viewApproval);
  return firstOf("Approvals", rows, "approvals", {
    approval: "approval_id",
    command: "command",
    record: "transaction_id",
    amount: ({ amount, currency }) => amountIn(currency, amount),
    "asked by": "asked_by",
    "ends by": "expires_at",
  });
}

function withAmount<R extends { amount_minor: bigint; currency: Currency }>({
  amount_minor,
  ...row
}: R) {
  return { ...row, amount: formatMoney(money(row.currency, amount_minor)) };
}

const HELD_ONE = {
  ...pick(tables.withdrawals, "transaction_id", "account_number", "currency", "amount_minor"),
  ...pick(tables.withdrawals, "status_reason", "updated_at"),
  shop: accountName(sql`account`),
};

export async function heldWithdrawals(db: Queryable): Promise<Block> {
  const rows = await db.rows(sqlOf(HELD_ONE)`
    select ${columns(HELD_ONE, "held")}
    from (select * from withdrawals where ${IS_LIVE_AND_HELD}
      order by updated_at limit ${SHOWN_MAX + 1}) as held
    join accounts as account on account.account_number = held.account_number
    order by held.updated_at`);
  const shown = rows.map(withAmount);
  return firstOf("Held withdrawals", shown, "stuck-withdrawals", {
    withdrawal: "transaction_id",
    account: "account_number",
    shop: "shop",
    amount: ({ amount, currency }) => amountIn(currency, amount),
    because: "status_reason",
    since: "updated_at",
  });
}

const OPEN_ONE = {
  ...pick(tables.disputes, "transaction_id", "amount_minor", "opened_at"),
  answer_by: computed(nullable(text), sql`answer_by::text`),
  account_number: computed(tables.transactions.account_number, sql`payment.account_number`),
  order_id: computed(tables.transactions.order_id, sql`payment.order_id`),
  currency: computed(tables.transactions.currency, sql`payment.currency`),
  shop: accountName(sql`account`),
};

export async function openDisputes(db: Queryable): Promise<Block> {
  const rows = await db.rows(sqlOf(OPEN_ONE)`
    select ${columns(OPEN_ONE, "dispute")}
    from (select * from disputes where ${IS_LIVE_AND_OPEN}
      order by answer_by, opened_at limit ${SHOWN_MAX + 1}) as dispute
    join transactions as payment on payment.transaction_id = dispute.transaction_id
    join accounts as account on account.account_number = payment.account_number
    order by dispute.answer_by, dispute.opened_at`);
  const shown = rows.map(withAmount);
  return firstOf("Open disputes", shown, "disputes", {
    payment: "transaction_id",
    account: "account_number",
    shop: "shop",
    order: "order_id",
    amount: ({ amount, currency }) => amountIn(currency, amount),
    opened: "opened_at",
    "answer by": "answer_by",
  });
}

/** Of the hourly checks those that found something. */
export async function differingChecks(db: Queryable): Promise<Block> {
  const rows = (await lastReconciliations(db)).filter(({ difference_count }) => difference_count);
  return tableBlock("Checks that differ", rows, {
    of: ({ job }) => CHECKS[job] ?? job,
    when: "checked_at",
    differences: "difference_count",
  });
}

function firstOf<R>(
  title: string,
  rows: readonly R[],
  all: string,
  shown: Parameters<typeof tableBlock<R>>[2],
): Block {
  const block = tableBlock(title, rows.slice(0, SHOWN_MAX), shown);
  if (rows.length <= SHOWN_MAX) return block;
  return { ...block, more: `see ${all}` } as Block;
}
