/**
 * How one route is served. The order is the contract's: credentials (401), rate limit (429), scope
 * (403), all before the body is read; then the fields (400); then the use case.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ScopeRefused, ServiceError } from "../../kit/errors.ts";
import { readFields, type Shape } from "../../kit/fields/field.ts";
import type { Config } from "../config.ts";
import type { Infra } from "../context.ts";
import { type Answer, bytesOf, JSON_TYPE } from "./answer.ts";
import { type Caller, credentialName } from "./caller.ts";
import { limitedAddress, type ReadAddress } from "./client-address.ts";
import { fingerprintOf, readIdempotencyKey, runOnce } from "./idempotency.ts";
import { parseForm } from "./parse-form.ts";
import { type Count, type Hit, TooManyAttempts } from "./rate-limiter.ts";
import type { Authenticate, Call, Limit, Route } from "./route.ts";

export interface RouteServices {
  readonly authenticate: Authenticate;
  readonly count: (hit: Hit) => Promise<Count>;
  readonly readAddress: ReadAddress;
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | undefined;
    clientAddress: string;
  }
}

class BearerOnly extends ServiceError {
  constructor() {
    super({
      status: 401,
      code: "bearer_only",
      message: "Unauthorized",
      headers: { "www-authenticate": 'Bearer realm="svc"' },
      cause: "an API key on a route that takes bearer tokens only",
    });
  }
}

export function serveRoute<Ctx extends Infra>(
  app: FastifyInstance,
  ctx: Ctx,
  services: RouteServices,
  route: Route<Ctx>,
): void {
  app.route({
    method: route.method,
    url: fastifyPath(route.path),
    onRequest: async (request, reply) => {
      await admit(ctx.config, services, route, request, reply);
    },
    handler: async (request, reply) => {
      const answer = await answerTo(ctx, route, request);
      return send(reply, answer);
    },
  });
}

/** `/auth/keys/{kid}` as the router writes it. */
export function fastifyPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

async function admit<Ctx>(
  config: Config,
  services: RouteServices,
  route: Route<Ctx>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  request.clientAddress = services.readAddress(request.raw);
  if (route.access !== "public") request.caller = await identify(services, route.access, request);
  if (route.limit !== "none") await countRequest(config, services, route, request, reply);
  const wanted = route.access === "public" ? undefined : route.access.anyScope;
  if (wanted !== undefined && !wanted.some((scope) => request.caller?.scopes.has(scope)))
    throw new ScopeRefused(wanted);
}

async function identify(
  services: RouteServices,
  access: { credentials: "bearer" | "either" },
  request: FastifyRequest,
): Promise<Caller> {
  const { authorization, "x-svc-key": apiKey } = request.raw.headersDistinct;
  const caller = await services.authenticate({
    authorization: authorization?.join(","),
    apiKey: apiKey?.join(","),
    address: request.clientAddress,
  });
  if (access.credentials === "bearer" && caller.credential.kind !== "bearer")
    throw new BearerOnly();
  return caller;
}

async function countRequest<Ctx>(
  config: Config,
  services: RouteServices,
  route: Route<Ctx>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const perDefault = route.access === "public" ? "address" : "credential";
  const limit = (route.limit as Limit | undefined) ?? { name: "general", per: perDefault };
  const max = config.limitsPerMinute[limit.name];
  const count = await services.count({ key: `${limit.name} ${subjectOf(limit, request)}`, max });
  reply.header("x-ratelimit-limit", max).header("x-ratelimit-remaining", count.remaining);
  if (!count.granted) throw new TooManyAttempts(count.retryAfterSeconds);
}

function subjectOf(limit: Limit, { caller, clientAddress }: FastifyRequest): string {
  if (limit.per === "address" || caller === undefined) return limitedAddress(clientAddress);
  return limit.per === "account" ? caller.accountNumber : credentialName(caller);
}

async function answerTo<Ctx extends Infra>(
  ctx: Ctx,
  route: Route<Ctx>,
  request: FastifyRequest,
): Promise<Answer> {
  const idempotencyKey = route.idempotent
    ? readIdempotencyKey(request.headers["idempotency-key"])
    : undefined;
  const params = readFields(route.params ?? {}, request.params as Record<string, unknown>);
  const query = readQuery(route.query, request.raw.url ?? "");
  const body = readFields(route.body ?? {}, (request.body ?? {}) as Record<string, unknown>);
  const once: Call<unknown, unknown, unknown>["once"] = (work) => {
    if (idempotencyKey === undefined) return ctx.db.transaction(work);
    const { caller } = request;
    const keyed = {
      accountNumber: caller?.accountNumber ?? "",
      environment: caller?.credential.kind === "key" ? caller.credential.environment : "any",
      route: `${route.method} ${route.path}`,
      key: idempotencyKey,
      fingerprint: fingerprintOf({ path: JSON.stringify(params), query, body }),
    };
    return runOnce(ctx.db, keyed, work);
  };
  const call: Call<unknown, unknown, unknown> = {
    body,
    query,
    params,
    address: request.clientAddress,
    url: ctx.config.http.publicUrl + (request.raw.url ?? ""),
    log: request.log as Call<unknown, unknown, unknown>["log"],
    once,
  };
  return route.run(ctx, call as Call<never, never, never>, request.caller);
}

function readQuery(shape: Shape | undefined, url: string): Record<string, unknown> {
  if (shape === undefined) return {};
  const start = url.indexOf("?");
  const repeatable = new Set(Object.keys(shape).filter((name) => shape[name]?.repeatable));
  const raw = parseForm(start === -1 ? "" : url.slice(start + 1), {
    repeated: "refuse",
    repeatable,
    what: "query",
  });
  return readFields(shape, raw);
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  return reply
    .code(answer.status)
    .headers(answer.headers ?? {})
    .type(answer.contentType ?? JSON_TYPE)
    .send(bytesOf(answer));
}
