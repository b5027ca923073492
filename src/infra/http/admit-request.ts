/**
 * Whether a request may come in, before its body is read: who is calling (401), how often (429),
 * with which scope (403), told in that order.
 *
 * Counting may begin beside the reading of the credential's state, when the credential was good the
 * last time it came from this address: nobody can use up somebody else's limit with a guess, a
 * token that has ended or a key that is refused from there.
 */

import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Forbidden, ScopeRefused, ServiceError } from "../../kit/errors.ts";
import type { Config } from "../config.ts";
import { type Caller, credentialName } from "./caller.ts";
import { limitedAddress, type ReadAddress } from "./client-address.ts";
import { countHeader } from "./count-header.ts";
import { type Count, type Hit, TooManyAttempts } from "./rate-limiter.ts";
import type { Access, Authenticate, Limit, Route } from "./route.ts";

export interface Doorkeeper {
  readonly config: Config;
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

/** What a route asks of whoever wants in; worked out once, not with every request. */
export interface Admission {
  readonly access: Access;
  /** Undefined: unlimited. */
  readonly limit: Limit | undefined;
}

export function admissionTo({ access, limit }: Pick<Route<never>, "access" | "limit">): Admission {
  if (limit === "none") return { access, limit: undefined };
  const per = access === "public" ? "address" : "credential";
  return { access, limit: limit ?? { name: "general", per } };
}

export async function admitRequest(
  door: Doorkeeper,
  { access, limit }: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  request.clientAddress = door.readAddress(request.raw);
  if (access === "public") {
    if (limit !== undefined) await applyLimit(door, limit, request, reply);
    return;
  }
  const { goodBefore, caller } = presented(door, request);
  const mayBegin = goodBefore !== undefined && limit?.per === "credential";
  const begun = mayBegin ? countHit(door, limit, goodBefore) : undefined;
  // When the caller is refused, nobody waits for the count any more.
  begun?.catch(() => {});
  request.caller = await caller;
  if (access.credentials === "bearer" && request.caller.credential.kind !== "bearer")
    throw new BearerOnly();
  if (limit !== undefined) await applyLimit(door, limit, request, reply, begun);
  demandRights(access, request.caller);
}

function presented(door: Doorkeeper, { raw, clientAddress }: FastifyRequest) {
  return door.authenticate({
    authorization: onlyOne(raw, "authorization"),
    apiKey: onlyOne(raw, "x-svc-key"),
    address: clientAddress,
  });
}

/** Node keeps the first of two Authorization headers and says nothing; two of them are none. */
function onlyOne({ headers, rawHeaders }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined) return undefined;
  return countHeader(rawHeaders, name) === 1 ? String(value) : "several";
}

async function applyLimit(
  door: Doorkeeper,
  limit: Limit,
  request: FastifyRequest,
  reply: FastifyReply,
  begun?: Promise<Count>,
): Promise<void> {
  const count = await (begun ?? countHit(door, limit, subjectOf(limit, request)));
  const max = door.config.limitsPerMinute[limit.name];
  reply.header("x-ratelimit-limit", max).header("x-ratelimit-remaining", count.remaining);
  if (!count.granted) throw new TooManyAttempts(count.retryAfterSeconds);
}

function countHit(door: Doorkeeper, limit: Limit, subject: string): Promise<Count> {
  const max = door.config.limitsPerMinute[limit.name];
  return door.count({ key: `${limit.name} ${subject}`, max });
}

function subjectOf(limit: Limit, { caller, clientAddress }: FastifyRequest): string {
  if (limit.per === "address" || caller === undefined) return limitedAddress(clientAddress);
  return limit.per === "account" ? caller.accountNumber : credentialName(caller.credential);
}

function demandRights({ accountType, anyScope }: Exclude<Access, "public">, caller: Caller): void {
  if (accountType !== undefined && caller.accountType !== accountType)
    throw new Forbidden(`only for ${accountType} accounts`);
  if (anyScope !== undefined && !anyScope.some((scope) => caller.scopes.has(scope)))
    throw new ScopeRefused(anyScope);
}
