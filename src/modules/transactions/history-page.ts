/**
 * Pages of a list by time (Decisions 0004 and 0027): what a link carries as `as_of`, which slice
 * of the list a page is, and the body that is sent. Shared by transactions and withdrawals.
 *
 * A marker names a row, not a number of rows, so new rows never shift the pages of a walk. Its
 * text is opaque and bound to the filters; a forged one shows another part of the caller's own
 * list.
 */

import { raw } from "sql-template-tag";
import { type Sql, sql } from "../../infra/db/query.ts";
import { FieldRefused } from "../../kit/errors.ts";
import { described, field, optional } from "../../kit/fields/field.ts";
import { asText } from "../../kit/fields/text.ts";
import { linkTo, PAGE_MAX, type PageBody } from "../../kit/page.ts";

/** A row, by what the list is ordered by. */
export interface Key {
  readonly at: Date;
  readonly id: string;
}

interface Marker {
  /** The list it belongs to. */
  readonly list: string;
  /** How long the list was when the walk began. */
  readonly total: number;
  /** Absent: positions are counted from the oldest row, which stays where it is. */
  readonly border:
    | {
        /** The first page on the older side. */
        readonly page: number;
        readonly key: Key;
        /** On which side the row itself stands. */
        readonly keyIs: "older" | "newer";
      }
    | undefined;
}

export interface PageRequest {
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
  /** Only rows created before this, when the position was found by counting. */
  readonly until?: Date;
  readonly skip: number;
  readonly take: number;
}

const MARKER_LENGTH_MAX = 200;
/** Years of four digits: no row has another, and not every number is a time to PostgreSQL. */
const TIME_MS = { min: Date.UTC(1000, 0, 1), max: Date.UTC(9999, 11, 31) };
const BORDER = "(?<page>\\d{1,11}) (?<side>o|n) (?<at>-?\\d{1,15}) (?<id>[A-Z0-9-]{29,32})";
const PARTS = new RegExp(`^1 (?<list>[\\w-]{8}) (?<total>\\d{1,11})(?: ${BORDER})?$`);

export const asOfField = described(
  optional(
    field({ type: "string" }, (value, name) => {
      const written = asText(value, name);
      const marker = written.length > MARKER_LENGTH_MAX ? undefined : parseMarker(written);
      if (marker === undefined) throw new BadMarker();
      return marker;
    }),
  ),
  "Taken from a link of an earlier answer: the pages are those of that moment, and no row is " +
    "missed or repeated while new ones come.",
  writeMarker({ list: "AAAAAAAA", total: 41, border: undefined }),
);

export class BadMarker extends FieldRefused {
  constructor() {
    super("The as of must come from a link of this list.");
  }
}

function writeMarker({ list, total, border }: Marker): string {
  const parts = ["1", list, total];
  if (border !== undefined) {
    const { page, key, keyIs } = border;
    parts.push(page, keyIs === "older" ? "o" : "n", key.at.getTime(), key.id);
  }
  return Buffer.from(parts.join(" ")).toString("base64url");
}

function parseMarker(written: string): Marker | undefined {
  const parts = PARTS.exec(Buffer.from(written, "base64url").toString("latin1"))?.groups;
  if (parts === undefined) return undefined;
  const { list = "", id } = parts;
  const total = Number(parts.total);
  if (id === undefined) return { list, total, border: undefined };
  const at = Number(parts.at);
  if (!(at >= TIME_MS.min && at <= TIME_MS.max)) return undefined;
  const keyIs = parts.side === "o" ? "older" : "newer";
  return {
    list,
    total,
    border: { page: Number(parts.page), keyIs, key: { at: new Date(at), id } },
  };
}

/** Beside the row that the marker names; undefined when it names none. */
export function sliceAtBorder({ page, pageSize, marker }: PageRequest): Slice | undefined {
  if (marker?.border === undefined) return undefined;
  const { page: firstOlder, key, keyIs } = marker.border;
  const towards = page >= firstOlder ? "older" : "newer";
  const isOlder = towards === "older";
  return {
    towards,
    border: { key, isIncluded: keyIs === towards },
    skip: (isOlder ? page - firstOlder : firstOlder - 1 - page) * pageSize,
    take: isOlder ? pageSize + 1 : pageSize,
  };
}

/** By its number alone, from the end that the marker counts from; undefined past the end. */
export function sliceOfPage(
  { page, pageSize, marker }: PageRequest,
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

export function pageOf(slice: Slice, found: Key[], request: PageRequest, total: number): FoundPage {
  const { page, pageSize } = request;
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
  const operator = raw((towards === "older" ? "<" : ">") + (isIncluded ? "=" : ""));
  return sql`and (created_at, transaction_id)
    ${operator} (${key.at}::timestamptz, ${key.id}::text collate "C")`;
}

export function historyBody<Row>(
  { page, pageSize }: PageRequest,
  { keys, total, hasOlder }: FoundPage,
  shown: { rows: readonly Row[]; list: string; url: string },
): PageBody<Row> {
  const lastPage = Math.max(1, Math.ceil(total / pageSize));
  const page_size = pageSize;
  const link = (to: number, border: Marker["border"]) => {
    const as_of = writeMarker({ list: shown.list, total, border });
    return linkTo(shown.url, { page: to, page_size, as_of });
  };
  const first = keys[0];
  const last = keys.at(-1);
  const newer = first && { page, key: first, keyIs: "older" as const };
  const older = last && { page: page + 1, key: last, keyIs: "newer" as const };
  return {
    message: "OK",
    data: shown.rows,
    meta: { page, page_size, total, last_page: lastPage },
    links: {
      // A walk that begins again begins with what is new.
      first: linkTo(shown.url, { page: 1, page_size, as_of: undefined }),
      prev: page > 1 ? link(Math.min(page - 1, lastPage), newer) : null,
      next: hasOlder && page < PAGE_MAX ? link(page + 1, older) : null,
      last: link(Math.min(lastPage, PAGE_MAX), undefined),
    },
  };
}
