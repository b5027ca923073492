/**
 * The filters of the history (Interface §4.5, Decision 0027): the fields, and what they mean once
 * they are read. Days are whole days in UTC, both included.
 */

import { createHash } from "node:crypto";
import { type Caller, environmentOf } from "../../infra/http/caller.ts";
import { addSeconds, DAY_SECONDS } from "../../kit/clock.ts";
import { FieldRefused, FieldsConflict } from "../../kit/errors.ts";
import { amount } from "../../kit/fields/amount.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { described, field, optional, type Values } from "../../kit/fields/field.ts";
import { asText, text } from "../../kit/fields/text.ts";
import { day } from "../../kit/fields/time.ts";
import { UUID } from "../../kit/ids.ts";
import { CURRENCIES } from "../../kit/money.ts";
import { EXAMPLE } from "../../kit/response-schema.ts";
import { ENVIRONMENTS } from "../../kit/vocabulary.ts";
import { STATUSES } from "./transaction.ts";

export const ORDER_ID_LENGTH_MAX = 64;
/** Interface §2.4: letters, digits, - and _, beginning and ending with neither of the last two. */
export const ORDER_ID = /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/;

const orderId = field(
  { type: "string", maxLength: ORDER_ID_LENGTH_MAX, pattern: ORDER_ID.source },
  (value, name) => {
    const id = asText(value, name);
    if (id.length > ORDER_ID_LENGTH_MAX)
      throw new FieldRefused(
        `The order id must not be longer than ${ORDER_ID_LENGTH_MAX} characters.`,
        { code: "field_too_long" },
      );
    if (!ORDER_ID.test(id)) throw new FieldRefused("The order id format is invalid.");
    return id;
  },
);

const TOTALS_CROSSED = "The total max must not be less than the total min.";
const DAYS_CROSSED = "The end date must not be before the start date.";
/** Refusals of two filters that are valid by themselves. */
export const UNFIT_DAYS = new FieldsConflict(DAYS_CROSSED);
export const UNFIT_FILTERS = [new FieldsConflict(TOTALS_CROSSED), UNFIT_DAYS];

/** Those that every history has. */
export const historyFields = {
  environment: described(
    optional(oneOf(ENVIRONMENTS)),
    "Absent: that of the API key, or live with a bearer token.",
    "sandbox",
  ),
  currency: described(optional(oneOf(CURRENCIES)), "Only those in this currency.", "TTD"),
  start_date: described(optional(day()), "The first day, in UTC.", "2026-11-01"),
  end_date: described(optional(day()), "The last day, in UTC.", "2026-11-30"),
};

/** In the order in which they are judged. */
export const filterFields = {
  environment: historyFields.environment,
  status: described(optional(oneOf(STATUSES)), "Only those with this result.", "success"),
  currency: historyFields.currency,
  order_id: described(optional(orderId), "Every attempt to pay this order.", "order-1"),
  start_date: historyFields.start_date,
  end_date: historyFields.end_date,
  total_min: described(
    optional(amount()),
    "The least total that was asked for, at most 2 decimal places, whatever its currency.",
    "10.00",
  ),
  total_max: described(optional(amount()), "The greatest total that was asked for.", "250.00"),
  payment_link: described(
    optional(text({ max: 36, pattern: UUID })),
    "Only those that this payment link asked for.",
    EXAMPLE.uuid,
  ),
};

export type HistoryFilter = ReturnType<typeof readFilter>;

const NO_TOTAL_IS_GREATER = 2n ** 62n;

export function readFilter(caller: Caller, query: Values<typeof filterFields>) {
  const { total_min, total_max } = query;
  const { from, until } = readDays(query);
  if (total_min !== undefined && total_max !== undefined && total_max < total_min)
    throw new FieldsConflict(TOTALS_CROSSED, "total_max");
  const hasTotals = total_min !== undefined || total_max !== undefined;
  return {
    accountNumber: caller.accountNumber,
    environment: environmentOf(caller, query.environment),
    status: query.status,
    currency: query.currency,
    orderId: query.order_id,
    paymentLink: query.payment_link,
    from,
    until,
    totals: hasTotals
      ? { minMinor: total_min ?? 0n, maxMinor: total_max ?? NO_TOTAL_IS_GREATER }
      : undefined,
  };
}

/** Whole days in UTC, both included, as the midnights around them. */
export function readDays({
  start_date,
  end_date,
}: Pick<Values<typeof historyFields>, "start_date" | "end_date">) {
  if (start_date !== undefined && end_date !== undefined && end_date < start_date)
    throw new FieldsConflict(DAYS_CROSSED, "end_date");
  return {
    from: start_date === undefined ? undefined : midnight(start_date),
    until: end_date === undefined ? undefined : addSeconds(midnight(end_date), DAY_SECONDS),
  };
}

function midnight(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}

/** A short digest of one list: an account, its filters and the size of its pages. */
export function markOf(filter: object, pageSize: number): string {
  const text = JSON.stringify([filter, pageSize], (_name, value) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
  return createHash("sha256").update(text).digest("base64url").slice(0, 8);
}
