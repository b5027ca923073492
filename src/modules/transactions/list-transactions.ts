/**
 * One page of the history, newest first (Interface §4.5, Decision 0027).
 *
 * There are three kinds of lists. What only status, currency and days narrow is counted ahead:
 * `total` is exact and every page is found by counts. An order, or totals that few rows have, are
 * read row by row: exact as well. Totals that many rows have are read in the order of time: `total`
 * is then what is known so far, and `links.next` says whether there is more.
 */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { runWhenBehind } from "./add-up-counts.ts";
import { type Counted, countHistory, locatePage, monthsOf } from "./count-history.ts";
import { type HistoryFilter, markOf } from "./history-filter.ts";
import { countKeys, findKeys, findKeysByTotal, type Way } from "./history-keys.ts";
import {
  BadMarker,
  type FoundPage,
  type Key,
  type PageRequest,
  pageOf,
  type Slice,
  sliceAtBorder,
  sliceOfPage,
} from "./history-page.ts";
import { TRANSACTION, TRANSACTION_COLUMNS, type TransactionRow } from "./transaction.ts";

/** Skipping so many rows takes no longer than finding the page by counts. */
const ROWS_PASSED_OVER_MAX = 1_000;
/** Reading and sorting so many rows about doubles the time of a request. */
const CANDIDATES_MAX = 1_000;
/** In a list that is no longer than this, what fits is counted one by one. */
const COUNTED_ONE_BY_ONE_MAX = 10_000;
/** A status or currency that is as rare as this narrows a list more than totals do. */
const RARE = 1 / 50;

export async function listTransactions(
  db: Queryable,
  filter: HistoryFilter,
  request: PageRequest,
): Promise<FoundPage> {
  const { marker, page, pageSize } = request;
  if (marker !== undefined && marker.list !== markOf(filter, pageSize)) throw new BadMarker();
  if (isFew(filter) || filter.totals !== undefined) return listSearched(db, filter, request);
  const near = sliceAtBorder(request);
  if (near !== undefined && near.skip <= ROWS_PASSED_OVER_MAX)
    return pageOf(near, await findKeys(db, filter, near), request, marker?.total ?? 0);
  const counted = await countHistory(db, filter);
  await runWhenBehind(db, counted.changeCount);
  const total = marker?.total ?? counted.total;
  const slice = await sliceByCounts(db, filter, counted, { total, page, pageSize });
  if (slice === undefined) return { keys: [], total, hasOlder: false };
  return pageOf(slice, await findKeys(db, filter, slice), request, total);
}

/** The keys of any slice, for a walk through the whole list, which needs no numbers. */
export async function findSlice(
  db: Queryable,
  filter: HistoryFilter,
  slice: Slice,
): Promise<Key[]> {
  if (filter.totals === undefined) return findKeys(db, filter, slice);
  return (await search(db, filter, slice)).keys;
}

/** What one order or one payment link has, which an index leads to. */
function isFew({ orderId, paymentLink }: HistoryFilter): boolean {
  return orderId !== undefined || paymentLink !== undefined;
}

/** Lists whose length is not known ahead. */
async function listSearched(
  db: Queryable,
  filter: HistoryFilter,
  request: PageRequest,
): Promise<FoundPage> {
  const slice = sliceAtBorder(request) ?? sliceOfPage(request, COUNTED_ONE_BY_ONE_MAX);
  if (slice === undefined) return { keys: [], total: request.marker?.total ?? 0, hasOlder: false };
  const found = await search(db, filter, slice);
  return pageOf(slice, found.keys, request, request.marker?.total ?? found.total);
}

async function search(
  db: Queryable,
  filter: HistoryFilter,
  slice: Slice,
): Promise<{ keys: Key[]; total: number }> {
  if (isFew(filter)) {
    const total = await countKeys(db, filter, COUNTED_ONE_BY_ONE_MAX);
    return { keys: await findKeys(db, filter, slice), total };
  }
  const counted = await countHistory(db, filter);
  const limits = { months: monthsOf(counted), candidatesMax: CANDIDATES_MAX };
  const byTotal = await findKeysByTotal(db, filter, slice, limits);
  if (byTotal !== undefined) return byTotal;
  const way: Way = counted.total < counted.totalOfAll * RARE ? "by status" : "by total";
  const keys = await findKeys(db, filter, slice, way);
  if (counted.total <= COUNTED_ONE_BY_ONE_MAX)
    return { keys, total: await countKeys(db, filter, COUNTED_ONE_BY_ONE_MAX, way) };
  const { status, currency, from, until } = filter;
  const isNarrowed = [status, currency, from, until].some((one) => one !== undefined);
  return { keys, total: isNarrowed ? 0 : CANDIDATES_MAX };
}

/** From the nearer end, or from the hour that counting leads to. */
async function sliceByCounts(
  db: Queryable,
  filter: HistoryFilter,
  counted: Counted,
  { total, page, pageSize }: { total: number; page: number; pageSize: number },
): Promise<Slice | undefined> {
  const offset = (page - 1) * pageSize;
  const size = Math.min(pageSize, total - offset);
  if (size <= 0) return undefined;
  // Rows that came since then are at the newer end; from the older one nothing has moved.
  const rowsNewer = offset + Math.max(0, counted.total - total);
  const rowsOlder = total - offset - size;
  if (rowsNewer <= ROWS_PASSED_OVER_MAX)
    return { towards: "older", border: undefined, skip: rowsNewer, take: pageSize + 1 };
  if (rowsOlder <= ROWS_PASSED_OVER_MAX)
    return { towards: "newer", border: undefined, skip: rowsOlder, take: size };
  const located = await locatePage(db, filter, counted, rowsNewer);
  return located && { towards: "older", border: undefined, take: pageSize + 1, ...located };
}

/** The records of a few keys, in the order of the keys. */
export async function readRows(db: Queryable, keys: readonly Key[]): Promise<TransactionRow[]> {
  if (keys.length === 0) return [];
  const rows = await db.rows(sqlOf(TRANSACTION)`
    select ${TRANSACTION_COLUMNS} from transactions
    where transaction_id = any(${keys.map(({ id }) => id)}::text[])`);
  const byId = new Map(rows.map((row) => [row.transaction_id, row]));
  return keys.flatMap(({ id }) => byId.get(id) ?? []);
}
