/**
 * Answers that a route gives without saying so, because the server gives them for it. Those that
 * are the same everywhere have a name, under which the document keeps them once.
 */

import type { UnauthorizedCode } from "../../../kit/error-catalogue/catalogue.ts";
import { UNAUTHORIZED_ERRORS } from "../../../kit/error-catalogue/credential-errors.ts";
import {
  Forbidden,
  NotFound,
  refusalOf,
  ScopeRefused,
  ServiceError,
  Unavailable,
} from "../../../kit/errors.ts";
import { TooManyAttempts } from "../admit/rate-limiter.ts";
import { changesShared, SandboxKeyRefused } from "../admit/sandbox-key.ts";
import { reachOf } from "../caller.ts";
import { HttpRefused, sentenceFor } from "../http-refused.ts";
import { MisdirectedRequest } from "../listen/guards.ts";
import type { AnswerDoc, Route } from "../route.ts";
import {
  EnvironmentRepeated,
  EnvironmentsDiffer,
  environmentPlace,
} from "../serve/either-place.ts";
import {
  IdempotencyKeyStillRunning,
  IdempotencyKeyUsedDifferently,
  readIdempotencyKey,
} from "../serve/idempotency.ts";
import { bodyRefusals, fieldRefusals } from "./refused-fields.ts";

export interface CommonAnswer extends AnswerDoc {
  readonly name?: string;
}

type Answers = Readonly<Record<number, CommonAnswer>>;

const BUSY = new Unavailable({ cause: "busy" });
const OTHER_ENVIRONMENT = (["sandbox", "live"] as const).map((environment) => {
  const key = { kind: "key", kid: "", environment, expiresAt: null } as const;
  return refusalOf(() => reachOf(key, environment === "live" ? "sandbox" : "live"));
});
const UNFIT_KEY = refusalOf(() => readIdempotencyKey(""));
const BODY_REFUSALS = bodyRefusals("body");
const QUERY_REFUSALS = bodyRefusals("query");

