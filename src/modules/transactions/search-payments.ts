/**
 * The console's search: one box that finds payments by order, id, e-mail, card or amount, and
 * filters beside it, newest first (Decision 0088).
 *
 * A page is reached by the row it begins behind, so new payments never shift it. There is no number
 * of all that fit unless counting is free; a page may be short of rows and still have a next one,
 * where filters leave few of those that were read.
 */

import type { Queryable } from "../../infra/db/query.ts";
import { HOUR_SECONDS, SECOND_MS } from "../../kit/clock.ts";
import { type Cursor, readCursor, writeCursor } from "../../kit/cursor.ts";
import { TRANSACTION_ID } from "../../kit/ids.ts";
import { runWhenBehind } from "./add-up-counts.ts";
import { countHistory } from "./count-history.ts";
import type { Key, Slice } from "./history-page.ts";
import { findSlice, readRows } from "./list-transactions.ts";
import { type FoundKeys, type SearchFilter, searchKeys } from "./search-keys.ts";
import { readSearchText } from "./search-text.ts";
import type { TransactionRow } from "./transaction.ts";

export interface PaymentSearch extends SearchFilter {
  /** As it was typed. */
  readonly text: string | undefined;
}

export interface SearchPage {
  /** Newest first. */
  readonly rows: readonly TransactionRow[];
  /** Cursors of the pages beside this one; null at an end of the list. */
  readonly next: string | null;
  readonly previous: string | null;
  /** Of all that fit, where that is known without reading them. */
  readonly total: number | undefined;
  /** What was typed begins too many of these to look at them: it has to be longer. */
  readonly tooMany: FoundKeys["tooMany"];
}

export async function searchPayments(
  db: Queryable,
  search: PaymentSearch,
  page: { readonly cursor: string | undefined; readonly pageSize: number },
): Promise<SearchPage> {
  const { pageSize } = page;
  const cursor =
    page.cursor === undefined ? undefined : readCursor(page.cursor, { form: TRANSACTION_ID });
  const towards = cursor?.towards ?? "older";
  const found = await findPayments(db, search, sliceAfter(cursor, towards, pageSize + 1));
  const keys = found.keys.slice(0, pageSize);
  const end = found.keys.length > pageSize ? keys.at(-1) : found.border;
  const beyond = end === undefined ? null : writeCursor({ towards, ...end });
  const listed = towards === "older" ? keys : keys.toReversed();
  // Where the page was entered there are more, or nothing is known of it: the way back is there.
  const entered = back(cursor, towards === "older" ? listed[0] : listed.at(-1));
  return {
    rows: await readRows(db, listed),
    next: towards === "older" ? beyond : entered,
    previous: towards === "older" ? entered : beyond,
    total: await countAll(db, search),
    tooMany: found.tooMany,
  };
}

/** The keys of any slice, in its direction. */
export async function findPayments(
  db: Queryable,
  search: PaymentSearch,
  slice: Slice,
): Promise<FoundKeys> {
  const terms = readSearchText(search.text ?? "");
  if (terms !== undefined || search.statusDescs !== undefined)
    return searchKeys(db, search, terms, slice);
  return { keys: await findSlice(db, search, slice), border: undefined, tooMany: [] };
}

export function sliceAfter(key: Key | undefined, towards: Slice["towards"], take: number): Slice {
  const border = key && { key, isIncluded: false };
  return { towards, border, skip: 0, take };
}

function back(cursor: Cursor | undefined, edge: Key | undefined): string | null {
  if (cursor === undefined) return null;
  const towards = cursor.towards === "older" ? "newer" : "older";
  return writeCursor({ ...cursor, ...edge, towards });
}

/** What days and statuses allow is counted ahead, by whole hours. */
async function countAll(db: Queryable, search: PaymentSearch): Promise<number | undefined> {
  const { text = "", statusDescs, orderId, paymentLink, totals, from, until } = search;
  const isCounted =
    readSearchText(text) === undefined &&
    [statusDescs, orderId, paymentLink, totals].every((one) => one === undefined) &&
    [from, until].every(isWholeHour);
  if (!isCounted) return undefined;
  const { total, changeCount } = await countHistory(db, search);
  await runWhenBehind(db, changeCount);
  return total;
}

function isWholeHour(time: Date | undefined): boolean {
  return time === undefined || time.getTime() % (HOUR_SECONDS * SECOND_MS) === 0;
}
