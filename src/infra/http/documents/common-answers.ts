/** Answers that a route gives without saying so, because the server gives them for it. */

import type { AnswerDoc, Route } from "../route.ts";

export function commonAnswers(route: Route<never>): Record<number, AnswerDoc> {
  const isProtected = route.access !== "public";
  const takesBody = route.method !== "GET" && route.upload === undefined;
  return {
    400: { about: "A field or the request is malformed; the sentence names the first that fails" },
    ...(isProtected ? { 401: { about: "No credential, both, or one that is not good" } } : {}),
    ...(isProtected && route.access.anyScope !== undefined
      ? { 403: { about: "The credential lacks the scope" } }
      : {}),
    ...(route.params === undefined ? {} : { 404: { about: "Nothing has this identifier" } }),
    ...(takesBody
      ? {
          408: { about: "The body did not arrive in time" },
          413: { about: "The body is larger than 64 KiB" },
          415: { about: "The body is neither JSON nor form data" },
        }
      : {}),
    ...(route.upload === undefined
      ? {}
      : {
          408: { about: "The file did not arrive within a minute" },
          415: { about: "The body is compressed" },
        }),
    ...(route.idempotent
      ? {
          409: { about: "A request with this Idempotency-Key is still running" },
          422: { about: "The Idempotency-Key was used with a different request" },
        }
      : {}),
    421: { about: "The Host header names a host that is not served here" },
    ...(route.limit === "none"
      ? {}
      : { 429: { about: "Too many requests within a minute; Retry-After says how long to wait" } }),
    431: { about: "The header fields are too large or too many" },
    500: { about: "Our mistake; the X-Request-Id helps us find it" },
    503: {
      about: "Too busy, stopping, or the database is away; Retry-After says when to come back",
    },
  };
}
