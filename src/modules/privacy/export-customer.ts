/**
 * Everything that is held about a customer, for the customer to have (Decision 0122): payments as
 * their merchant sees them, with refunds, the cards that were tried, saved cards, the link and the
 * mails of each; and which requests of merchants' programs mention the customer. Card numbers are
 * nowhere in it, because no page or program is ever given one.
 */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { columns, pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { formatMoney, money } from "../../kit/money.ts";
import { accountsOf } from "../accounts/each-account.ts";
import { receiptMails } from "../receipts/forget-receipts.ts";
import { linesAbout, loggedAccounts } from "../request-log/lines-about.ts";
import {
  TRANSACTION,
  TRANSACTION_COLUMNS,
  type TransactionRow,
  viewTransaction,
} from "../transactions/transaction.ts";
import { cardsOfPayments } from "../trusted-cards/erase-cards.ts";
import { viewCard } from "../trusted-cards/trusted-card.ts";
import { type Customer, findPayments } from "./customer.ts";

const PAYMENTS_AT_ONCE = 500;
const ATTEMPT = {
  ...pick(tables.checkout_attempts, "transaction_id", "card_brand", "card_last_four"),
  ...pick(tables.checkout_attempts, "state", "language", "began_at"),
};
const REFUND = {
  ...pick(tables.refunds, "transaction_id", "refund_id", "amount_minor"),
  ...pick(tables.refunds, "reason", "state", "created_at"),
};
const LINK = pick(tables.payment_links, "link_id", "title");

export async function exportCustomer(db: Queryable, customer: Customer) {
  const ids = await findPayments(db, customer);
  const payments: Awaited<ReturnType<typeof paymentsOf>> = [];
  for (let at = 0; at < ids.length; at += PAYMENTS_AT_ONCE)
    payments.push(...(await paymentsOf(db, ids.slice(at, at + PAYMENTS_AT_ONCE))));
  const cards = await cardsOfPayments(db, ids);
  return {
    email: customer.email,
    payments,
    saved_cards: cards.map((card) => ({
      account_number: card.account_number,
      ...viewCard(card),
      is_deleted: card.state === "deleted",
    })),
    mails: (await receiptMails(db, ids)).map(({ mail_id: _, ...mail }) => mail),
    requests: await requestsAbout(db, customer, ids),
  };
}

async function paymentsOf(db: Queryable, ids: readonly string[]) {
  const rows = await db.rows(sqlOf(TRANSACTION)`
    select ${TRANSACTION_COLUMNS} from transactions
    where transaction_id = any (${ids}) order by transaction_id`);
  const attempts = await db.rows(sqlOf(ATTEMPT)`
    select ${columns(ATTEMPT)} from checkout_attempts
    where transaction_id = any (${ids}) order by transaction_id, number`);
  const refunds = await db.rows(sqlOf(REFUND)`
    select ${columns(REFUND)} from refunds
    where transaction_id = any (${ids}) order by transaction_id, created_at, refund_id`);
  const links = await db.rows(sqlOf(LINK)`
    select ${columns(LINK)} from payment_links
    where link_id in (select payment_link from transactions where transaction_id = any (${ids}))`);
  const titles = new Map(links.map(({ link_id, title }) => [link_id, title]));
  const own = <T extends { transaction_id: string }>(all: readonly T[], row: TransactionRow) =>
    all.filter(({ transaction_id }) => transaction_id === row.transaction_id);
  return rows.map((row) => ({
    account_number: row.account_number,
    ...viewTransaction(row),
    payment_link_title: row.payment_link === null ? null : titles.get(row.payment_link),
    cards_tried: own(attempts, row).map(({ transaction_id: _, ...attempt }) => attempt),
    refunds: own(refunds, row).map(({ transaction_id: _, amount_minor, ...refund }) => ({
      ...refund,
      amount: formatMoney(money(row.currency, amount_minor)),
    })),
  }));
}

async function requestsAbout(db: Queryable, customer: Customer, transactionIds: readonly string[]) {
  const found = [];
  for await (const accounts of accountsOf(db, customer))
    for (const accountNumber of await loggedAccounts(db, accounts))
      for (const line of await linesAbout(db, { ...customer, accountNumber, transactionIds }))
        found.push({ account_number: accountNumber, ...line });
  return found;
}
