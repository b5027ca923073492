/**
 * A receipt: what a customer paid, to whom, for what, and what was given back (Decision 0098).
 *
 * It is read from the record each time, never kept beside it, so mail and page say what the record
 * says. How the business is called and reached is as it is now.
 */

import type { Config } from "../../infra/config.ts";
import { prepared, type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, computed, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { type Money, money } from "../../kit/money.ts";
import type { Environment, Language } from "../../kit/vocabulary.ts";
import { type Logo, logoOf, SHOP } from "../business/shop.ts";
import { platformOf } from "../platforms/platform.ts";
import type { OrderItem } from "../transactions/order-items.ts";
import { TRANSACTION } from "../transactions/transaction.ts";
import { receiptUrl } from "./receipt-token.ts";

export interface ReceiptRefund {
  readonly refundId: string;
  readonly amount: Money;
  readonly at: Date;
}

export interface Receipt {
  readonly transactionId: string;
  readonly accountNumber: string;
  readonly environment: Environment;
  readonly url: string;
  readonly language: Language;
  readonly timeZone: string;
  readonly business: Business;
  readonly email: string | undefined;
  readonly orderId: string;
  readonly description: string | undefined;
  readonly items: readonly OrderItem[];
  /** What the merchant asked for; `fee` is what the customer paid beyond it. */
  readonly price: Money;
  readonly fee: Money;
  readonly total: Money;
  readonly card: { readonly brand: string; readonly lastFour: string } | undefined;
  readonly paidAt: Date;
  /** Those that are done, oldest first. */
  readonly refunds: readonly ReceiptRefund[];
}

interface Business {
  readonly name: string;
  readonly logo: Logo | undefined;
  readonly email: string | undefined;
  readonly phone: string | undefined;
  readonly website: string | undefined;
}

const RECORD = {
  ...pick(TRANSACTION, "transaction_id", "account_number", "environment", "country_code"),
  ...pick(TRANSACTION, "currency", "total_minor", "customer_total_minor", "order_id", "status"),
  ...pick(TRANSACTION, "card_brand", "card_last_four", "customer", "finalised_at"),
  ...pick(TRANSACTION, "language", "description", "items"),
};

const BUSINESS = {
  ...pick(tables.businesses, "website", "support_email", "support_phone", "time_zone"),
};
const PAID = { paid_language: computed(tables.checkout_attempts.language, sql`paid.language`) };

/** Undefined when it was not paid. */
export async function readReceipt(
  db: Queryable,
  config: Pick<Config, "http" | "tokenPeppers">,
  transactionId: string,
): Promise<Receipt | undefined> {
  const row = await db.maybeOne(prepared("read-receipt", paidRecord(transactionId)));
  if (row === undefined || row.finalised_at === null) return undefined;
  const of = (minor: bigint) => money(row.currency, minor);
  const { card_brand: brand, card_last_four: lastFour } = row;
  return {
    transactionId,
    accountNumber: row.account_number,
    environment: row.environment,
    url: receiptUrl(config, transactionId),
    language: row.language ?? row.paid_language ?? row.business_language ?? "en",
    timeZone: row.time_zone ?? platformOf(row.country_code).timeZone,
    business: businessOf(row),
    email: row.customer.email,
    orderId: row.order_id,
    description: row.description ?? undefined,
    items: row.items ?? [],
    price: of(row.total_minor),
    fee: of(row.customer_total_minor - row.total_minor),
    total: of(row.customer_total_minor),
    card: brand === null || lastFour === null ? undefined : { brand, lastFour },
    paidAt: row.finalised_at,
    refunds: await readRefunds(db, row),
  };
}

function paidRecord(transactionId: string) {
  return sqlOf({ ...RECORD, ...PAID, ...SHOP, ...BUSINESS })`
    select ${columns(RECORD, "payment")}, ${columns(PAID)}, ${columns(SHOP)},
      ${columns(BUSINESS, "business")}
    from transactions as payment
    join accounts as account on account.account_number = payment.account_number
    left join businesses as business on business.account_number = payment.account_number
    left join logos as logo on logo.account_number = payment.account_number
    left join checkout_attempts as paid on paid.attempt_id = payment.sale_reference
    where payment.transaction_id = ${transactionId} and payment.status = 'success'`;
}

function businessOf(row: Row<typeof SHOP> & Row<typeof BUSINESS>): Business {
  return {
    name: row.shop,
    logo: logoOf(row),
    email: row.support_email ?? undefined,
    phone: row.support_phone ?? undefined,
    website: row.website ?? undefined,
  };
}

const DONE = { ...pick(tables.refunds, "refund_id", "amount_minor", "ended_at") };

async function readRefunds(
  db: Queryable,
  { transaction_id, currency }: Pick<Row<typeof RECORD>, "transaction_id" | "currency">,
): Promise<ReceiptRefund[]> {
  const done = sqlOf(DONE)`
    select ${columns(DONE)} from refunds
    where transaction_id = ${transaction_id} and state = 'refunded'
    order by ended_at, refund_id`;
  const rows = await db.rows(prepared("read-refunds-of-receipt", done));
  return rows.flatMap(({ refund_id: refundId, amount_minor, ended_at: at }) =>
    at === null ? [] : { refundId, amount: money(currency, amount_minor), at },
  );
}
