/**
 * How one route is served: admitted first (`admit-request.ts`), then its fields are read (400),
 * then the use case runs.
 */

import { createHash } from "node:crypto";
import { readFields, type Shape } from "../../../kit/fields/field.ts";
import type { Infra } from "../../context.ts";
import { type AdmissionContext, admissionTo, admitRequest } from "../admit/admit-request.ts";
import type { Answer } from "../answer.ts";
import { parseForm } from "../body/parse-form.ts";
import { isReadOnGet, receiveBody, textsOf } from "../body/read-body.ts";
import type { Caller } from "../caller.ts";
import { headerOf, type Request } from "../request.ts";
import type { Call, KeyOwner, Route, Upload } from "../route.ts";
import {
  environmentInBody,
  environmentInQuery,
  environmentPlace,
  withEnvironment,
} from "./environment-field.ts";
import { fingerprintsOf, readIdempotencyKey, runOnce, runOnceReady } from "./idempotency.ts";
import { measured } from "./measure-requests.ts";
import type { Endpoint } from "./router.ts";

const OPERATIONAL_PATHS = new Set(["/livez", "/readyz", "/metrics"]);

export function endpointOf<Ctx extends Infra>(
  ctx: Ctx,
  admissions: AdmissionContext,
  route: Route<Ctx>,
): Endpoint {
  const admission = admissionTo(route, ctx.config);
  const { errorPage, highPriority = false, isLogged = false, refuseWhenFull } = route;
  return {
    measured: measured(route.method, routerPath(route.path)),
    errorPage,
    highPriority,
    isOperational: OPERATIONAL_PATHS.has(route.path),
    isUpload: false,
    isLogged,
    admit(request) {
      refuseWhenFull?.(ctx);
      return admitRequest(admissions, admission, request);
    },
    readBody: bodyReaderOf(route),
    answer: (request) => answerTo(ctx, route, request),
  };
}

/**
 * The body of a GET is read only where the route takes an `environment`: some clients send the
 * fields of every method in the body, and to ignore it would answer with the other environment's
 * data (Decision 0074).
 */
function bodyReaderOf(route: Route<never>): Endpoint["readBody"] {
  const repeated = route.repeatsMustAgree ? "must-agree" : "last-wins";
  if (route.method !== "GET") return ({ raw }) => receiveBody(raw, repeated);
  if (environmentPlace(route) === undefined) return () => undefined;
  return ({ raw }) => (isReadOnGet(raw) ? receiveBody(raw) : undefined);
}

const NOTHING = Object.freeze({});
const NO_UPLOAD: Upload = { fields: {} };

/** `/auth/keys/{kid}` as the router writes it. */
export function routerPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

/** What was requested, where the request itself says it in terms of an earlier version. */
export interface Target {
  readonly params: Readonly<Record<string, unknown>>;
  /** Path and query. */
  readonly url: string;
}

interface AnswerOptions {
  readonly upload?: Upload;
  readonly target?: Target;
}

/** Async, so that a field that is refused rejects. */
export async function answerTo<Ctx extends Infra>(
  ctx: Ctx,
  route: Route<Ctx>,
  request: Request,
  { upload = NO_UPLOAD, target = request }: AnswerOptions = {},
): Promise<Answer> {
  const idempotencyKey = route.idempotent
    ? readIdempotencyKey(request.raw.headers["idempotency-key"])
    : undefined;
  const params = route.params === undefined ? NOTHING : readFields(route.params, target.params);
  const { query, body } = await readBoth(ctx, route, request, target.url);
  const keyedBy = (key: string) => ({
    ...(route.keyOwnerOf?.(body) ?? keyOwnerOf(request.caller)),
    route: `${route.method} ${route.path}`,
    key,
    peppers: ctx.config.tokenPeppers,
    fingerprints: fingerprintsOf(ctx.config.tokenPeppers, {
      path: JSON.stringify(params),
      query,
      body: route.upload === undefined ? body : uploadMark(upload),
    }),
  });
  const call: Call<unknown, unknown, unknown> = {
    body,
    query,
    params,
    upload,
    accept: request.raw.headers.accept ?? "",
    address: request.clientAddress,
    url: ctx.config.http.publicUrl + target.url,
    header: (name) => headerOf(request, name),
    texts: () => textsOf(request.body),
    read: route.readsFromStandby ? ctx.db.readFromStandby : (work) => work(ctx.db),
    sentFields: () => (request.body ?? {}) as Record<string, unknown>,
    once: (work) =>
      idempotencyKey === undefined
        ? ctx.db.transaction(work)
        : runOnce(ctx.db, keyedBy(idempotencyKey), work),
    async onceReady(ready, work) {
      if (idempotencyKey !== undefined)
        return runOnceReady(ctx.db, keyedBy(idempotencyKey), ready, work);
      const made = await ready();
      return ctx.db.transaction((tx) => work(tx, made));
    },
  };
  return route.run(ctx, call as Call<never, never, never>, request.caller);
}

/** The query first, then the body; `environment` may stand in either (Decision 0074). */
async function readBoth<Ctx>(ctx: Ctx, route: Route<Ctx>, request: Request, url: string) {
  const { caller, body: sent } = request;
  const place = environmentPlace(route);
  const inQuery =
    place === "query" && sent !== undefined
      ? withEnvironment(route.query ?? NOTHING, environmentInBody(sent))
      : route.query;
  const query = readQuery(inQuery, url);
  const shape = (caller && route.bodyFor?.(caller)) ?? route.body;
  if (shape === undefined) return { query, body: NOTHING };
  const inBody = (fields: Shape) =>
    place === "body" ? withEnvironment(fields, environmentInQuery(url)) : fields;
  const given = (sent ?? {}) as Record<string, unknown>;
  try {
    return { query, body: readFields(inBody(shape), given) };
  } catch (error) {
    const again = await route.bodyAfterRefusal?.(ctx as never, { error, sent: given }, caller);
    if (again === undefined) throw error;
    return { query, body: readFields(inBody(again), given) };
  }
}

function keyOwnerOf(caller: Caller | undefined): KeyOwner {
  return {
    accountNumber: caller?.accountNumber ?? "",
    environment: caller?.credential.kind === "key" ? caller.credential.environment : "any",
  };
}

function uploadMark({ fields, file }: Upload): Record<string, unknown> {
  return { fields, file: file && createHash("sha256").update(file).digest("hex") };
}

function readQuery(shape: Shape | undefined, url: string): Record<string, unknown> {
  if (shape === undefined) return NOTHING;
  const start = url.indexOf("?");
  const repeatable = new Set(Object.keys(shape).filter((name) => shape[name]?.repeatable));
  const raw = parseForm(start === -1 ? "" : url.slice(start + 1), {
    repeated: "refuse",
    repeatable,
    what: "query",
  });
  return readFields(shape, raw);
}
