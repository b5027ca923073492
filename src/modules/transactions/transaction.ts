/**
 * Transactions: the record that every payment hangs on (Interface §2.6, §4.5, Decision 0026).
 *
 * The rule that matters: what was agreed when it began never changes, the result is written once,
 * and only the listed moves happen; the database refuses everything else by a name that says why.
 * Money is moved by `ledger`, in the tx that writes the result. Refunds and disputes stand beside
 * this file and move `status_desc`.
 */

import { Type } from "typebox";
import { sql } from "../../infra/db/query.ts";
import { CURRENCIES, type Currency, formatMoney, money } from "../../kit/money.ts";
import { COUNTRY_CODES, type CountryCode, type Environment } from "../../kit/vocabulary.ts";
import { FEE_STRUCTURES, type FeeStructure } from "../platforms/fee-quote.ts";

export const ENVIRONMENTS = ["live", "sandbox"] as const satisfies readonly Environment[];

export const STATUSES = ["incomplete", "success", "failed", "error"] as const;

export type TransactionStatus = (typeof STATUSES)[number];

/** The same table as `transaction_may_move` in the database, which is the one that decides. */
export const NEXT_STATUS_DESC = {
  Normal: ["Refund Requested", "Chargeback Pending", "Fraud Confirmed"],
  "Refund Requested": ["Refunded", "Refund Rejected", "Chargeback Pending", "Fraud Confirmed"],
  Refunded: ["Refund Requested", "Chargeback Pending", "Fraud Confirmed"],
  "Refund Rejected": ["Refund Requested", "Chargeback Pending", "Fraud Confirmed"],
  "Chargeback Pending": [
    "Chargeback Processed",
    "Normal",
    "Refund Requested",
    "Refunded",
    "Refund Rejected",
    "Fraud Confirmed",
  ],
  "Chargeback Processed": [],
  "Fraud Confirmed": [],
} as const satisfies Record<string, readonly string[]>;

export type StatusDesc = keyof typeof NEXT_STATUS_DESC;

/** What is known of who pays, under the names of the payment request. */
export const CUSTOMER_FIELDS = [
  "email",
  "fname",
  "lname",
  "addr1",
  "addr2",
  "city",
  "state",
  "zipcode",
  "country",
  "phone",
] as const;

export type Customer = Readonly<Partial<Record<(typeof CUSTOMER_FIELDS)[number], string>>>;

export interface TransactionRow {
  transaction_id: string;
  account_number: string;
  environment: Environment;
  country_code: CountryCode;
  currency: Currency;
  order_id: string;
  total_minor: bigint;
  customer_total_minor: bigint;
  fee_minor: bigint;
  tax_minor: bigint;
  net_minor: bigint;
  refunded_minor: bigint;
  fee_structure: FeeStructure;
  method: string;
  origin: string | null;
  status: TransactionStatus;
  status_desc: StatusDesc;
  message: string | null;
  card_brand: string | null;
  card_last_four: string | null;
  customer: Customer;
  data: string;
  created_at: Date;
  finalised_at: Date | null;
}

export const TRANSACTION_COLUMNS = sql`transaction_id, account_number, environment, country_code,
  currency, order_id, total_minor, customer_total_minor, fee_minor, tax_minor, net_minor,
  refunded_minor, fee_structure, method, origin, status, status_desc, message, card_brand,
  card_last_four, customer, data, created_at, finalised_at`;

const words = (list: readonly string[]) => Type.Union(list.map((word) => Type.Literal(word)));
/** As `formatMoney` writes what is not below zero. */
export const shownAmount = Type.String({ pattern: "^\\d+\\.\\d{2}$" });
const moment = Type.String({ format: "date-time" });

export const transactionView = Type.Object({
  transaction_id: Type.String(),
  order_id: Type.String(),
  environment: words(ENVIRONMENTS),
  country_code: words(COUNTRY_CODES),
  currency: words(CURRENCIES),
  total: Type.String({ ...shownAmount, description: "What was asked for." }),
  customer_total: Type.String({ ...shownAmount, description: "What the customer pays." }),
  fee: shownAmount,
  net: Type.String({ ...shownAmount, description: "What the merchant gets." }),
  fee_structure: words(FEE_STRUCTURES),
  method: Type.String(),
  origin: Type.Union([Type.String(), Type.Null()]),
  status: words(STATUSES),
  status_desc: words(Object.keys(NEXT_STATUS_DESC)),
  message: Type.Union([Type.String(), Type.Null()]),
  card: Type.Union([Type.String({ examples: ["visa **** 1111"] }), Type.Null()]),
  customer: Type.Object(
    Object.fromEntries(CUSTOMER_FIELDS.map((name) => [name, Type.Optional(Type.String())])),
  ),
  data: Type.String(),
  refunded_total: shownAmount,
  created_at: moment,
  finalised_at: Type.Union([moment, Type.Null()]),
});

export function viewTransaction(row: TransactionRow) {
  const shown = (minor: bigint) => formatMoney(money(row.currency, minor));
  return {
    transaction_id: row.transaction_id,
    order_id: row.order_id,
    environment: row.environment,
    country_code: row.country_code,
    currency: row.currency,
    total: shown(row.total_minor),
    customer_total: shown(row.customer_total_minor),
    fee: shown(row.fee_minor),
    net: shown(row.net_minor),
    fee_structure: row.fee_structure,
    method: row.method,
    origin: row.origin,
    status: row.status,
    status_desc: row.status_desc,
    message: row.message,
    card: row.card_brand === null ? null : `${row.card_brand} **** ${row.card_last_four}`,
    customer: row.customer,
    data: row.data,
    refunded_total: shown(row.refunded_minor),
    created_at: row.created_at,
    finalised_at: row.finalised_at,
  };
}
