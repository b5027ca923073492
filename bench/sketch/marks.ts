/**
 * What differs from payment to payment: seen in a few of them, made anew for each further one. An
 * id that goes by time in the real rows does so here, so that an index is written where it would
 * be.
 */

import { randomBytes } from "node:crypto";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const DASHES = [8, 12, 16, 20];
const BYTES = /^\\x[0-9a-f]+$/;
/** So many first characters are the same by chance once in 65,536. */
const COMMON_MIN = 4;
const RADIX = 36;
/** More than are watched: one that was not like the others has numbers, too. */
const WATCHED_MAX = 10;

export type Mark = { readonly type: string } & (
  | { readonly kind: "moment" }
  | { readonly kind: "number"; readonly from: number; readonly step: number }
  /** The same beginning, then a count of so many digits, then the same end. */
  | {
      readonly kind: "counted";
      readonly isUuid: boolean;
      readonly start: string;
      readonly digits: number;
      readonly end: string;
    }
  | { readonly kind: "chance"; readonly isUuid: boolean; readonly start: string; bytes: number }
);

/** Of the values that one column had in several payments, the oldest first. */
export function markOf(type: string, values: readonly unknown[]): Mark {
  if (/^(timestamp|date)/.test(type)) return { type, kind: "moment" };
  if (values.every((value) => typeof value === "number")) {
    const [first = 0, second = 0] = values;
    return { type, kind: "number", from: Math.max(...values), step: Math.abs(second - first) };
  }
  const texts = values.map(String);
  const isUuid = texts.every((text) => UUID.test(text));
  const bare = isUuid ? texts.map((text) => text.replaceAll("-", "")) : texts;
  const length = bare[0]?.length ?? 0;
  if (bare.every((text) => BYTES.test(text)))
    return { type, kind: "chance", isUuid, start: "\\x", bytes: length / 2 - 1 };
  const start = commonStart(bare);
  if (start.length < COMMON_MIN)
    return { type, kind: "chance", isUuid, start: "", bytes: Math.ceil(length / 2) };
  const end = isUuid ? "" : commonEnd(bare.map((text) => text.slice(start.length)));
  return { type, kind: "counted", isUuid, start, digits: length - start.length - end.length, end };
}

/** For the payment of this number, from 1. */
export function freshValues(marks: readonly Mark[], number: number): readonly unknown[] {
  // Two marks may begin alike, as the ids of two events do.
  return marks.map((mark, at) => freshOf(mark, { number, count: number * marks.length + at }));
}

function freshOf(mark: Mark, { number, count }: { number: number; count: number }): unknown {
  switch (mark.kind) {
    case "moment":
      return new Date();
    case "number":
      return mark.from + (WATCHED_MAX + number) * mark.step;
    case "counted": {
      const digits = count.toString(mark.isUuid ? 16 : RADIX).padStart(mark.digits, "0");
      const text = mark.start + digits + mark.end;
      return mark.isUuid ? dashed(text) : text;
    }
    case "chance": {
      const text = mark.start + randomBytes(mark.bytes).toString("hex");
      return mark.isUuid ? dashed(text) : text;
    }
  }
}

function dashed(hex: string): string {
  return [0, ...DASHES].map((from, at) => hex.slice(from, DASHES[at])).join("-");
}

function commonStart(texts: readonly string[]): string {
  const [first = "", ...others] = texts;
  let length = 0;
  while (length < first.length && others.every((text) => text[length] === first[length])) length++;
  return first.slice(0, length);
}

function commonEnd(texts: readonly string[]): string {
  const backwards = texts.map((text) => [...text].reverse().join(""));
  return [...commonStart(backwards)].reverse().join("");
}
