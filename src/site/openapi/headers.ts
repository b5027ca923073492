/** Every response header that a client may need, with its description and an example. */

import assert from "node:assert/strict";
import { OPEN_HEADERS } from "../../infra/http/serve/cross-origin.ts";
import { INTERFACE_VERSION } from "../../infra/http/serve/response-headers.ts";
import type { JsonSchema } from "../../kit/schema.ts";

const TEXT = { type: "string" };
const COUNT = { type: "integer", minimum: 0 };

function header(description: string, example: string | number, schema: JsonSchema = TEXT) {
  return { description, schema, example };
}

function fixed(description: string, value: string) {
  return header(description, value, { const: value });
}

const HEADERS = {
  "X-Request-Id": header(
    "The id of this request. Quote it when you report a problem.",
    "3f0c2b9e-8d41-4a7c-9a53-0b1e6f2d7c84",
    { ...TEXT, format: "uuid" },
  ),
  "X-SVC-Version": fixed("The version of the interface.", INTERFACE_VERSION),
  "X-RateLimit-Limit": header(
    "How many requests a minute are allowed. Absent when the request was not counted.",
    5,
    COUNT,
  ),
  "X-RateLimit-Remaining": header("How many of them are left now.", 4, COUNT),
  "Retry-After": header("How many seconds to wait before the next try.", 12, {
    type: "integer",
    minimum: 1,
  }),
  "Idempotent-Replayed": fixed(
    "`true` when this repeats the first answer and nothing was done again.",
    "true",
  ),
  "X-SVC-Error": header(
    "The code of the error; `/docs/errors/<code>` says what it means and what to do.",
    "field_required",
    { $ref: "#/components/schemas/ErrorCode" },
  ),
  "WWW-Authenticate": header(
    "What is missing, in the form of RFC 6750.",
    'Bearer realm="svc", error="invalid_token", error_description="The access token has expired."',
  ),
  Allow: header("The methods of this path.", "GET, HEAD, OPTIONS"),
  ETag: header(
    "Identifies this answer; sent as If-None-Match it gets 304 until the answer changes.",
    '"kZ0mP4fV1s3QxYb7Tn9a2w"',
  ),
  "Cache-Control": header("How long the answer may be cached.", "public, max-age=3600"),
  Vary: header("The headers of the request that decide the answer.", "accept"),
  Deprecation: fixed(
    "`true`: this path, or a scope or method that was sent, is of an earlier version; see Link.",
    "true",
  ),
  Link: header(
    'Of an error the page about it, `rel="help"`; of a deprecated path today\'s path, ' +
      '`rel="successor-version"`, with braces around what the request does not contain; of a ' +
      'deprecated value the guide that says what to send instead, `rel="deprecation"`.',
    '</docs/errors/field_required>; rel="help"',
  ),
  "Access-Control-Allow-Origin": fixed(
    "Scripts of any origin may read this answer. Credentials are not accepted.",
    "*",
  ),
  "Access-Control-Expose-Headers": header(
    "The headers that such a script may read.",
    String(OPEN_HEADERS["access-control-expose-headers"]),
  ),
  Location: header("Where the browser goes.", "https://shop.example/paid?status=success", {
    ...TEXT,
    format: "uri",
  }),
  "Set-Cookie": header("The browser's session.", "windward=…; Path=/; HttpOnly; SameSite=Lax"),
  "Clear-Site-Data": header("What the browser forgets.", '"cache"'),
  "Content-Disposition": header("A file name.", 'attachment; filename="transactions.csv"'),
  "Content-Encoding": header("How the body is compressed.", "gzip"),
};

type HeaderName = keyof typeof HEADERS;

const EVERY: readonly HeaderName[] = ["X-Request-Id", "X-SVC-Version"];
const ON_ERRORS: readonly HeaderName[] = ["X-SVC-Error", "Link"];
const COUNTED: readonly HeaderName[] = ["X-RateLimit-Limit", "X-RateLimit-Remaining"];
export const OPEN: readonly HeaderName[] = [
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
];

/** References, because every answer has some; their targets are added to `used`. */
export function headersOf(
  { isCounted, isError }: { isCounted: boolean; isError: boolean },
  more: readonly string[],
  used: Record<string, JsonSchema>,
): JsonSchema {
  const names = [...EVERY, ...(isError ? ON_ERRORS : []), ...(isCounted ? COUNTED : []), ...more];
  for (const name of names) {
    assert(name in HEADERS, `the header ${name} is not described`);
    used[name] = HEADERS[name as HeaderName];
  }
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
