/**
 * What a browser brings to the `response_url`, and what its `signature` and `hash` are made of.
 *
 * Only our own names are signed, each once, in the order of their names and
 * encoded as a form encodes them. What else stands in the address is the merchant's.
 */

import { toHex } from "./bytes.ts";
import { formText, type Pair, sortedByName } from "./form-text.ts";
import { md5 } from "./md5.ts";

/** The whole address, its query, or the parameters as a framework has parsed them. */
export type RedirectInput =
  | string
  | URL
  | URLSearchParams
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Every name that a signature may cover. */
export const SIGNED_NAMES: ReadonlySet<string> = new Set([
  "card",
  "currency",
  "data",
  "date",
  "message",
  "order_id",
  "reasonDescription",
  "status",
  "total",
  "transaction_id",
  "uuid",
]);

/** Those of the result of a payment, all of which it always has. */
export const PAYMENT_NAMES: readonly string[] = [...SIGNED_NAMES].filter(
  (name) => name !== "reasonDescription" && name !== "uuid",
);

/** All of them, in their order. */
export function readPairs(input: RedirectInput): Pair[] {
  if (typeof input === "string") return [...new URLSearchParams(queryOf(input))];
  if (input instanceof URLSearchParams) return [...input];
  if (input instanceof URL) return [...input.searchParams];
  return Object.entries(input).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): Pair => [name, each]),
  );
}

/** Between the first question mark and the fragment; a text without one is the query itself. */
export function queryOf(text: string): string {
  const whole = text.trim().replace(/#.*$/s, "");
  return whole.slice(whole.indexOf("?") + 1);
}

/** The first name of ours that is there more than once, those of the digests included. */
export function repeatedName(pairs: readonly Pair[]): string | undefined {
  const names = pairs
    .map(([name]) => name)
    .filter((name) => SIGNED_NAMES.has(name) || name === "signature" || name === "hash");
  return names.find((name, at) => names.indexOf(name) !== at);
}

export function signedPairs(pairs: readonly Pair[]): Pair[] {
  return sortedByName(pairs.filter(([name]) => SIGNED_NAMES.has(name)));
}

export function signedText(pairs: readonly Pair[]): string {
  return formText(signedPairs(pairs));
}

export function hashOf(transactionId: string, total: string, hashKey: string): string {
  return toHex(md5(`${transactionId}${total}${hashKey}`));
}

export function valueIn(pairs: readonly Pair[], name: string): string | undefined {
  return pairs.find(([each]) => each === name)?.[1];
}
