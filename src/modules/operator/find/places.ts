/** Accounts, payments, withdrawals and bank files by their own names, orders, e-mails and cards. */

import { now } from "../../../infra/db/clock.ts";
import { type Queryable, type Sql, sql, sqlOf } from "../../../infra/db/query.ts";
import { columns, computed, pick, text } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { DAY_SECONDS, SECOND_MS } from "../../../kit/clock.ts";
import { ENVIRONMENTS } from "../../../kit/vocabulary.ts";
import { BATCH, viewBatch } from "../../withdrawals/bank-files/payout-batch.ts";
import { viewWithdrawal, WITHDRAWAL } from "../../withdrawals/withdrawal.ts";
import { amountIn } from "../amount-cell.ts";
import { findByCard } from "../payments/find-by-card.ts";
import { findByEmail } from "../payments/find-by-email.ts";
import { findByOrder } from "../payments/find-by-order.ts";
import {
  type Found,
  PAYMENT,
  PAYMENT_COLUMNS,
  type PaymentRow,
  viewFound,
} from "../payments/found-payment.ts";
import { type Block, words } from "../render.ts";
import { type Finder, FOUND_MAX, foundBlock, type Looking } from "./place.ts";

const EMAIL_DAYS = 30;

const ACCOUNT = {
  ...pick(tables.accounts, "account_number", "account_type", "country_code", "email", "status"),
  full_name: computed(text, sql`first_name || ' ' || last_name`),
};

function accountsWhere(title: string, condition: Sql): Finder {
  return async ({ db }) => {
    const rows = await db.rows(sqlOf(ACCOUNT)`
      select ${columns(ACCOUNT, "accounts")} from accounts where ${condition}
      order by accounts.created_at desc limit ${FOUND_MAX + 1}`);
    return foundBlock(title, rows, {
      account: "account_number",
      name: "full_name",
      "e-mail": "email",
      type: "account_type",
      platform: "country_code",
      state: "status",
    });
  };
}

export const accountsByNumber = (accountNumber: string) =>
  accountsWhere("Accounts of this number", sql`account_number = ${accountNumber}`);

/** Its holder's, or that of somebody who acts for it. */
export const accountsByEmail = (email: string) =>
  accountsWhere(
    "Accounts of this e-mail",
    sql`account_number in (
      select account_number from accounts where email = ${email}
      union all select account_number from members
        where person_id in (select person_id from persons where persons.email = ${email}
          and not persons.is_operator))`,
  );

export function paymentsBlock(title: string, rows: readonly PaymentRow[]) {
  return foundBlock(title, rows.map(viewFound), {
    payment: "transaction_id",
    account: "account_number",
    order: "order_id",
    amount: ({ amount, currency }) => amountIn(currency, amount),
    status: "status",
    card: "card",
    "e-mail": "email",
    created: "created_at",
  });
}

const searchOf = ({ stopAt, sayProgress }: Looking) => ({
  account: undefined,
  environments: ENVIRONMENTS,
  since: undefined,
  until: undefined,
  max: FOUND_MAX + 1,
  stopAt,
  sayProgress,
});

function foundPayments(title: string, { rows, unseen }: Found): readonly Block[] {
  return [...paymentsBlock(title, rows), ...(unseen === undefined ? [] : [words(unseen.words)])];
}

export const paymentsByOrder =
  (orderId: string): Finder =>
  async (looking) =>
    foundPayments(
      "Payments of this order",
      await findByOrder(looking.db, orderId, searchOf(looking)),
    );

export const paymentsByCard =
  (lastFour: string): Finder =>
  async (looking) =>
    foundPayments(
      "Payments by a card with these last four",
      await findByCard(looking.db, lastFour, searchOf(looking)),
    );

export const paymentsByEmail =
  (email: string): Finder =>
  async (looking) => {
    const since = new Date(
      (await now(looking.db)).getTime() - EMAIL_DAYS * DAY_SECONDS * SECOND_MS,
    );
    const found = await findByEmail(looking.db, email, { ...searchOf(looking), since });
    return foundPayments(`Payments by this customer in the last ${EMAIL_DAYS} days`, found);
  };

export function paymentsWhere(db: Queryable, condition: Sql): Promise<PaymentRow[]> {
  return db.rows(sqlOf(PAYMENT)`
    select ${PAYMENT_COLUMNS} from transactions as payment where ${condition}
    order by payment.created_at desc limit ${FOUND_MAX + 1}`);
}

export async function withdrawalsWhere(db: Queryable, title: string, condition: Sql) {
  const rows = await db.rows(sqlOf(WITHDRAWAL)`
    select ${columns(WITHDRAWAL)} from withdrawals where ${condition}
    order by created_at desc limit ${FOUND_MAX + 1}`);
  const shown = rows.map((row) => ({ ...viewWithdrawal(row), account: row.account_number }));
  return foundBlock(title, shown, {
    withdrawal: "transaction_id",
    account: "account",
    reference: "reference",
    amount: ({ amount, currency }) => amountIn(currency, amount),
    status: "status",
    created: "created_at",
  });
}

export const recordsOfId =
  (transactionId: string): Finder =>
  async ({ db }) => [
    ...paymentsBlock(
      "Payments of this id",
      await paymentsWhere(db, sql`transaction_id = ${transactionId}`),
    ),
    ...(await withdrawalsWhere(
      db,
      "Withdrawals of this id",
      sql`transaction_id = ${transactionId}`,
    )),
  ];

export const bankFilesNamed =
  (messageId: string): Finder =>
  async ({ db }) => {
    const rows = await db.rows(sqlOf(BATCH)`
      select ${columns(BATCH)} from payout_batches where message_id = ${messageId}`);
    return foundBlock("Bank files of this name", rows.map(viewBatch), {
      batch: "batch",
      "pay on": "bank_day",
      payments: "payment_count",
      total: ({ total, currency }) => amountIn(currency, total),
    });
  };
