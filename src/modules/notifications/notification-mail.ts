/**
 * What a notification says (Decision 0143). Nothing that a customer typed is in it: that is on the
 * payment's page, where it can be erased.
 */

import type { Config } from "../../infra/config.ts";
import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, computed, nullable, pick, type Row, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { money } from "../../kit/money.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { moneyText } from "../../parts/money.ts";
import type { MailContent } from "../mail/render-mail.ts";
import { accountName } from "../people/account-name.ts";
import { openDisputeWords } from "../transactions/dispute-words.ts";
import type { NotifyingEvent } from "./notifications-due.ts";

type PagesConfig = Pick<Config, "http">;

interface About {
  readonly event: NotifyingEvent;
  readonly resource: string;
}

interface Notification {
  readonly subject: string;
  readonly content: MailContent;
}

const PAYMENT = {
  ...pick(tables.transactions, "environment", "currency", "order_id", "customer_total_minor"),
  ...pick(tables.transactions, "net_minor"),
  account_name: accountName(),
  link_title: computed(nullable(tables.payment_links.title), sql`link.title`),
  disputed_minor: computed(nullable(tables.disputes.amount_minor), sql`dispute.amount_minor`),
  answer_by: computed(nullable(text), sql`dispute.answer_by::text`),
};

export async function paymentNotification(
  db: Queryable,
  config: PagesConfig,
  { event, resource }: About,
): Promise<Notification & { readonly isByLink: boolean }> {
  const row = await db.one(sqlOf(PAYMENT)`
    select payment.environment, payment.currency, order_id, customer_total_minor, net_minor,
      ${columns(pick(PAYMENT, "account_name", "link_title", "disputed_minor", "answer_by"))}
    from transactions as payment join accounts using (account_number)
      left join payment_links as link on link.link_id = payment.payment_link
      left join lateral (
        select amount_minor, answer_by from disputes
        where disputes.transaction_id = payment.transaction_id and kind = 'chargeback'
        order by opened_at desc, dispute_id limit 1) as dispute on true
    where transaction_id = ${resource}`);
  const { subject, texts } = wordsOfPayment(event, row);
  const rows: [string, string][] = [["Account", row.account_name]];
  if (row.link_title !== null) rows.push(["Payment link", row.link_title]);
  rows.push(["Order", row.order_id], ["Reference", resource]);
  const page = { link: `${config.http.publicUrl}/console/payments/${resource}` };
  const content = contentOf(row, subject, [
    ...texts,
    { rows },
    { ...page, text: "See the payment" },
  ]);
  return { subject: subjectOf(row, subject), content, isByLink: row.link_title !== null };
}

function wordsOfPayment(
  event: NotifyingEvent,
  row: Row<typeof PAYMENT>,
): { readonly subject: string; readonly texts: readonly string[] } {
  const of = (minor: bigint) => moneyText(money(row.currency, minor));
  if (event === "payment.success")
    return {
      subject: `A customer paid ${of(row.customer_total_minor)}`,
      texts: [`After the fee, ${of(row.net_minor)} of it is yours. It is in your balance.`],
    };
  if (event === "payment.fraud_confirmed")
    return {
      subject: `A payment of ${of(row.customer_total_minor)} was fraud`,
      texts: ["The bank of the card has confirmed it, and takes back what was not refunded."],
    };
  return {
    subject: `A customer disputes ${of(row.disputed_minor ?? row.customer_total_minor)}`,
    texts: openDisputeWords(row.answer_by),
  };
}

const WITHDRAWAL = {
  ...pick(tables.withdrawals, "environment", "currency", "amount_minor", "status_reason"),
  account_name: accountName(),
};

type Words = readonly [one: string, many: string, then: string];

const WITHDRAWAL_WORDS: Partial<Readonly<Record<NotifyingEvent, Words>>> = {
  "withdrawal.held": ["is held", "are held", "It waits, and its money stays set aside."],
  "withdrawal.failed": ["has failed", "have failed", "Its money is in your balance again."],
  "withdrawal.returned": [
    "came back",
    "came back",
    "The bank returned it. Its money is in your balance again.",
  ],
};

export async function withdrawalNotification(
  db: Queryable,
  config: PagesConfig,
  { event, resource }: About,
): Promise<Notification> {
  const row = await readWithdrawal(db, resource);
  const [what = "", , then = ""] = WITHDRAWAL_WORDS[event] ?? [];
  const subject = `A withdrawal of ${moneyText(money(row.currency, row.amount_minor))} ${what}`;
  const rows: [string, string][] = [
    ["Account", row.account_name],
    ["Reference", resource],
  ];
  if (row.status_reason !== null) rows.push(["Reason", row.status_reason]);
  const page = { link: `${config.http.publicUrl}/console/withdrawals/${resource}` };
  const content = contentOf(row, subject, [
    then,
    { rows },
    { ...page, text: "See the withdrawal" },
  ]);
  return { subject: subjectOf(row, subject), content };
}

function readWithdrawal(db: Queryable, transactionId: string): Promise<Row<typeof WITHDRAWAL>> {
  return db.one(sqlOf(WITHDRAWAL)`
    select environment, currency, amount_minor, status_reason,
      ${columns(pick(WITHDRAWAL, "account_name"))}
    from withdrawals join accounts using (account_number) where transaction_id = ${transactionId}`);
}

/** For all of an hour that have no mail of their own. */
export async function moreWithdrawalsNotification(
  db: Queryable,
  config: PagesConfig,
  { event, resource }: About,
): Promise<Notification> {
  const row = await readWithdrawal(db, resource);
  const [, many = ""] = WITHDRAWAL_WORDS[event] ?? [];
  const subject = `More withdrawals ${many}`;
  const content = contentOf(row, subject, [
    "They are too many for a mail each. See Withdrawals for all of them.",
    { rows: [["Account", row.account_name]] },
    { link: `${config.http.publicUrl}/console/withdrawals`, text: "See Withdrawals" },
  ]);
  return { subject: subjectOf(row, subject), content };
}

interface Where {
  readonly environment: Environment;
}

function subjectOf({ environment }: Where, subject: string): string {
  return environment === "sandbox" ? `[Sandbox] ${subject}` : subject;
}

function contentOf(
  { environment }: Where,
  heading: string,
  parts: MailContent["parts"],
): MailContent {
  const mark = "This happened in the sandbox. No money moved.";
  const choose = "You choose which of these mails you get under Settings, Notifications.";
  return { heading, parts: [...(environment === "sandbox" ? [mark] : []), ...parts, choose] };
}
