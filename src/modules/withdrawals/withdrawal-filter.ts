/**
 * What the history of withdrawals may be asked for (Interface §4.3, Decision 0045): the fields, and
 * what they mean once they are read. Filters combine; a repeated one means any of its values.
 */

import { type Caller, environmentOf } from "../../infra/http/caller.ts";
import { FieldsConflict } from "../../kit/errors.ts";
import { amount } from "../../kit/fields/amount.ts";
import { anyOf, oneOf } from "../../kit/fields/choice.ts";
import { described, optional, type Values, withDefault } from "../../kit/fields/field.ts";
import { flag } from "../../kit/fields/flag.ts";
import { text } from "../../kit/fields/text.ts";
import { day } from "../../kit/fields/time.ts";
import { TRANSACTION_ID } from "../../kit/ids.ts";
import { CURRENCIES, type Currency } from "../../kit/money.ts";
import { EXAMPLE } from "../../kit/response-schema.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { readDays, UNFIT_DAYS } from "../transactions/history-filter.ts";
import { ENVIRONMENTS } from "../transactions/transaction.ts";
import { WITHDRAWAL_TYPES, type WithdrawalType } from "./withdrawal.ts";
import { STATUS_NAMES, type WithdrawalStatus } from "./withdrawal-status.ts";

const ID_LENGTH_MAX = 64;
/** Banks write what they know it by in capitals, too. */
const REFERENCE = /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;

const AMOUNTS_CROSSED = "The amount max must not be less than the amount min.";
/** What may be said of two filters that are good by themselves. */
export const UNFIT_FILTERS = [new FieldsConflict(AMOUNTS_CROSSED), UNFIT_DAYS];

export const filterFields = {
  environment: described(
    optional(oneOf(ENVIRONMENTS)),
    "Absent: that of the API key, or live with a bearer token.",
    "sandbox",
  ),
  currency: described(optional(oneOf(CURRENCIES)), "Only those in this currency.", "TTD"),
  withdrawal_type: described(optional(anyOf(WITHDRAWAL_TYPES)), "May be repeated: any of them.", [
    "normal",
  ]),
  status: described(optional(anyOf(STATUS_NAMES)), "May be repeated: any of them.", [
    "pending",
    "processing",
  ]),
  amount_min: described(
    optional(amount()),
    "The least amount, at most 2 decimal places, whatever its currency.",
    "10.00",
  ),
  amount_max: described(optional(amount()), "The greatest amount.", "250.00"),
  reference: described(
    optional(text({ max: ID_LENGTH_MAX, pattern: REFERENCE })),
    "The one that the bank knows by this reference.",
    EXAMPLE.uuid,
  ),
  transaction_id: described(
    optional(text({ max: ID_LENGTH_MAX, pattern: TRANSACTION_ID })),
    "The one of this id.",
    EXAMPLE.transactionId,
  ),
  start_date: described(optional(day()), "The first day, in UTC.", "2026-11-01"),
  end_date: described(optional(day()), "The last day, in UTC.", "2026-11-30"),
  with_deleted: described(
    withDefault(flag(), false),
    "Whether those that were cancelled are shown too.",
    true,
  ),
};

export interface WithdrawalFilter {
  readonly accountNumber: string;
  readonly environment: Environment;
  readonly currency: Currency | undefined;
  readonly types: readonly WithdrawalType[] | undefined;
  readonly statuses: readonly WithdrawalStatus[] | undefined;
  readonly minMinor: bigint | undefined;
  readonly maxMinor: bigint | undefined;
  readonly reference: string | undefined;
  readonly transactionId: string | undefined;
  /** Midnights: from the one, until before the other. */
  readonly from: Date | undefined;
  readonly until: Date | undefined;
  readonly withDeleted: boolean;
}

export function readWithdrawalFilter(
  caller: Caller,
  given: Values<typeof filterFields>,
): WithdrawalFilter {
  const { amount_min: minMinor, amount_max: maxMinor } = given;
  if (minMinor !== undefined && maxMinor !== undefined && maxMinor < minMinor)
    throw new FieldsConflict(AMOUNTS_CROSSED, "amount_max");
  return {
    accountNumber: caller.accountNumber,
    environment: environmentOf(caller, given.environment),
    currency: given.currency,
    types: someOf(given.withdrawal_type),
    statuses: someOf(given.status),
    minMinor,
    maxMinor,
    reference: given.reference,
    transactionId: given.transaction_id,
    ...readDays(given),
    withDeleted: given.with_deleted,
  };
}

/** `status=` alone says nothing, as an empty text never does. */
function someOf<T>(given: readonly T[] | undefined): readonly T[] | undefined {
  return given === undefined || given.length === 0 ? undefined : given;
}
