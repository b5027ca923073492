/**
 * A new transaction: its id and its price, the statement that writes any number of them, because
 * many payment requests come at once (Decision 0036), and why one could not be written. Nothing has
 * been paid yet (Interface §3.2, Decision 0026).
 *
 * The account's row is locked while it is written, so that an account that is being closed either
 * sees the open payment or takes no more. That an order is paid once is held by a unique index.
 */

import { raw } from "sql-template-tag";
import { type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { unnest } from "../../infra/db/unnest.ts";
import { fixedRefusal, type ServiceError } from "../../kit/errors.ts";
import { newTransactionId } from "../../kit/ids.ts";
import type { Money } from "../../kit/money.ts";
import type { CountryCode, Environment } from "../../kit/vocabulary.ts";
import { insertEvents } from "../events/record-event.ts";
import { type FeeStructure, quoteFee } from "../platforms/fee-quote.ts";
import type { OwnTerms } from "../platforms/own-terms.ts";
import { platformOf } from "../platforms/platform.ts";
import type { OrderValues } from "./order-fields.ts";
import { type DetailName, eachDetail } from "./payment-details.ts";
import { eventOf } from "./payment-event.ts";
import type { Customer, TransactionRow } from "./transaction.ts";

export class OrderIdTaken extends fixedRefusal("order_id_taken") {}

/** One text for every reason, so that it does not show which accounts exist. */
export class AccountTakesNoPayments extends fixedRefusal("account_takes_no_payments") {}

export interface NewTransaction {
  readonly accountNumber: string;
  readonly environment: Environment;
  /** The platform that processes it: its fees and currencies. */
  readonly countryCode: CountryCode;
  readonly total: Money;
  /** Of the account on that platform, where it has any (Decision 0129). */
  readonly own?: OwnTerms | undefined;
  readonly feeStructure: FeeStructure;
  readonly orderId: string;
  readonly checkoutMethod: string;
  readonly origin: string | null;
  readonly customer: Customer;
  /** Stored as empty where it is absent. */
  readonly details: Readonly<Partial<Record<DetailName, string | undefined>>>;
  /** Stored as null where it is absent. */
  readonly order?: OrderValues;
  /** The payment link that asks, and what the customer typed for it. */
  readonly link?: { readonly linkId: string; readonly reference: string | null };
}

export async function whyNotRecorded(tx: Tx, asked: NewTransaction): Promise<ServiceError> {
  const account = await tx.maybeOne(sqlOf({})`
    select from accounts where account_number = ${asked.accountNumber} and status = 'active'`);
  if (account === undefined) return new AccountTakesNoPayments();
  return new OrderIdTaken(`order ${asked.orderId} has a live transaction`);
}

export function newTransactionRow(asked: NewTransaction, at: Date): TransactionRow {
  const { environment, countryCode, total, feeStructure, own } = asked;
  const { currency } = total;
  const platform = platformOf(countryCode);
  const quote = quoteFee({ platform, currency, amount: total, feeStructure, at, own });
  return {
    transaction_id: newTransactionId({ environment, countryCode, at }),
    account_number: asked.accountNumber,
    environment,
    country_code: countryCode,
    currency,
    order_id: asked.orderId,
    total_minor: total.minor,
    customer_total_minor: quote.customer.total.minor,
    fee_minor: quote.total.minor,
    tax_minor: quote.tax.minor,
    net_minor: quote.merchant.net.minor,
    refunded_minor: 0n,
    fee_structure: feeStructure,
    method: asked.checkoutMethod,
    origin: asked.origin,
    status: "incomplete",
    status_desc: "Normal",
    message: null,
    card_brand: null,
    card_last_four: null,
    avs_answer: null,
    cvv_answer: null,
    customer: asked.customer,
    ...eachDetail((name) => asked.details[name] ?? ""),
    language: asked.order?.language ?? null,
    description: asked.order?.description ?? null,
    items: asked.order?.items ?? null,
    payment_link: asked.link?.linkId ?? null,
    link_reference: asked.link?.reference ?? null,
    created_at: at,
    finalised_at: null,
  };
}

/** The columns that a new transaction brings, with their types; the others have defaults. */
const INSERTED_TYPES = {
  transaction_id: "text",
  account_number: "text",
  environment: "text",
  country_code: "text",
  currency: "text",
  order_id: "text",
  total_minor: "bigint",
  customer_total_minor: "bigint",
  fee_minor: "bigint",
  tax_minor: "bigint",
  net_minor: "bigint",
  fee_structure: "text",
  method: "text",
  origin: "text",
  customer: "jsonb",
  created_at: "timestamptz",
  payment_link: "uuid",
  link_reference: "text",
  ...eachDetail(() => "text"),
  language: "text",
  description: "text",
  items: "jsonb",
} as const satisfies Partial<Record<keyof TransactionRow, string>>;
const INSERTED_NAMES = raw(Object.keys(INSERTED_TYPES).join(", "));

/**
 * The rows and their events as the beginning of a statement, in which `made` has the ids of those
 * that could go. In the order of the index that two writers could meet in, so that they never wait
 * for each other in a circle. Each account is locked once, however many of its rows there are.
 */
export function recordedAs(rows: readonly TransactionRow[]): Sql {
  const each = <T>(of: (row: TransactionRow) => T) => rows.map(of);
  const events = each((row) => eventOf(row, "payment.created"));
  return sql`
    held as materialized (
      select account_number from accounts
      where account_number = any(${[...new Set(each((row) => row.account_number))]}::text[])
        and status = 'active'
      order by account_number for key share
    ),
    made as (
      insert into transactions (${INSERTED_NAMES})
      select ${INSERTED_NAMES} from ${unnest("request", rows, INSERTED_TYPES)}
      join held using (account_number)
      order by account_number, environment, order_id, transaction_id
      on conflict do nothing
      returning transaction_id
    ),
    told as (
      ${insertEvents(events)} where resource in (select transaction_id from made) order by place
    )`;
}
