/** Errors of HTTP itself, on any path. */

import { entries } from "./entry.ts";

const INVALID = { status: 400 } as const;

export const REQUEST_ERRORS = entries(INVALID, {
  malformed_request: {
    title: "Malformed request",
    statement: "The bytes that arrived are not a valid HTTP request.",
    hint: "Send valid HTTP/1.1 with one Host header and a body as long as Content-Length says.",
    example: "Bad Request",
  },
  malformed_content: {
    title: "Body or query cannot be read",
    statement: "The body is not valid JSON or form data in UTF-8, or the query cannot be decoded.",
    hint:
      "Encode the body with a JSON or form library, in UTF-8, so that it fits the Content-Type, " +
      "and percent-encode the values of the query.",
    example: "The body is not valid JSON.",
  },
  field_given_twice: {
    title: "Field given twice",
    statement: "A field that takes one value was sent more than once.",
    hint: "Send the field once.",
    example: "The page field is given more than once.",
    field: "page",
  },
  content_too_complex: {
    title: "Body or query too complex",
    statement: "The body is nested too deeply, or the body or query has too many parts.",
    hint: "Send only the fields that the reference lists for this route.",
    example: "The body is nested too deeply.",
  },
  idempotency_key_invalid: {
    title: "Invalid Idempotency-Key",
    statement: "The Idempotency-Key header has characters or a length that no key may have.",
    hint: "Use 1 to 255 visible ASCII characters, for example a new UUID for each operation.",
    example: "The Idempotency-Key must be 1 to 255 visible ASCII characters.",
    field: "Idempotency-Key",
  },
  unknown_path: {
    status: 404,
    title: "Unknown path",
    statement: "There is no route at this path.",
    hint: "Compare the path with the reference at /docs; letters are case-sensitive.",
    example: "Not Found",
    origin: "server",
  },
  not_found: {
    status: 404,
    title: "Not found",
    statement: "Nothing that this credential can reach has this identifier.",
    hint:
      "Check the identifier, and that it belongs to the account and the environment of the " +
      "credential.",
    example: "Not Found",
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    statement: "The path exists, but not with this method.",
    hint: "Use one of the methods in the Allow header.",
    example: "Method Not Allowed",
    origin: "server",
  },
  request_timeout: {
    status: 408,
    title: "Request timeout",
    statement: "The request did not arrive completely in time.",
    hint: "Send the whole request at once: 15 seconds are allowed, and a minute for uploads.",
    example: "Request Timeout",
  },
  idempotency_in_flight: {
    status: 409,
    title: "Request still running",
    statement: "An earlier request with the same Idempotency-Key has not been answered yet.",
    hint: "Send the same request with the same key again to get the answer of the first one.",
    example: "A request with this Idempotency-Key is still running.",
  },
  body_too_large: {
    status: 413,
    title: "Body too large",
    statement: "The body is larger than the route accepts.",
    hint: "Send at most 64 KiB, and at most 5 MB to routes that take a file.",
    example: "Payload Too Large",
  },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    statement: "The Content-Type of the body is not one that this route reads.",
    hint:
      "Send application/json or application/x-www-form-urlencoded in UTF-8, with a Content-Type " +
      "header that says which; routes that take a file read multipart/form-data.",
    example: "Unsupported Media Type",
  },
  compressed_body: {
    status: 415,
    title: "Compressed body",
    statement: "The body has a Content-Encoding, and compressed bodies are not read.",
    hint: "Send the body uncompressed and without a Content-Encoding header.",
    example: "Unsupported Media Type",
  },
  misdirected_request: {
    status: 421,
    title: "Misdirected request",
    statement: "The Host header names a host that is not served here.",
    hint: "Call the service by the address that the reference names as its server.",
    example: "Misdirected Request",
  },
  idempotency_mismatch: {
    status: 422,
    title: "Idempotency-Key reused",
    statement: "The Idempotency-Key was used before with a different request.",
    hint: "Use a new Idempotency-Key for this request; repeat a key only with the same request.",
    example: "This Idempotency-Key was used with a different request.",
  },
  too_many_attempts: {
    status: 429,
    title: "Too many requests",
    statement: "The limit of this route for the last minute has been reached.",
    hint:
      "Send requests more slowly: X-RateLimit-Limit says how many a minute are taken, " +
      "X-RateLimit-Remaining how many are left.",
    example: "Too Many Attempts.",
  },
  headers_too_large: {
    status: 431,
    title: "Headers too large",
    statement: "The header fields are too large or too many.",
    hint: "Send at most 100 header lines and 8 KiB of headers in all.",
    example: "Request Header Fields Too Large",
  },
  internal_error: {
    status: 500,
    title: "Internal error",
    statement: "The service failed; the request is not at fault.",
    hint:
      "Report the X-Request-Id, and look up whether the request had an effect before you repeat " +
      "it without an Idempotency-Key.",
    example: "Internal Server Error",
  },
  unavailable: {
    status: 503,
    title: "Temporarily unavailable",
    statement: "The service is overloaded, restarting, or cannot reach its database.",
    hint: "Send the same request again later, with the same Idempotency-Key if it had one.",
    example: "Service Unavailable",
  },
});
