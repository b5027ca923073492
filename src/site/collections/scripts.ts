/** Pieces of JavaScript that the scripts of Postman and Bruno share. */

import type { Kept } from "./collection.ts";

/** Where a request of a collection has its signature. */
export const SIGNATURE_VARIABLE = "signature";
export const SECRET_VARIABLE = "signing_secret";

/**
 * Signs a payment request (Decision 0066): expects `fields` and `secret`, gives `signature`. Not
 * every version of the two sandboxes has URLSearchParams; both have crypto-js.
 */
export const SIGN_FIELDS: readonly string[] = [
  "delete fields.signature;",
  "const percent = (char) => '%' + char.charCodeAt(0).toString(16).toUpperCase();",
  "const encode = (value) => encodeURIComponent(value === null ? '' : String(value))",
  "  .replace(/%20/g, '+').replace(/[!'()~]/g, percent);",
  "const text = Object.keys(fields).sort()",
  "  .map((name) => encode(name) + '=' + encode(fields[name])).join('&');",
  "const signature = require('crypto-js').HmacSHA256(text, secret).toString();",
];

/** An expression for a value of the answer, given expressions for the answer's parts. */
export function valueIn(
  answer: Readonly<Record<"json" | "text" | "location", string>>,
  from: Kept["from"],
): string {
  if ("json" in from) return `${answer.json}.${from.json}`;
  const [source, pattern] =
    "text" in from ? [answer.text, from.text] : [answer.location, `[?&]${from.redirect}=([^&]*)`];
  return `(${source}.match(/${pattern.replaceAll("/", "\\/")}/) || [])[1]`;
}
