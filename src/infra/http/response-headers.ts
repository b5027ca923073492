/**
 * Headers that every response carries, and those of JSON answers, which no browser should render.
 */

/** Told in every answer, chosen in none (Decision 0015). */
export const INTERFACE_VERSION = "2.0.5";

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
