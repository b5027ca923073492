/**
 * Answers that the server gives on behalf of a route, which no route declares. Those that are the
 * same on every route have a name, under which the document keeps them once.
 */

import { TooManyAttempts } from "../../infra/http/admit/rate-limiter.ts";
import { changesShared, SandboxKeyRefused } from "../../infra/http/admit/refuse-sandbox-writes.ts";
import { reachOf } from "../../infra/http/caller.ts";
import { type HttpErrorCode, HttpRefused } from "../../infra/http/http-refused.ts";
import { MisdirectedRequest } from "../../infra/http/listen/check-request-shape.ts";
import type { AnswerDoc, Route } from "../../infra/http/route.ts";
import {
  EnvironmentRepeated,
  EnvironmentsDiffer,
  environmentPlace,
} from "../../infra/http/serve/environment-field.ts";
import {
  IdempotencyKeyStillRunning,
  IdempotencyKeyUsedDifferently,
  readIdempotencyKey,
} from "../../infra/http/serve/idempotency.ts";
import type { UnauthorizedCode } from "../../kit/error-catalogue/catalogue.ts";
import { UNAUTHORIZED_ERRORS } from "../../kit/error-catalogue/credential-errors.ts";
import {
  Forbidden,
  NotFound,
  refusalOf,
  ScopeRefused,
  ServiceError,
  Unavailable,
} from "../../kit/errors.ts";
import { bodyRefusals, fieldRefusals } from "./refused-fields.ts";

export interface CommonAnswer extends AnswerDoc {
  readonly name?: string;
}

type Answers = Readonly<Record<number, CommonAnswer>>;
type ProtectedAccess = Exclude<Route<never>["access"], "public">;

function named(name: string, about: string, ...codes: HttpErrorCode[]): CommonAnswer {
  return { name, about, refusals: codes.map((code) => new HttpRefused(code)) };
}

const ALWAYS: Answers = {
  421: {
    name: "Misdirected",
    about: "The Host header names a host that is not served here",
    refusals: [new MisdirectedRequest("")],
  },
  431: named("HeadersTooLarge", "The header fields are too large or too many", "headers_too_large"),
  500: named("OurMistake", "Our mistake; the X-Request-Id helps us find it", "internal_error"),
  503: {
    name: "Unavailable",
    about: "Overloaded, stopping, or without its database; Retry-After says when to try again",
    refusals: [new Unavailable({ cause: "busy" })],
    headers: ["Retry-After"],
  },
};

const LIMITED: Answers = {
  429: {
    name: "TooManyAttempts",
    about: "Too many requests within a minute; Retry-After says how long to wait",
    refusals: [new TooManyAttempts(1)],
    headers: ["Retry-After"],
  },
};

const WITH_BODY: Answers = {
  408: named("BodyTooLate", "The body did not arrive in time", "request_timeout"),
  413: named("BodyTooLarge", "The body is larger than 64 KiB", "body_too_large"),
  415: named(
    "UnknownMediaType",
    "The body is neither JSON nor form data, or it is compressed",
    "unsupported_media_type",
    "compressed_body",
  ),
};

const WITH_UPLOAD: Answers = {
  408: named("FileTooLate", "The file did not arrive within a minute", "request_timeout"),
  415: named(
    "Compressed",
    "The body is compressed, or its Content-Type cannot be read",
    "compressed_body",
    "unsupported_media_type",
  ),
};

const IDEMPOTENT: Answers = {
  409: {
    about: "A request with this Idempotency-Key is still running",
    refusals: [new IdempotencyKeyStillRunning()],
    headers: ["Retry-After"],
  },
  422: {
    about: "The Idempotency-Key was used with a different request",
    refusals: [new IdempotencyKeyUsedDifferently()],
  },
};

const UNKNOWN_ID: Answers = {
  404: { about: "Nothing has this identifier", refusals: [new NotFound()] },
};

const OTHER_ENVIRONMENT = (["sandbox", "live"] as const).map((environment) => {
  const key = { kind: "key", kid: "", environment, expiresAt: null } as const;
  return refusalOf(() => reachOf(key, environment === "live" ? "sandbox" : "live"));
});
const INVALID_KEY = refusalOf(() => readIdempotencyKey(""));
const BODY_REFUSALS = bodyRefusals("body");
const QUERY_REFUSALS = bodyRefusals("query");

function commonAnswers(route: Route<never>): Answers {
  const withContent = route.upload === undefined ? WITH_BODY : WITH_UPLOAD;
  return {
    400: malformed(route),
    ...(route.access === "public" ? {} : refusedCallers(route.access)),
    ...(idsOf(route) && UNKNOWN_ID),
    ...(route.method !== "GET" && withContent),
    ...(route.idempotent && IDEMPOTENT),
    ...(route.limit !== "none" && LIMITED),
    ...ALWAYS,
  };
}

