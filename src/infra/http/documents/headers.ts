/** Every header of an answer that means something to a client, with its words and an example. */

import assert from "node:assert/strict";
import type { JsonSchema } from "../../../kit/fields/field.ts";
import { OPEN_HEADERS } from "../serve/cross-origin.ts";
import { INTERFACE_VERSION } from "../serve/response-headers.ts";

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };

const HEADERS = {
  "X-Request-Id": {
    description: "Of this request alone. Tell it to us when something is odd.",
    schema: { type: "string", format: "uuid" },
    example: "3f0c2b9e-8d41-4a7c-9a53-0b1e6f2d7c84",
  },
  "X-SVC-Version": {
    description: "The version of the interface, the same for everybody.",
    schema: { const: INTERFACE_VERSION },
    example: INTERFACE_VERSION,
  },
  "X-RateLimit-Limit": {
    description: "How many requests a minute are taken. Absent when nothing was counted.",
    schema: count,
    example: 5,
  },
  "X-RateLimit-Remaining": {
    description: "How many of them are left now.",
    schema: count,
    example: 4,
  },
  "Retry-After": {
    description: "After how many seconds it is worth another try.",
    schema: { type: "integer", minimum: 1 },
    example: 12,
  },
  "Idempotent-Replayed": {
    description: "`true` when this is the first answer told again, and nothing was done anew.",
    schema: { const: "true" },
    example: "true",
  },
  "X-SVC-Error": {
    description: "The code of the error; `/docs/errors/<code>` says what it means and what to do.",
    schema: { $ref: "#/components/schemas/ErrorCode" },
    example: "field_required",
  },
  "WWW-Authenticate": {
    description: "What is missing, as RFC 6750 writes it.",
    schema: text,
    example:
      'Bearer realm="svc", error="invalid_token", ' +
      'error_description="The access token has expired."',
  },
  Allow: {
    description: "The methods that this path has.",
    schema: text,
    example: "GET, HEAD, OPTIONS",
  },
  ETag: {
    description: "Names this answer; send it as If-None-Match to hear only of a change.",
    schema: text,
    example: '"kZ0mP4fV1s3QxYb7Tn9a2w"',
  },
  "Cache-Control": {
    description: "How long it may be kept.",
    schema: text,
    example: "public, max-age=3600",
  },
  Vary: {
    description: "The headers of the request that decide what is answered.",
    schema: text,
    example: "accept",
  },
  Deprecation: {
    description:
      "`true`: this path, or a scope or method that was named, is of an earlier version; Link " +
      "tells more.",
    schema: { const: "true" },
    example: "true",
  },
  Link: {
    description:
      'Of an error the page about it, `rel="help"`; of a deprecated path today\'s path, ' +
      '`rel="successor-version"`, in braces what the request has not told yet; of a deprecated ' +
      'value the guide that says what to send instead, `rel="deprecation"`.',
    schema: text,
    example: '</docs/errors/field_required>; rel="help"',
  },
  "Access-Control-Allow-Origin": {
    description: "Scripts of any origin may read this answer. No credentials are taken.",
    schema: { const: "*" },
    example: "*",
  },
  "Access-Control-Expose-Headers": {
    description: "The headers that such a script may read.",
    schema: text,
    example: OPEN_HEADERS["access-control-expose-headers"],
  },
  Location: {
    description: "Where the browser goes.",
    schema: { type: "string", format: "uri" },
    example: "https://shop.example/paid?status=success",
  },
  "Content-Disposition": {
    description: "A name for the file.",
    schema: text,
    example: 'attachment; filename="transactions.csv"',
  },
  "Content-Encoding": {
    description: "How the bytes are packed.",
    schema: text,
    example: "gzip",
  },
} as const satisfies Record<string, JsonSchema>;

type HeaderName = keyof typeof HEADERS;

const EVERY: readonly HeaderName[] = ["X-Request-Id", "X-SVC-Version"];
const ON_ERRORS: readonly HeaderName[] = ["X-SVC-Error", "Link"];
export const OPEN: readonly HeaderName[] = [
  "Access-Control-Allow-Origin",
  "Access-Control-Expose-Headers",
];
const COUNTED: readonly HeaderName[] = ["X-RateLimit-Limit", "X-RateLimit-Remaining"];

/** As references, because every answer has some; `used` gets what they refer to. */
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
