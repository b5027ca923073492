/**
 * What the links of the history carry as `as_of`: a place in the list, and how long the list was
 * when the walk began (Decision 0027).
 *
 * The rule that matters: a place is a row, not a number of rows. However many rows come while
 * somebody walks, the page after that row is the page after that row. The text is opaque, bound to
 * its filters and worth nothing to others: whoever forges one sees another part of their own list.
 */

import { FieldRefused } from "../../kit/errors.ts";
import { described, field, optional } from "../../kit/fields/field.ts";
import { asText } from "../../kit/fields/text.ts";

/** A row, by what the list is ordered by. */
export interface Key {
  readonly at: Date;
  readonly id: string;
}

export interface Marker {
  /** The list it belongs to. */
  readonly list: string;
  readonly total: number;
  /** Absent: the places are counted from the oldest row, which stays where it is. */
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

const MARKER_LENGTH_MAX = 200;
/** Years of four digits: no row is of another, and not every number is a time to PostgreSQL. */
const TIME_MS = { min: Date.UTC(1000, 0, 1), max: Date.UTC(9999, 11, 31) };
const PLACE = "(?<page>\\d{1,11}) (?<side>o|n) (?<at>-?\\d{1,15}) (?<id>[A-Z0-9-]{29,32})";
const PARTS = new RegExp(`^1 (?<list>[\\w-]{8}) (?<total>\\d{1,11})(?: ${PLACE})?$`);

export const asOfField = described(
  optional(
    field({ type: "string" }, (value, name) => {
      const given = asText(value, name);
      const marker = given.length > MARKER_LENGTH_MAX ? undefined : parseMarker(given);
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

export function writeMarker({ list, total, border }: Marker): string {
  const place =
    border === undefined
      ? []
      : [border.page, border.keyIs === "older" ? "o" : "n", border.key.at.getTime(), border.key.id];
  return Buffer.from(["1", list, total, ...place].join(" ")).toString("base64url");
}

function parseMarker(given: string): Marker | undefined {
  const parts = PARTS.exec(Buffer.from(given, "base64url").toString("latin1"))?.groups;
  if (parts === undefined) return undefined;
  const { list = "", total, page, side, at, id } = parts;
  const time = new Date(Number(at));
  if (id === undefined) return { list, total: Number(total), border: undefined };
  if (!(Number(at) >= TIME_MS.min && Number(at) <= TIME_MS.max)) return undefined;
  const keyIs = side === "o" ? "older" : "newer";
  return {
    list,
    total: Number(total),
    border: { page: Number(page), keyIs, key: { at: time, id } },
  };
}