/** A path of 1.x takes those of its successor, from the query or the body. */
function idsOf({ params, successors }: Route<never>) {
  return params ?? successors?.[0]?.params;
}

function malformed(route: Route<never>): CommonAnswer {
  const { method, access, params = {}, body = {}, query, upload, idempotent } = route;
  const place = environmentPlace(route);
  const namesEnvironment = (query?.environment ?? body.environment) !== undefined;
  const takesKeys = access !== "public" && access.credentials === "either";
  // The body of a GET is read for its environment only.
  const readsBody = upload === undefined && (method !== "GET" || place !== undefined);
  const readsQuery = query !== undefined || route.successors?.[0]?.params !== undefined;
  // A malformed identifier is a 404; only a parameter with a few allowed words is a 400.
  const words = Object.entries(params).filter(([, { schema }]) => schema.enum !== undefined);
  const refusals = [
    ...fieldRefusals(Object.fromEntries(words), "text"),
    ...fieldRefusals(query ?? {}, "text"),
    ...fieldRefusals(body, "json"),
    ...(namesEnvironment && takesKeys ? OTHER_ENVIRONMENT : []),
    ...(place === undefined ? [] : [new EnvironmentsDiffer()]),
    ...(place === "body" ? [new EnvironmentRepeated()] : []),
    ...(readsQuery ? QUERY_REFUSALS : []),
    ...(readsBody ? BODY_REFUSALS : []),
    ...(idempotent ? [INVALID_KEY] : []),
    new HttpRefused("malformed_request"),
  ];
  const about = "A field or the request is malformed; the sentence names the first that fails";
  return { ...(refusals.length === 1 && { name: "Malformed" }), about, refusals };
}

function refusedCallers(access: ProtectedAccess): Answers {
  const { anyScope, accountType, credentials } = access;
  const isShared = changesShared(access);
  const unauthorized: CommonAnswer = {
    name: credentials === "bearer" ? "UnauthorizedBearer" : "Unauthorized",
    about: "No credential, two of them, or an invalid one; WWW-Authenticate says more",
    refusals: unauthorizedRefusals(credentials),
    headers: ["WWW-Authenticate"],
  };
  const refusals = [
    ...(anyScope === undefined ? [] : [new ScopeRefused(anyScope)]),
    ...(accountType === undefined ? [] : [new Forbidden()]),
    ...(isShared ? [new SandboxKeyRefused()] : []),
  ];
  if (refusals.length === 0) return { 401: unauthorized };
  const sandbox = isShared ? ", or is an API key of the sandbox" : "";
  const lacks = `The credential lacks the scope${sandbox}`;
  const words =
    accountType === undefined
      ? { name: isShared ? "MayNotChange" : "ScopeMissing", about: lacks }
      : { about: `Not a ${accountType} account. ${lacks}` };
  return { 401: unauthorized, 403: { ...words, refusals, headers: ["WWW-Authenticate"] } };
}

const IMPOSSIBLE: Readonly<Record<"bearer" | "either", readonly UnauthorizedCode[]>> = {
  bearer: ["api_key_expired", "api_key_revoked"],
  either: ["bearer_token_required"],
};

/** All have the same message and differ in their codes. */
function unauthorizedRefusals(credentials: "bearer" | "either"): ServiceError[] {
  const codes = Object.keys(UNAUTHORIZED_ERRORS) as UnauthorizedCode[];
  return codes
    .filter((code) => !IMPOSSIBLE[credentials].includes(code))
    .map((code) => new ServiceError(code));
}

/** What the route declares replaces the common words; the refusals of both are listed. */
export function answersOf(route: Route<never>): Answers {
  const common = commonAnswers(route);
  const merged: Record<number, CommonAnswer> = { ...common };
  for (const [status, own] of Object.entries(route.answers)) {
    const { name: _, ...rest }: CommonAnswer = common[Number(status)] ?? { about: "" };
    merged[Number(status)] = {
      ...rest,
      ...own,
      refusals: [...(own.refusals ?? []), ...(rest.refusals ?? [])],
      headers: [...new Set([...(own.headers ?? []), ...(rest.headers ?? [])])],
    };
  }
  return route.successors === undefined ? merged : deprecated(merged);
}

/** Every answer of a path of 1.x has the headers that say so, and therefore a name of its own. */
function deprecated(answers: Answers): Answers {
  const entries = Object.entries(answers).map(([status, { name, headers = [], ...answer }]) => [
    status,
    {
      ...answer,
      ...(name !== undefined && { name: `${name}Formerly` }),
      headers: [...headers, "Deprecation", "Link"],
    },
  ]);
  return Object.fromEntries(entries);
}
