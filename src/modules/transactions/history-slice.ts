/**
 * Where a page of a list by time begins and ends: slices of the list, entered beside a row that a
 * link named or counted from an end (Decision 0027). Shared by every list of this kind.
 */

import { type Sql, sql } from "../../infra/db/query.ts";
import type { Key, Marker } from "./history-marker.ts";

export interface AskedPage {
  readonly page: number;
  readonly pageSize: number;
  readonly marker: Marker | undefined;
}

export interface FoundPage {
  /** Newest first. */
  readonly keys: readonly Key[];
  readonly total: number;
  readonly hasOlder: boolean;
}

/** A stretch of the list, seen from where it is entered. */
export interface Slice {
  /** `older`: from the newest row, or from the border, downwards. `newer`: upwards. */
  readonly towards: "older" | "newer";
  /** Where it is entered; absent: at the end of the list. */
  readonly border: { readonly key: Key; readonly isIncluded: boolean } | undefined;
  /** Only rows created before this, when the place was found by counting. */
  readonly until?: Date;
  readonly skip: number;
  readonly take: number;
}

/** Beside the row that the marker names; undefined when it names none. */
export function sliceAtBorder(
  marker: Marker | undefined,
  { page, pageSize }: AskedPage,
): Slice | undefined {
  if (marker?.border === undefined) return undefined;
  const { page: firstOlder, key, keyIs } = marker.border;
  if (page >= firstOlder)
    return {
      towards: "older",
      border: { key, isIncluded: keyIs === "older" },
      skip: (page - firstOlder) * pageSize,
      take: pageSize + 1,
    };
  return {
    towards: "newer",
    border: { key, isIncluded: keyIs === "newer" },
    skip: (firstOlder - 1 - page) * pageSize,
    take: pageSize,
  };
}

/** By its number alone, from the end that the marker counts from; undefined past the end. */
export function sliceOfPage(
  { page, pageSize, marker }: AskedPage,
  offsetMax = Number.POSITIVE_INFINITY,
): Slice | undefined {
  const offset = (page - 1) * pageSize;
  if (marker === undefined)
    return offset > offsetMax
      ? undefined
      : { towards: "older", border: undefined, skip: offset, take: pageSize + 1 };
  const take = Math.min(pageSize, marker.total - offset);
  if (take <= 0) return undefined;
  return { towards: "newer", border: undefined, skip: marker.total - offset - take, take };
}

export function pageOf(slice: Slice, found: Key[], asked: AskedPage, total: number): FoundPage {
  const { page, pageSize } = asked;
  const isDown = slice.towards === "older";
  const keys = isDown ? found.slice(0, pageSize) : found.toReversed();
  // Upwards we come from older rows, unless we began at the oldest.
  const hasOlder = isDown ? found.length > pageSize : slice.border !== undefined || slice.skip > 0;
  const shown = (page - 1) * pageSize + keys.length + (hasOlder ? 1 : 0);
  return { keys, hasOlder, total: keys.length === 0 ? total : Math.max(total, shown) };
}

export function inOrder({ towards }: Slice): Sql {
  return towards === "older"
    ? sql`created_at desc, transaction_id desc`
    : sql`created_at, transaction_id`;
}

export function beyond({ border, towards }: Slice): Sql {
  if (border === undefined) return sql``;
  const { key, isIncluded } = border;
  const row = sql`(${key.at}::timestamptz, ${key.id}::text collate "C")`;
  if (towards === "older")
    return isIncluded
      ? sql`and (created_at, transaction_id) <= ${row}`
      : sql`and (created_at, transaction_id) < ${row}`;
  return isIncluded
    ? sql`and (created_at, transaction_id) >= ${row}`
    : sql`and (created_at, transaction_id) > ${row}`;
}
