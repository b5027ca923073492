/** What the `signature` of a payment request covers: every other field of the body, as text. */

import { formText, type Pair, sortedByName } from "./form-text.ts";

export type Sendable = string | number | boolean | null | undefined;

/** As it is signed; undefined for a list or an object, which is signed and sent as JSON text. */
export function signedValue(value: unknown): string | undefined {
  if (value === null) return "";
  if (typeof value === "object" || typeof value === "function") return undefined;
  return String(value);
}

export function requestText(pairs: readonly Pair[]): string {
  return formText(sortedByName(pairs));
}
