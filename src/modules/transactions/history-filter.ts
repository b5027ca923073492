/**
 * What a merchant may ask the history for (Interface §4.5, Decision 0027): the fields, and what
 * they mean once they are read. Days are whole days in UTC, both included.
 */

import { createHash } from "node:crypto";
import type { Caller } from "../../infra/http/caller.ts";
import { environmentOf } from "../../infra/http/caller.ts";
import { addSeconds, DAY_SECONDS } from "../../kit/clock.ts";
import { FieldRefused, FieldsConflict } from "../../kit/errors.ts";
import { amount } from "../../kit/fields/amount.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { described, field, optional, type Values } from "../../kit/fields/field.ts";
import { asText } from "../../kit/fields/text.ts";
import { day } from "../../kit/fields/time.ts";
import { CURRENCIES, type Currency } from "../../kit/money.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { ENVIRONMENTS, STATUSES, type TransactionStatus } from "./transaction.ts";

const ORDER_ID_LENGTH_MAX = 64;
/** Interface §2.4: letters, digits, - and _, beginning and ending with neither of the last two. */
const ORDER_ID = /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/;

const orderId = field(
  { type: "string", maxLength: ORDER_ID_LENGTH_MAX, pattern: ORDER_ID.source },
  (value, name) => {
    const given = asText(value, name);
    if (given.length > ORDER_ID_LENGTH_MAX)
      throw new FieldRefused(
        `The order id must not be longer than ${ORDER_ID_LENGTH_MAX} characters.`,
        { code: "field_too_long" },
      );
    if (!ORDER_ID.test(given)) throw new FieldRefused("The order id format is invalid.");
    return given;
  },
);

const TOTALS_CROSSED = "The total max must not be less than the total min.";
const DAYS_CROSSED = "The end date must not be before the start date.";
/** What may be said of two filters that are good by themselves. */
export const UNFIT_DAYS = new FieldsConflict(DAYS_CROSSED);
export const UNFIT_FILTERS = [new FieldsConflict(TOTALS_CROSSED), UNFIT_DAYS];

export const filterFields = {
  environment: described(
    optional(oneOf(ENVIRONMENTS)),
    "Absent: that of the API key, or live with a bearer token.",
    "sandbox",
  ),
  status: described(optional(oneOf(STATUSES)), "Only those with this result.", "success"),
  currency: described(optional(oneOf(CURRENCIES)), "Only those in this currency.", "TTD"),
  order_id: described(optional(orderId), "Every attempt to pay this order.", "order-1"),
  start_date: described(optional(day()), "The first day, in UTC.", "2026-11-01"),
  end_date: described(optional(day()), "The last day, in UTC.", "2026-11-30"),
  total_min: described(
    optional(amount()),
    "The least total that was asked for, at most 2 decimal places, whatever its currency.",
    "10.00",
  ),
  total_max: described(optional(amount()), "The greatest total that was asked for.", "250.00"),
};

/** Whose transactions, and which of those that are counted ahead. */
export interface HistoryScope {
  readonly accountNumber: string;
  readonly environment: Environment;
  readonly status: TransactionStatus | undefined;
  readonly currency: Currency | undefined;
}

export interface HistoryFilter extends HistoryScope {
  readonly orderId: string | undefined;
  /** Midnights: from the one, until before the other. */
  readonly from: Date | undefined;
  readonly until: Date | undefined;
  readonly totals: { readonly minMinor: bigint; readonly maxMinor: bigint } | undefined;
}

const NO_TOTAL_IS_GREATER = 2n ** 62n;

export function readFilter(caller: Caller, given: Values<typeof filterFields>): HistoryFilter {
  const { total_min, total_max } = given;
  const days = readDays(given);
  if (total_min !== undefined && total_max !== undefined && total_max < total_min)
    throw new FieldsConflict(TOTALS_CROSSED, "total_max");
  const hasTotals = total_min !== undefined || total_max !== undefined;
  return {
    accountNumber: caller.accountNumber,
    environment: environmentOf(caller, given.environment),
    status: given.status,
    currency: given.currency,
    orderId: given.order_id,
    ...days,
    totals: hasTotals
      ? { minMinor: total_min ?? 0n, maxMinor: total_max ?? NO_TOTAL_IS_GREATER }
      : undefined,
  };
}

/** Whole days in UTC, both included, as the midnights around them. */
export function readDays(given: {
  readonly start_date: string | undefined;
  readonly end_date: string | undefined;
}): { from: Date | undefined; until: Date | undefined } {
  const { start_date, end_date } = given;
  if (start_date !== undefined && end_date !== undefined && end_date < start_date)
    throw new FieldsConflict(DAYS_CROSSED, "end_date");
  return {
    from: start_date === undefined ? undefined : midnight(start_date),
    until: end_date === undefined ? undefined : addSeconds(midnight(end_date), DAY_SECONDS),
  };
}

function midnight(given: string): Date {
  return new Date(`${given}T00:00:00Z`);
}

/** A short mark of one list: the same filters of the same account, cut into the same pages. */
export function markOf(filter: object, pageSize: number): string {
  const text = JSON.stringify([filter, pageSize], (_name, value) =>
    typeof value === "bigint" ? `${value}n` : value,
  );
  return createHash("sha256").update(text).digest("base64url").slice(0, 8);
}
