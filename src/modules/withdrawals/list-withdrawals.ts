/**
 * One page of the history of withdrawals, newest first, with the links and markers of every list by
 * time (Decisions 0027 and 0045). An account has few of them beside its payments, so they are
 * counted one by one and `total` is exact.
 */

import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { int } from "../../infra/db/row.ts";
import { ofAccount, within } from "../transactions/count-history.ts";
import { markOf } from "../transactions/history-filter.ts";
import { BadMarker, type Key } from "../transactions/history-marker.ts";
import {
  type AskedPage,
  beyond,
  type FoundPage,
  inOrder,
  pageOf,
  type Slice,
  sliceAtBorder,
  sliceOfPage,
} from "../transactions/history-slice.ts";
import { WITHDRAWAL, WITHDRAWAL_COLUMNS, type WithdrawalRow } from "./withdrawal.ts";
import type { WithdrawalFilter } from "./withdrawal-filter.ts";

export interface WithdrawalPage extends FoundPage {
  readonly rows: readonly WithdrawalRow[];
  /** Which list it is a page of. */
  readonly list: string;
}

export async function listWithdrawals(
  db: Queryable,
  filter: WithdrawalFilter,
  asked: AskedPage,
): Promise<WithdrawalPage> {
  const list = markOf(filter, asked.pageSize);
  const { marker } = asked;
  if (marker !== undefined && marker.list !== list) throw new BadMarker();
  const total = marker?.total ?? (await countRows(db, filter));
  const slice = sliceAtBorder(marker, asked) ?? sliceOfPage(asked);
  if (slice === undefined) return { list, rows: [], keys: [], total, hasOlder: false };
  const found = await findRows(db, filter, slice);
  const byId = new Map(found.map((row) => [row.transaction_id, row]));
  const page = pageOf(slice, found.map(keyOf), asked, total);
  return { ...page, list, rows: page.keys.flatMap(({ id }) => byId.get(id) ?? []) };
}

function findRows(db: Queryable, filter: WithdrawalFilter, slice: Slice): Promise<WithdrawalRow[]> {
  return db.rows(sqlOf(WITHDRAWAL)`
    select ${WITHDRAWAL_COLUMNS} from withdrawals
    where ${fitting(filter)} ${beyond(slice)}
    order by ${inOrder(slice)} offset ${slice.skip} limit ${slice.take}`);
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

function keyOf({ created_at, transaction_id }: WithdrawalRow): Key {
  return { at: created_at, id: transaction_id };
}
