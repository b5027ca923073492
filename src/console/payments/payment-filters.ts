/**
 * Which payments are listed: what stands in the address. Days are days of the account's time zone;
 * everything else means what it does in the history of the interface.
 */

import { oneOf } from "../../kit/fields/choice.ts";
import { optional, readFields } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { daySpan } from "../../kit/local-day.ts";
import { filterFields, readFilter } from "../../modules/transactions/history-filter.ts";
import type { PaymentSearch } from "../../modules/transactions/search-payments.ts";
import type { StatusDesc } from "../../modules/transactions/transaction.ts";
import type { Visitor } from "../visitor.ts";

export const PAYMENTS = "/console/payments";
const SEARCH_LENGTH_MAX = 254;

/** What became of paid ones, by the word in the address. */
const STATUS_DESCS: ReadonlyMap<string, readonly StatusDesc[]> = new Map([
  ["refund_requested", ["Refund Requested"]],
  ["refunded", ["Refunded"]],
  ["refund_rejected", ["Refund Rejected"]],
  ["disputed", ["Chargeback Pending", "Chargeback Processed", "Fraud Confirmed"]],
  ["chargeback_pending", ["Chargeback Pending"]],
  ["chargeback_processed", ["Chargeback Processed"]],
  ["fraud_confirmed", ["Fraud Confirmed"]],
]);

const { status, currency, start_date, end_date, total_min, total_max, payment_link } = filterFields;
const FIELDS = {
  q: optional(text({ max: SEARCH_LENGTH_MAX })),
  status,
  status_desc: optional(oneOf([...STATUS_DESCS.keys()])),
  currency,
  start_date,
  end_date,
  total_min,
  total_max,
  payment_link,
};

/** Where a page calls a field by another name than the interface. */
export const FILTER_LABELS = {
  start_date: "From",
  end_date: "To",
  total_min: "Amount from",
  total_max: "Amount to",
};

type FilterName = keyof typeof FIELDS;

const NAMES = Object.keys(FIELDS) as FilterName[];

/** As they stand in the address, those that are set. */
export type TypedFilters = Readonly<Partial<Record<FilterName, string>>>;

export function typedFilters(query: URLSearchParams): TypedFilters {
  const set = NAMES.map((name) => [name, query.get(name)?.trim()] as const);
  return Object.fromEntries(set.filter(([, value]) => value !== undefined && value !== ""));
}

/** Refuses what is malformed. */
export function searchOf(visitor: Visitor, typed: TypedFilters): PaymentSearch {
  const { environment, timeZone, caller } = visitor;
  const { q, status_desc: desc, ...values } = readFields(FIELDS, typed);
  const filter = readFilter(caller, { ...values, environment, order_id: undefined });
  const { start_date: first, end_date: last } = values;
  return {
    ...filter,
    ...daySpan({ first, last }, timeZone),
    statusDescs: desc === undefined ? undefined : STATUS_DESCS.get(desc),
    text: q,
  };
}

/** The part behind the `?`, always in the same order. */
export function queryOf(typed: TypedFilters, more: Readonly<Record<string, string>> = {}): string {
  return new URLSearchParams({ ...typed, ...more }).toString();
}

export function listHref(typed: TypedFilters, more: Readonly<Record<string, string>> = {}): string {
  const query = queryOf(typed, more);
  return query === "" ? PAYMENTS : `${PAYMENTS}?${query}`;
}
