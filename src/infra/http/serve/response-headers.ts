/**
 * Headers that every answer carries, those of JSON answers among them, which no browser should
 * render.
 */

import { isOpenToScripts, OPEN_HEADERS } from "./cross-origin.ts";

/** Stated in every answer, chosen in none (Decision 0015). */
export const INTERFACE_VERSION = "2.0.5";

/** A route may replace the last three. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "x-svc-version": INTERFACE_VERSION,
  "strict-transport-security": "max-age=63072000; includeSubDomains; preload",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "permissions-policy":
    "accelerometer=(), camera=(), geolocation=(), gyroscope=(), microphone=(), usb=(), " +
    "payment=(self)",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
};

/** The same on paths that scripts of other origins may read (`cross-origin.ts`). */
export const OPEN_COMMON_HEADERS: Readonly<Record<string, string>> = {
  ...COMMON_HEADERS,
  ...OPEN_HEADERS,
  "cross-origin-resource-policy": "cross-origin",
};

/** `url`: path and query. */
export function commonHeadersOf(url: string): Readonly<Record<string, string>> {
  return isOpenToScripts(url) ? OPEN_COMMON_HEADERS : COMMON_HEADERS;
}
