/** Accounts, payments, withdrawals and bank files by their own names, orders, e-mails and cards. */

import { type Queryable, type Sql, sql, sqlOf } from "../../../infra/db/query.ts";
import { columns, computed, pick, text } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { ENVIRONMENTS } from "../../../kit/vocabulary.ts";
import { BATCH, viewBatch } from "../../withdrawals/bank-files/payout-batch.ts";
import { viewWithdrawal, WITHDRAWAL } from "../../withdrawals/withdrawal.ts";
import { businessName } from "../accounts/account.ts";
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

const ACCOUNT = {
  ...pick(tables.accounts, "account_number", "account_type", "country_code", "email", "status"),
  full_name: computed(text, sql`first_name || ' ' || last_name`),
  business_name: businessName(sql`accounts.account_number`),
};

function accountsWhere(title: string, condition: Sql): Finder {
  return async ({ db }) => {
    const rows = await db.rows(sqlOf(ACCOUNT)`
      select ${columns(ACCOUNT, "accounts")} from accounts where ${condition}
      order by accounts.created_at desc limit ${FOUND_MAX + 1}`);
    return foundBlock(title, rows, {
      account: "account_number",
      name: "full_name",
      business: "business_name",
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

/** Of so many of one name the newest are shown; a word may be that of thousands. */
const NAMED_MAX = 500;

/**
 * As the index has it: to PostgreSQL "Kreyol.tt" is the name of a host and "Rum/Coke" that of a
 * file, each one word. What is not ASCII it reads the same everywhere.
 */
function nameWords(name: Sql): Sql {
  const spaced = sql`regexp_replace(${name}, '(?=[ -~])[^A-Za-z0-9]', ' ', 'g')`;
  return sql`to_tsvector('simple', ${spaced})`;
}

/** Each word begins one in the name of the business, or of its holder (Decision 0145). */
export function accountsByName(words: readonly string[]): Finder {
  const query = words.map((word) => `${word}:*`).join(" & ");
  return accountsWhere(
    "Accounts of this name",
    sql`account_number in (
      (select account_number from businesses
        where ${nameWords(sql`business_name`)} @@ to_tsquery('simple', ${query})
        limit ${NAMED_MAX})
      union (select account_number from accounts
        where ${nameWords(sql`first_name || ' ' || last_name`)}
          @@ to_tsquery('simple', ${query})
        limit ${NAMED_MAX}))`,
  );
}

export function paymentsBlock(title: string, rows: readonly PaymentRow[]) {
  return foundBlock(title, rows.map(viewFound), {
    payment: "transaction_id",
    account: "account_number",
    order: "order_id",
    amount: ({ amount, currency }) => amountIn(currency, amount),
    status: "state",
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
  async (looking) =>
    foundPayments(
      "Payments by this customer",
      await findByEmail(looking.db, email, searchOf(looking)),
    );

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
