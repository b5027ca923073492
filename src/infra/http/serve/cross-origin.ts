/**
 * Scripts of any origin may call what stands under `/plugins/` and read its answers, errors too: a
 * shop's page asks for a payment from the customer's browser (Decision 0064). These paths take no
 * credential and no cookie, so a script learns nothing that a server would not. No other path is
 * open in this way.
 */

const OPEN_PREFIX = "/plugins/";
/** Browsers ask again after this at the latest; Chromium keeps no answer longer. */
const PREFLIGHT_SECONDS = 7_200;

/**
 * What scripts may send beyond what every browser allows. `authorization` is ignored here, and
 * shops that come from other services send it: refused, it would stop their requests.
 */
const ALLOWED_HEADERS: readonly string[] = [
  "accept",
  "accept-language",
  "authorization",
  "cache-control",
  "content-language",
  "content-type",
  "idempotency-key",
  "if-none-match",
  "pragma",
  "x-csrf-token",
  "x-request-id",
  "x-requested-with",
];

/** Without this list a script could read the body alone. */
const EXPOSED_HEADERS: readonly string[] = [
  "Deprecation",
  "ETag",
  "Idempotent-Replayed",
  "Link",
  "Retry-After",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-Request-Id",
  "X-SVC-Error",
  "X-SVC-Version",
];

/** On every answer of an open path, beside the common headers. */
export const OPEN_HEADERS: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": EXPOSED_HEADERS.join(", "),
};

export function isOpenToScripts(url: string | undefined): boolean {
  return url?.startsWith(OPEN_PREFIX) === true;
}

/** The answer to a preflight: of the headers it asks for, those that are allowed. */
export function preflightHeaders(
  methods: string,
  requestedHeaders: string | undefined,
): Record<string, string> {
  const requested = requestedHeaders?.split(",").map((name) => name.trim().toLowerCase());
  const allowed = ALLOWED_HEADERS.filter((name) => requested?.includes(name) ?? true);
  return {
    "access-control-allow-methods": methods,
    "access-control-allow-headers": allowed.join(", "),
    "access-control-max-age": String(PREFLIGHT_SECONDS),
    vary: "access-control-request-headers",
  };
}
