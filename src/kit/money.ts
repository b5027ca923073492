/**
 * Money: a currency and a whole number of its minor units (Interface §2.4).
 *
 * An amount is a bigint from the edge to the database and back. A number in a JSON body is read
 * through its shortest decimal text, by the same one pattern that reads form fields, so nothing is
 * ever rounded: a third decimal is refused. Every currency we take has two.
 */

import assert from "node:assert/strict";

export const CURRENCIES = ["TTD", "USD", "BBD", "XCD", "JMD", "GYD"] as const;

export type Currency = (typeof CURRENCIES)[number];

export interface Money {
  readonly currency: Currency;
  readonly minor: bigint;
}

const MINOR_PER_UNIT = 100n;
const AMOUNT_TEXT = /^(\d{1,12})(?:\.(\d{1,2}))?$/;
// Twelve significant digits: far inside the fifteen that a double keeps exactly.
const JSON_NUMBER_MAX = 9_999_999_999.99;

export function money(currency: Currency, minor: bigint): Money {
  return { currency, minor };
}

/**
 * Minor units of an amount as a caller wrote it, or undefined when it is no amount. Zero is one.
 */
export function parseMinor(input: unknown): bigint | undefined {
  if (typeof input === "string") return parseText(input);
  if (typeof input !== "number" || !(input <= JSON_NUMBER_MAX) || Object.is(input, -0))
    return undefined;
  return parseText(String(input));
}

function parseText(text: string): bigint | undefined {
  const match = AMOUNT_TEXT.exec(text);
  if (match === null) return undefined;
  const [, units = "", cents = ""] = match;
  return BigInt(units + cents.padEnd(2, "0"));
}

export function parseMoney(currency: Currency, input: unknown): Money | undefined {
  const minor = parseMinor(input);
  return minor === undefined ? undefined : money(currency, minor);
}

/** Always two decimals and no grouping: "105.20", "-0.05". */
export function formatMoney({ minor }: Money): string {
  const size = minor < 0n ? -minor : minor;
  const cents = String(size % MINOR_PER_UNIT).padStart(2, "0");
  return `${minor < 0n ? "-" : ""}${size / MINOR_PER_UNIT}.${cents}`;
}

/** What `formatMoney` has written, at any size, as money again. */
export function readFormatted(currency: Currency, text: string): Money {
  assert(/^-?\d+\.\d{2}$/.test(text), "no amount that formatMoney has written");
  return money(currency, BigInt(text.replace(".", "")));
}

/** In a sentence: "105.20 TTD". */
export function describeMoney(amount: Money): string {
  return `${formatMoney(amount)} ${amount.currency}`;
}

export function addMoney(left: Money, right: Money): Money {
  assertSameCurrency(left, right);
  return money(left.currency, left.minor + right.minor);
}

export function subtractMoney(left: Money, right: Money): Money {
  assertSameCurrency(left, right);
  return money(left.currency, left.minor - right.minor);
}

/** Negative, zero or positive, as a sort wants it. */
export function compareMoney(left: Money, right: Money): -1 | 0 | 1 {
  assertSameCurrency(left, right);
  if (left.minor === right.minor) return 0;
  return left.minor < right.minor ? -1 : 1;
}

export function isZero({ minor }: Money): boolean {
  return minor === 0n;
}

function assertSameCurrency(left: Money, right: Money): void {
  assert(left.currency === right.currency, `${left.currency} meets ${right.currency}`);
}
