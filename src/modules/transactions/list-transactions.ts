/**
 * One page of the history, newest first (Interface §4.5, Decision 0027).
 *
 * There are three kinds of lists. What only status, currency and days narrow is counted ahead:
 * `total` is exact and every page is found by counts. An order or totals that lead to few rows are
 * looked at one by one: exact as well. Totals that many rows have are read in the order of time:
 * `total` is then what is known so far, and `links.next` tells whether there is more.
 */

import type { Queryable } from "../../infra/db/query.ts";
import { runWhenBehind } from "./add-up-counts.ts";
import { type Counted, countHistory } from "./count-history.ts";
import { type HistoryFilter, markOf } from "./history-filter.ts";
import { countKeys, findKeys, findKeysByTotal, type Way } from "./history-keys.ts";
import { BadMarker, type Key } from "./history-marker.ts";
import {
  type AskedPage,
  type FoundPage,
  pageOf,
  type Slice,
  sliceAtBorder,
  sliceOfPage,
} from "./history-slice.ts";
import { locatePage } from "./locate-page.ts";

/** So many rows are passed over as quickly as a place is found by counts. */
const ROWS_PASSED_OVER_MAX = 1_000;
/** So many rows are read and sorted in about as long as a request takes without them. */
const CANDIDATES_MAX = 1_000;
/** In a list that is no longer than this, what fits is counted one by one. */
const COUNTED_ONE_BY_ONE_MAX = 10_000;
/** A status or currency that is as rare as this narrows a list more than totals do. */
const RARE = 1 / 50;

export async function listTransactions(
  db: Queryable,
  filter: HistoryFilter,
  asked: AskedPage,
): Promise<FoundPage> {
  const { marker, page, pageSize } = asked;
  if (marker !== undefined && marker.list !== markOf(filter, pageSize)) throw new BadMarker();
  if (filter.orderId !== undefined || filter.totals !== undefined)
    return listSearched(db, filter, asked);
  const near = marker && sliceAtBorder(marker, asked);
  if (near !== undefined && near.skip <= ROWS_PASSED_OVER_MAX)
    return pageOf(near, await findKeys(db, filter, near), asked, marker?.total ?? 0);
  const counted = await countHistory(db, filter);
  await runWhenBehind(db, counted.changeCount);
  const total = marker?.total ?? counted.total;
  const slice = await sliceByCounts(db, filter, counted, { total, page, pageSize });
  if (slice === undefined) return { keys: [], total, hasOlder: false };
  return pageOf(slice, await findKeys(db, filter, slice), asked, total);
}

/** The rows of any slice, for whoever walks the whole list and needs no numbers. */
export async function findSlice(
  db: Queryable,
  filter: HistoryFilter,
  slice: Slice,
): Promise<Key[]> {
  if (filter.totals === undefined) return findKeys(db, filter, slice);
  return (await search(db, filter, slice)).keys;
}

/** Lists whose length is not known ahead. */
async function listSearched(
  db: Queryable,
  filter: HistoryFilter,
  asked: AskedPage,
): Promise<FoundPage> {
  const slice = sliceAtBorder(asked.marker, asked) ?? sliceOfPage(asked, COUNTED_ONE_BY_ONE_MAX);
  if (slice === undefined) return { keys: [], total: asked.marker?.total ?? 0, hasOlder: false };
  const found = await search(db, filter, slice);
  return pageOf(slice, found.keys, asked, asked.marker?.total ?? found.total);
}

async function search(
  db: Queryable,
  filter: HistoryFilter,
  slice: Slice,
): Promise<{ keys: Key[]; total: number }> {
  if (filter.orderId !== undefined) {
    const total = await countKeys(db, filter, COUNTED_ONE_BY_ONE_MAX);
    return { keys: await findKeys(db, filter, slice), total };
  }
  const counted = await countHistory(db, filter);
  const months = monthsOf(counted);
  const byTotal = await findKeysByTotal(db, filter, slice, {
    months,
    candidatesMax: CANDIDATES_MAX,
  });
  if (byTotal !== undefined) return byTotal;
  const way: Way = counted.total < counted.totalOfAll * RARE ? "by status" : "by total";
  const keys = await findKeys(db, filter, slice, way);
  if (counted.total <= COUNTED_ONE_BY_ONE_MAX)
    return { keys, total: await countKeys(db, filter, COUNTED_ONE_BY_ONE_MAX, way) };
  return { keys, total: hasOtherFilters(filter) ? 0 : CANDIDATES_MAX };
}

/** Those in which anything could fit, as `2026-11-01`. */
function monthsOf({ spans }: Counted): string[] {
  return [...new Set(spans.map(({ from }) => `${from.toISOString().slice(0, 7)}-01`))];
}

function hasOtherFilters({ status, currency, from, until }: HistoryFilter): boolean {
  return [status, currency, from, until].some((one) => one !== undefined);
}

/** From the nearer end, or from the hour that counting leads to. */
async function sliceByCounts(
  db: Queryable,
  filter: HistoryFilter,
  counted: Counted,
  asked: { total: number; page: number; pageSize: number },
): Promise<Slice | undefined> {
  const { total, page, pageSize } = asked;
  const offset = (page - 1) * pageSize;
  const size = Math.min(pageSize, total - offset);
  if (size <= 0) return undefined;
  // Rows that came since then are at the newer end; from the older one the places are the same.
  const rowsNewer = offset + Math.max(0, counted.total - total);
  const rowsOlder = total - offset - size;
  if (rowsNewer <= ROWS_PASSED_OVER_MAX)
    return { towards: "older", border: undefined, skip: rowsNewer, take: pageSize + 1 };
  if (rowsOlder <= ROWS_PASSED_OVER_MAX)
    return { towards: "newer", border: undefined, skip: rowsOlder, take: size };
  const place = await locatePage(db, filter, counted, rowsNewer);
  return place && { towards: "older", border: undefined, take: pageSize + 1, ...place };
}