const ALWAYS: Answers = {
  421: {
    name: "Misdirected",
    about: "The Host header names a host that is not served here",
    refusals: [new MisdirectedRequest("")],
  },
  431: {
    name: "HeadersTooLarge",
    about: "The header fields are too large or too many",
    refusals: [new HttpRefused("headers_too_large")],
  },
  500: {
    name: "OurMistake",
    about: "Our mistake; the X-Request-Id helps us find it",
    refusals: [new HttpRefused("internal_error")],
  },
  503: {
    name: "Unavailable",
    about: "Too busy, stopping, or the database is away; Retry-After says when to come back",
    refusals: [BUSY],
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
  408: {
    name: "BodyTooLate",
    about: "The body did not arrive in time",
    refusals: [new HttpRefused("request_timeout")],
  },
  413: {
    name: "BodyTooLarge",
    about: "The body is larger than 64 KiB",
    refusals: [new HttpRefused("body_too_large")],
  },
  415: {
    name: "UnknownMediaType",
    about: "The body is neither JSON nor form data, or it is compressed",
    refusals: [new HttpRefused("unsupported_media_type"), new HttpRefused("compressed_body")],
  },
};

const WITH_UPLOAD: Answers = {
  408: {
    name: "FileTooLate",
    about: "The file did not arrive within a minute",
    refusals: [new HttpRefused("request_timeout")],
  },
  415: {
    name: "Compressed",
    about: "The body is compressed, or its Content-Type cannot be read",
    refusals: [new HttpRefused("compressed_body"), new HttpRefused("unsupported_media_type")],
  },
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

function commonAnswers(route: Route<never>): Answers {
  return {
    ...malformed(route),
    ...(route.access === "public" ? {} : refusedCallers(route.access)),
    ...(route.params === undefined
      ? {}
      : { 404: { about: "Nothing has this identifier", refusals: [new NotFound()] } }),
    ...(route.method === "GET" ? {} : route.upload === undefined ? WITH_BODY : WITH_UPLOAD),
    ...(route.idempotent ? IDEMPOTENT : {}),
    ...(route.limit === "none" ? {} : LIMITED),
    ...ALWAYS,
  };
}

function malformed(route: Route<never>): Answers {
  const { method, access, params = {}, body, query, upload, idempotent } = route;
  const namesEnvironment = (query?.environment ?? body?.environment) !== undefined;
  const place = environmentPlace(route);
  const takesKeys = access !== "public" && access.credentials === "either";
  // A GET is read for its environment alone.
  const readsBody = upload === undefined && (method !== "GET" || place !== undefined);
  // What is no identifier of ours names nothing; only a word of a few is judged.
  const words = Object.entries(params).filter(([, { schema }]) => schema.enum !== undefined);
  const refusals = [
    ...fieldRefusals(Object.fromEntries(words), "text"),
    ...(query === undefined ? [] : fieldRefusals(query, "text")),
    ...(body === undefined ? [] : fieldRefusals(body, "json")),
    ...(namesEnvironment && takesKeys ? OTHER_ENVIRONMENT : []),
    ...(place === undefined ? [] : [new EnvironmentsDiffer()]),
    ...(place === "body" ? [new EnvironmentRepeated()] : []),
    ...(query === undefined ? [] : QUERY_REFUSALS),
    ...(readsBody ? BODY_REFUSALS : []),
    ...(idempotent ? [UNFIT_KEY] : []),
    new HttpRefused("malformed_request"),
  ];
  const name = refusals.length === 1 ? { name: "Malformed" } : {};
  const about = "A field or the request is malformed; the sentence names the first that fails";
  return { 400: { ...name, about, refusals } };
}

function refusedCallers(access: Exclude<Route<never>["access"], "public">): Answers {
  const { anyScope, accountType } = access;
  const isShared = changesShared(access);
  const refusals = [
    ...(anyScope === undefined ? [] : [new ScopeRefused(anyScope)]),
    ...(accountType === undefined ? [] : [new Forbidden()]),
    ...(isShared ? [new SandboxKeyRefused()] : []),
  ];
  const lacks = isShared
    ? "The credential lacks the scope, or is an API key of the sandbox"
    : "The credential lacks the scope";
  return {
    401: {
      name: access.credentials === "bearer" ? "UnauthorizedBearer" : "Unauthorized",
      about: "No credential, both, or one that is not good; WWW-Authenticate says more",
      refusals: unauthorized(access.credentials),
      headers: ["WWW-Authenticate"],
    },
    ...(refusals.length === 0
      ? {}
      : {
          403: {
            ...(accountType === undefined
              ? { name: isShared ? "MayNotChange" : "ScopeMissing" }
              : {}),
            about: accountType === undefined ? lacks : `Not a ${accountType} account. ${lacks}`,
            refusals,
            headers: ["WWW-Authenticate"],
          } satisfies CommonAnswer,
        }),
  };
}

const UNMET: Readonly<Record<"bearer" | "either", readonly UnauthorizedCode[]>> = {
  bearer: ["api_key_expired", "api_key_revoked"],
  either: ["bearer_token_required"],
};

/** One message for all of them; the codes tell them apart. */
function unauthorized(credentials: "bearer" | "either"): ServiceError[] {
  const codes = Object.keys(UNAUTHORIZED_ERRORS) as UnauthorizedCode[];
  const isMet = (code: UnauthorizedCode) => !UNMET[credentials].includes(code);
  const message = sentenceFor(401);
  return codes.filter(isMet).map((code) => new ServiceError({ status: 401, code, message }));
}

/** What the route says of an answer goes before what holds for all; sentences of both are told. */
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

/** Of a path of 1.x every answer says so, those that are the same everywhere too. */
function deprecated(answers: Answers): Answers {
  const entries = Object.entries(answers).map(([status, { name, headers = [], ...answer }]) => [
    status,
    {
      ...answer,
      ...(name === undefined ? {} : { name: `${name}Formerly` }),
      headers: [...headers, "Deprecation", "Link"],
    },
  ]);
  return Object.fromEntries(entries);
}
