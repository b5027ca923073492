/**
 * One page of the history of withdrawals, newest first (Interface §4.3, Decisions 0027 and 0045):
 * its filters, and the rows that fit them. Filters combine; a repeated one means any of its values.
 * An account has few withdrawals beside its payments, so they are counted and `total` is exact.
 */

import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { int } from "../../infra/db/row.ts";
import { type Caller, environmentOf } from "../../infra/http/caller.ts";
import { FieldsConflict } from "../../kit/errors.ts";
import { amount } from "../../kit/fields/amount.ts";
import { anyOf } from "../../kit/fields/choice.ts";
import { described, optional, type Values, withDefault } from "../../kit/fields/field.ts";
import { flag } from "../../kit/fields/flag.ts";
import { text } from "../../kit/fields/text.ts";
import { TRANSACTION_ID } from "../../kit/ids.ts";
import { EXAMPLE } from "../../kit/response-schema.ts";
import { ofAccount, within } from "../transactions/count-history.ts";
import { historyFields, markOf, readDays, UNFIT_DAYS } from "../transactions/history-filter.ts";
import {
  BadMarker,
  beyond,
  type FoundPage,
  inOrder,
  type PageRequest,
  pageOf,
  sliceAtBorder,
  sliceOfPage,
} from "../transactions/history-page.ts";
import {
  STATUS_NAMES,
  WITHDRAWAL,
  WITHDRAWAL_COLUMNS,
  WITHDRAWAL_TYPES,
  type WithdrawalRow,
} from "./withdrawal.ts";

const ID_LENGTH_MAX = 64;
/** Banks write references in capitals, too. */
const REFERENCE = /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;

const AMOUNTS_CROSSED = "The amount max must not be less than the amount min.";
/** Refusals of two filters that are valid by themselves. */
export const UNFIT_FILTERS = [new FieldsConflict(AMOUNTS_CROSSED), UNFIT_DAYS];

/** In the order in which they are judged. */
export const filterFields = {
  environment: historyFields.environment,
  currency: historyFields.currency,
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
  start_date: historyFields.start_date,
  end_date: historyFields.end_date,
  with_deleted: described(
    withDefault(flag(), false),
    "Whether those that were cancelled are shown too.",
    true,
  ),
};

type WithdrawalFilter = ReturnType<typeof readWithdrawalFilter>;

export function readWithdrawalFilter(caller: Caller, query: Values<typeof filterFields>) {
  const { amount_min: minMinor, amount_max: maxMinor } = query;
  if (minMinor !== undefined && maxMinor !== undefined && maxMinor < minMinor)
    throw new FieldsConflict(AMOUNTS_CROSSED, "amount_max");
  return {
    accountNumber: caller.accountNumber,
    environment: environmentOf(caller, query.environment),
    currency: query.currency,
    types: unlessEmpty(query.withdrawal_type),
    statuses: unlessEmpty(query.status),
    minMinor,
    maxMinor,
    reference: query.reference,
    transactionId: query.transaction_id,
    ...readDays(query),
    withDeleted: query.with_deleted,
  };
}

/** `status=` alone is no filter, as an empty text never is. */
function unlessEmpty<T>(values: readonly T[] | undefined): readonly T[] | undefined {
  return values?.length === 0 ? undefined : values;
}

interface WithdrawalPage extends FoundPage {
  readonly rows: readonly WithdrawalRow[];
  /** Which list it is a page of. */
  readonly list: string;
}

export async function listWithdrawals(
  db: Queryable,
  filter: WithdrawalFilter,
  request: PageRequest,
): Promise<WithdrawalPage> {
  const list = markOf(filter, request.pageSize);
  const { marker } = request;
  if (marker !== undefined && marker.list !== list) throw new BadMarker();
  const total = marker?.total ?? (await countRows(db, filter));
  const slice = sliceAtBorder(request) ?? sliceOfPage(request);
  if (slice === undefined) return { list, rows: [], keys: [], total, hasOlder: false };
  const found = await db.rows(sqlOf(WITHDRAWAL)`
    select ${WITHDRAWAL_COLUMNS} from withdrawals
    where ${fitting(filter)} ${beyond(slice)}
    order by ${inOrder(slice)} offset ${slice.skip} limit ${slice.take}`);
  const byId = new Map(found.map((row) => [row.transaction_id, row]));
  const keys = found.map((row) => ({ at: row.created_at, id: row.transaction_id }));
  const page = pageOf(slice, keys, request, total);
  return { ...page, list, rows: page.keys.flatMap(({ id }) => byId.get(id) ?? []) };
}

async function countRows(db: Queryable, filter: WithdrawalFilter): Promise<number> {
  const { count } = await db.one(sqlOf({ count: int })`
    select count(*)::int as count from withdrawals where ${fitting(filter)}`);
  return count;
}

function fitting(filter: WithdrawalFilter): Sql {
  const { currency, types, statuses, minMinor, maxMinor, reference, transactionId } = filter;
  const when = (value: unknown, condition: Sql) => (value === undefined ? sql`` : condition);
  return sql`${ofAccount(filter)} ${within(sql`created_at`, filter.from, filter.until)}
    ${filter.withDeleted ? sql`` : sql`and deleted_at is null`}
    ${when(currency, sql`and currency = ${currency}`)}
    ${when(types, sql`and withdrawal_type = any(${types}::text[])`)}
    ${when(statuses, sql`and status = any(${statuses}::text[])`)}
    ${when(minMinor, sql`and amount_minor >= ${minMinor}`)}
    ${when(maxMinor, sql`and amount_minor <= ${maxMinor}`)}
    ${when(reference, sql`and reference = ${reference}::uuid`)}
    ${when(transactionId, sql`and transaction_id = ${transactionId}`)}`;
}
