/**
 * Whether a request may come in, before its body is read: who is calling (401), how often (429),
 * with which scope (403), told in that order.
 */

import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Forbidden, ScopeRefused, ServiceError } from "../../../kit/errors.ts";
import type { Config } from "../../config.ts";
import type { Caller } from "../caller.ts";
import type { Access, Authenticate, CallLimit, Identified, Route } from "../route.ts";
import type { CountBadCredential } from "./bad-credentials.ts";
import { limitedAddress, type ReadAddress } from "./client-address.ts";
import { countHeader } from "./count-header.ts";
import { type Count, type Hit, hitOf, TooManyAttempts, windowKey } from "./rate-limiter.ts";
import { demandMayChange } from "./sandbox-key.ts";

export interface Doorkeeper {
  readonly config: Config;
  readonly authenticate: Authenticate;
  readonly count: (hit: Hit) => Promise<Count>;
  readonly countBadCredential: CountBadCredential;
  readonly readAddress: ReadAddress;
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | undefined;
    clientAddress: string;
  }
}

/** What a route asks of whoever wants in; worked out once, not with every request. */
export interface Admission {
  readonly access: Access;
  readonly greetsCallers: boolean;
  /** Counted with the credential, in the same statement. */
  readonly callLimit: CallLimit | undefined;
  /** Counted by where the request comes from. */
  readonly addressLimit: { readonly name: string; readonly max: number } | undefined;
}

export function admissionTo(
  {
    access,
    limit,
    greetsCallers = false,
  }: Pick<Route<never>, "access" | "limit" | "greetsCallers">,
  { limitsPerMinute }: Pick<Config, "limitsPerMinute">,
): Admission {
  if (limit === "none")
    return { access, greetsCallers, callLimit: undefined, addressLimit: undefined };
  const { name, per } = limit ?? {
    name: "general",
    per: access === "public" ? "address" : "credential",
  };
  const max = limitsPerMinute[name];
  return {
    access,
    greetsCallers,
    callLimit: per === "address" ? undefined : { name, per, max },
    addressLimit: per === "address" ? { name, max } : undefined,
  };
}

export async function admitRequest(
  door: Doorkeeper,
  { access, greetsCallers, callLimit, addressLimit }: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const address = door.readAddress(request.raw);
  request.clientAddress = address;
  if (access !== "public") {
    const takesKeys = access.credentials === "either";
    const given = presented(request, { takesKeys, limit: callLimit });
    const { caller, count } = await identify(door, given, reply);
    request.caller = caller;
    if (callLimit !== undefined && count !== undefined) heed(count, callLimit.max, reply);
  }
  if (addressLimit !== undefined) {
    const { name, max } = addressLimit;
    heed(await door.count({ key: windowKey(name, limitedAddress(address)), max }), max, reply);
  }
  // After the address was counted: whoever is guessing at credentials is not let off here.
  if (greetsCallers) request.caller = await whoeverItIs(door, request, reply);
  demandRights(access, request.caller);
  // Only now is a client that asks first told to send its body.
  const { expect } = request.raw.headers;
  if (expect !== undefined && /^100-continue$/i.test(expect)) reply.raw.writeContinue();
}

function presented(
  { raw, clientAddress }: FastifyRequest,
  { takesKeys, limit }: { takesKeys: boolean; limit: CallLimit | undefined },
) {
  return {
    authorization: onlyOne(raw, "authorization"),
    apiKey: onlyOne(raw, "x-svc-key"),
    address: clientAddress,
    takesKeys,
    limit,
  };
}

type Presented = ReturnType<typeof presented>;

/** Who is calling; a credential that is not good is counted by its address (Decision 0072). */
async function identify(
  door: Doorkeeper,
  given: Presented,
  reply: FastifyReply,
): Promise<Identified> {
  try {
    return await door.authenticate(given);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 401 || !isJudged(given)) throw error;
    const count = await door.countBadCredential(given.address);
    if (count?.granted === false) heed(count, door.config.limitsPerMinute.bad_credentials, reply);
    throw error;
  }
}

/** Whether one credential was looked at: none, two, or a key where none is taken tell nothing. */
function isJudged({ authorization, apiKey, takesKeys }: Presented): boolean {
  if (authorization !== undefined) return apiKey === undefined;
  return apiKey !== undefined && takesKeys;
}

/** Nobody, when there is no credential or not a good one. */
async function whoeverItIs(
  door: Doorkeeper,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | undefined> {
  const given = presented(request, { takesKeys: true, limit: undefined });
  if (given.authorization === undefined && given.apiKey === undefined) return undefined;
  try {
    return (await identify(door, given, reply)).caller;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 401) return undefined;
    throw error;
  }
}

/** Refuses whoever has used up all of these limits, without counting. */
export async function demandRoom(
  door: Doorkeeper,
  admissions: readonly Admission[],
  caller: Caller,
): Promise<void> {
  const counts = await Promise.all(
    admissions.flatMap(({ callLimit: limit }) =>
      limit === undefined ? [] : [door.count({ ...hitOf(limit, caller), weight: 0 })],
    ),
  );
  const soonest = Math.min(...counts.map((count) => count.retryAfterSeconds));
  if (counts.length > 0 && counts.every(({ remaining }) => remaining === 0))
    throw new TooManyAttempts(soonest);
}

/** How often and with which scope, for a caller who was let in before this was known. */
export async function admitCaller(
  door: Doorkeeper,
  { access, callLimit }: Admission,
  { caller }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (callLimit !== undefined && caller !== undefined)
    heed(await door.count(hitOf(callLimit, caller)), callLimit.max, reply);
  demandRights(access, caller);
}

/** Node keeps the first of two Authorization headers and says nothing; two of them are none. */
function onlyOne({ headers, rawHeaders }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined) return undefined;
  return countHeader(rawHeaders, name) === 1 ? String(value) : "several";
}

function heed(count: Count, max: number, reply: FastifyReply): void {
  reply.raw.limitLines =
    `x-ratelimit-limit: ${max}\r\n` + `x-ratelimit-remaining: ${count.remaining}\r\n`;
  if (!count.granted) throw new TooManyAttempts(count.retryAfterSeconds);
}

function demandRights(access: Access, caller: Caller | undefined): void {
  if (access === "public" || caller === undefined) return;
  const { accountType, anyScope } = access;
  if (accountType !== undefined && caller.accountType !== accountType)
    throw new Forbidden(
      `only for ${accountType} accounts`,
      `Use a credential of a ${accountType} account: this route takes no other.`,
    );
  if (anyScope !== undefined && !mayUse(access, caller))
    throw new ScopeRefused(anyScope, caller.scopes);
  demandMayChange(access, caller);
}

/** Whether one of the scopes is there. */
export function mayUse(access: Access, caller: Caller): boolean {
  if (access === "public" || access.anyScope === undefined) return true;
  return access.anyScope.some((scope) => caller.scopes.has(scope));
}
