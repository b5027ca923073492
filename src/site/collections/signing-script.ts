/**
 * The part of a script that makes the text under the signature of a payment request (Decision
 * 0066). In plain JavaScript, because the sandboxes of Postman and Bruno have no URLSearchParams in
 * every version; both have crypto-js.
 */

/** Where a request of a collection has its signature. */
export const SIGNATURE_VARIABLE = "signature";
export const SECRET_VARIABLE = "signing_secret";

/** Expects `fields` and `secret`; gives `signature`. */
export const SIGN_FIELDS: readonly string[] = [
  "delete fields.signature;",
  "const percent = (char) => '%' + char.charCodeAt(0).toString(16).toUpperCase();",
  "const encode = (value) => encodeURIComponent(value === null ? '' : String(value))",
  "  .replace(/%20/g, '+').replace(/[!'()~]/g, percent);",
  "const text = Object.keys(fields).sort()",
  "  .map((name) => encode(name) + '=' + encode(fields[name])).join('&');",
  "const signature = require('crypto-js').HmacSHA256(text, secret).toString();",
];
