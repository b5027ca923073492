/**
 * How one route is served: admitted first (`admit-request.ts`), then its fields are read (400),
 * then the use case runs, then its answer becomes bytes.
 */

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../../../kit/errors.ts";
import { readFields, type Shape } from "../../../kit/fields/field.ts";
import type { Infra } from "../../context.ts";
import { admissionTo, admitRequest, type Doorkeeper } from "../admit/admit-request.ts";
import { type Answer, bodyOf, JSON_TYPE } from "../answer.ts";
import { parseForm } from "../body/parse-form.ts";
import type { Upload } from "../body/parse-multipart.ts";
import { hasReadableBody, readGetBody } from "../body/read-get-body.ts";
import type { Caller } from "../caller.ts";
import type { Call, KeyOwner, Route } from "../route.ts";
import {
  environmentInBody,
  environmentInQuery,
  environmentPlace,
  withEnvironment,
} from "./either-place.ts";
import { fingerprintsOf, readIdempotencyKey, runOnce, runOnceReady } from "./idempotency.ts";
import { measured } from "./measure-requests.ts";
import { headerOf, setHelpHeaders } from "./render-error.ts";

/** What is asked of a request before its body is read. */
export function admitterOf<Ctx extends Infra>(ctx: Ctx, door: Doorkeeper, route: Route<Ctx>) {
  const admission = admissionTo(route, ctx.config);
  const { refuseWhenFull } = route;
  const letIn = (request: FastifyRequest, reply: FastifyReply) =>
    admitRequest(door, admission, request, reply);
  const admit: typeof letIn =
    refuseWhenFull === undefined
      ? letIn
      : async (request, reply) => {
          refuseWhenFull(ctx);
          await letIn(request, reply);
        };
  return admit;
}

export function serveRoute<Ctx extends Infra>(
  app: FastifyInstance,
  ctx: Ctx,
  door: Doorkeeper,
  route: Route<Ctx>,
): void {
  const admit = admitterOf(ctx, door, route);
  const url = fastifyPath(route.path);
  const counts = measured(route.method, url);
  const answer = answererOf(ctx, route);
  app.route({
    method: route.method,
    url,
    config: configOf(route),
    onRequest: (request, reply) => {
      request.measured = counts;
      return admit(request, reply);
    },
    handler: (request, reply) => sendWhenReady(reply, answer(request)),
  });
}

export function configOf({ errorPage, highPriority }: Route<never>): FastifyContextConfig {
  return { highPriority: highPriority === true, ...(errorPage === undefined ? {} : { errorPage }) };
}

const NOTHING = Object.freeze({});
const NO_UPLOAD: Upload = { fields: {} };

/** `/auth/keys/{kid}` as the router writes it. */
export function fastifyPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

/** What was asked for, where the request itself says it in the words of an earlier version. */
export interface Asked {
  readonly params: Readonly<Record<string, unknown>>;
  /** Path and query. */
  readonly url: string;
}

interface AnswerOptions {
  readonly upload?: Upload;
  readonly asked?: Asked;
}

interface Served<Ctx> {
  readonly ctx: Ctx;
  readonly route: Route<Ctx>;
  readonly place: ReturnType<typeof environmentPlace>;
}

/** Made once per route, so that what is constant is not computed for every request. */
export function answererOf<Ctx extends Infra>(ctx: Ctx, route: Route<Ctx>) {
  const served = { ctx, route, place: environmentPlace(route) };
  const readsGetBody = route.method === "GET" && served.place !== undefined;
  return (request: FastifyRequest, options?: AnswerOptions) =>
    readsGetBody && hasReadableBody(request)
      ? answerWithBody(served, request, options)
      : answerTo(served, request, options);
}

async function answerWithBody<Ctx extends Infra>(
  served: Served<Ctx>,
  request: FastifyRequest,
  options?: AnswerOptions,
): Promise<Answer> {
  request.body = await readGetBody(request);
  return answerTo(served, request, options);
}

function answerTo<Ctx extends Infra>(
  { ctx, route, place }: Served<Ctx>,
  request: FastifyRequest,
  { upload = NO_UPLOAD, asked = asItIs(request) }: AnswerOptions = {},
): Promise<Answer> {
  const idempotencyKey = route.idempotent
    ? readIdempotencyKey(request.headers["idempotency-key"])
    : undefined;
  const params = route.params === undefined ? NOTHING : readFields(route.params, asked.params);
  const { query, body } = readBoth({ route, place }, request, asked.url);
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
    accept: request.headers.accept ?? "",
    address: request.clientAddress,
    url: ctx.config.http.publicUrl + asked.url,
    header: (name) => headerOf(request, name),
    texts: () => textsOf(request.body),
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
function readBoth<Ctx>(
  { route, place }: Pick<Served<Ctx>, "route" | "place">,
  { caller, body: sent }: FastifyRequest,
  url: string,
) {
  const inQuery =
    place === "query" && sent !== undefined
      ? withEnvironment(route.query ?? NOTHING, environmentInBody(sent))
      : route.query;
  const query = readQuery(inQuery, url);
  const shape = caller === undefined ? route.body : bodyFor(route, caller);
  if (shape === undefined) return { query, body: NOTHING };
  const inBody = place === "body" ? withEnvironment(shape, environmentInQuery(url)) : shape;
  return { query, body: readFields(inBody, (sent ?? {}) as Record<string, unknown>) };
}

function asItIs({ params, raw }: FastifyRequest): Asked {
  return { params: params as Asked["params"], url: raw.url ?? "" };
}

function bodyFor(route: Route<never>, caller: Caller): Shape | undefined {
  return route.bodyFor?.(caller) ?? route.body;
}

function textsOf(body: unknown): Record<string, string> {
  const texts = Object.entries(body ?? {}).filter(([, value]) => typeof value === "string");
  return Object.fromEntries(texts);
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

/**
 * Not an async handler that returns the reply: a reply is a thenable, so Fastify would listen for
 * the end of every answer and wait for two promises more; and of one that is late, and was answered
 * by `limit-times.ts`, it would say in the log that its reply was sent twice.
 */
export function sendWhenReady(reply: FastifyReply, ready: Promise<Answer>): void {
  const fail = (thrown: unknown) => {
    // Anything else would be taken for an answer.
    const err =
      thrown instanceof Error
        ? thrown
        : new Error("what was thrown is no error", { cause: thrown });
    const reqId = reply.request.id;
    if (!reply.sent) reply.send(err);
    // After the answer a refusal is of no use to the caller; a mistake of ours is logged.
    else if (!(err instanceof ServiceError))
      reply.log.error({ err, reqId }, "failed after its answer was out");
  };
  ready.then((answer) => send(reply, answer)).catch(fail);
}

function send(reply: FastifyReply, answer: Answer): void {
  const { status, headers, contentType = JSON_TYPE } = answer;
  const stream = answer.body instanceof Readable ? answer.body : undefined;
  // Nobody reads it: Fastify would, to its end, to throw it away.
  if (reply.sent || reply.request.method === "HEAD") stream?.destroy();
  if (reply.sent) return;
  reply.statusCode = status;
  if (headers !== undefined) reply.headers(headers);
  reply.header("content-type", contentType);
  if (answer.error !== undefined) setHelpHeaders(reply, answer.error);
  if (stream === undefined) reply.send(bodyOf(answer));
  else reply.send(stream.destroyed ? "" : stream);
}
