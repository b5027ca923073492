/**
 * The main facts of the payment or the withdrawal that an action is about: above its form, and
 * where a second person decides.
 */

import { customerName, paymentBadge } from "../console/payments/payment-words.ts";
import { type Queryable, sqlOf } from "../infra/db/query.ts";
import { columns } from "../infra/db/row.ts";
import { NotFound } from "../kit/errors.ts";
import type { HtmlValue } from "../kit/html.ts";
import { TRANSACTION_ID } from "../kit/ids.ts";
import { type Money, money } from "../kit/money.ts";
import { accountName } from "../modules/people/account-name.ts";
import { leftOf, type PaidRow, readPaid } from "../modules/transactions/refund.ts";
import { readWithdrawal, type WithdrawalRow } from "../modules/withdrawals/withdrawal.ts";
import { badge } from "../parts/badge.ts";
import { type Definition, definitionList } from "../parts/definition-list.ts";
import { moneyText } from "../parts/money.ts";
import { panel } from "../parts/panel.ts";
import { stateHtml } from "./state-words.ts";

export interface AboutRecord {
  readonly facts: HtmlValue;
  /** Of a payment: what is neither refunded nor disputed, if anything is. */
  readonly left?: Money;
}

const NOTHING: AboutRecord = { facts: undefined };

export async function aboutRecord(db: Queryable, transactionId: string): Promise<AboutRecord> {
  if (!TRANSACTION_ID.test(transactionId)) return NOTHING;
  const paid = await readPaid(db, transactionId).catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error;
  });
  if (paid !== undefined) return aboutPayment(db, paid);
  const withdrawal = await readWithdrawal(db, transactionId);
  return withdrawal === undefined ? NOTHING : aboutWithdrawal(db, withdrawal);
}

async function aboutPayment(db: Queryable, paid: PaidRow): Promise<AboutRecord> {
  const left = leftOf(paid);
  const isPaid = paid.status === "success";
  const total = moneyText(money(paid.currency, paid.customer_total_minor));
  const facts = factsPanel("The payment", [
    { term: "Shop", value: await shopOf(db, paid.account_number) },
    { term: "Order", value: paid.order_id },
    {
      term: "Customer",
      value: [customerName(paid), paid.customer.email].filter(Boolean).join(", "),
    },
    { term: isPaid ? "Paid" : "To be paid", value: total },
    { term: "Left", value: isPaid ? moneyText(left) : undefined },
    { term: "Status", value: paymentBadge(paid) },
    { term: "Environment", value: environmentOf(paid) },
  ]);
  return isPaid && left.minor > 0n ? { facts, left } : { facts };
}

async function aboutWithdrawal(db: Queryable, row: WithdrawalRow): Promise<AboutRecord> {
  const facts = factsPanel("The withdrawal", [
    { term: "Shop", value: await shopOf(db, row.account_number) },
    { term: "Amount", value: moneyText(money(row.currency, row.amount_minor)) },
    { term: "Paid to", value: row.name_in_bank ?? row.recipient_name ?? undefined },
    { term: "Bank", value: row.bank_name ?? undefined },
    { term: "Status", value: stateHtml(row.status) },
    { term: "Environment", value: environmentOf(row) },
  ]);
  return { facts };
}

function environmentOf({ environment }: Pick<PaidRow, "environment">): HtmlValue {
  return environment === "live" ? "Live" : badge("plain", "Sandbox");
}

function factsPanel(heading: string, facts: readonly Definition[]): HtmlValue {
  return panel({ heading, content: definitionList(facts) });
}

const NAMED = { shop: accountName() };

async function shopOf(db: Queryable, accountNumber: string): Promise<string> {
  const { shop } = await db.one(sqlOf(NAMED)`
    select ${columns(NAMED)} from accounts where account_number = ${accountNumber}`);
  return shop;
}
