/**
 * Whether a request is served, decided before its body is read: who is calling (401), how often
 * (429), with which scope (403), in that order.
 */

import type { IncomingMessage } from "node:http";
import { Forbidden, ScopeRefused, ServiceError } from "../../../kit/errors.ts";
import type { Config } from "../../config.ts";
import type { Caller } from "../caller.ts";
import { countHeader, type Request } from "../request.ts";
import type { Access, Route } from "../route.ts";
import { limitedAddress, type ReadAddress } from "./client-address.ts";
import type { CountBadCredential } from "./limit-bad-credentials.ts";
import {
  type CallLimit,
  type Count,
  type Hit,
  hitOf,
  TooManyAttempts,
  windowKey,
} from "./rate-limiter.ts";
import { demandMayChange } from "./refuse-sandbox-writes.ts";

interface Presented {
  readonly authorization: string | undefined;
  readonly apiKey: string | undefined;
  readonly address: string;
  readonly takesKeys: boolean;
  readonly limit: CallLimit | undefined;
}

/** Finds the caller and counts the call, or throws the 401. Provided by `app.ts`. */
export type Authenticate = (presented: Presented) => Promise<Identified>;

export interface Identified {
  readonly caller: Caller;
  /** Undefined when there was no limit to count against. */
  readonly count: Count | undefined;
}

export interface AdmissionContext {
  readonly config: Config;
  readonly authenticate: Authenticate;
  readonly count: (hit: Hit) => Promise<Count>;
  readonly countBadCredential: CountBadCredential;
  readonly readAddress: ReadAddress;
}

/** What a route requires of its callers; computed once, not with every request. */
export interface Admission {
  readonly access: Access;
  readonly optionalCaller: boolean;
  /** Counted with the credential, in the same statement. */
  readonly callLimit: CallLimit | undefined;
  /** Counted by the client's address. */
  readonly addressLimit: { readonly name: string; readonly max: number } | undefined;
}

export function admissionTo(
  {
    access,
    limit,
    optionalCaller = false,
  }: Pick<Route<never>, "access" | "limit" | "optionalCaller">,
  { limitsPerMinute }: Pick<Config, "limitsPerMinute">,
): Admission {
  if (limit === "none")
    return { access, optionalCaller, callLimit: undefined, addressLimit: undefined };
  const { name, per } = limit ?? {
    name: "general",
    per: access === "public" ? "address" : "credential",
  };
  const max = limitsPerMinute[name];
  return {
    access,
    optionalCaller,
    callLimit: per === "address" ? undefined : { name, per, max },
    addressLimit: per === "address" ? { name, max } : undefined,
  };
}

export async function admitRequest(
  ctx: AdmissionContext,
  { access, optionalCaller, callLimit, addressLimit }: Admission,
  request: Request,
): Promise<void> {
  const address = ctx.readAddress(request.raw);
  request.clientAddress = address;
  if (access !== "public") {
    const takesKeys = access.credentials === "either";
    const { caller, count } = await identify(ctx, request, { takesKeys, limit: callLimit });
    request.caller = caller;
    if (callLimit !== undefined && count !== undefined) applyLimit(count, callLimit.max, request);
  }
  if (addressLimit !== undefined) {
    const { name, max } = addressLimit;
    const count = await ctx.count({ key: windowKey(name, limitedAddress(address)), max });
    applyLimit(count, max, request);
  }
  // After the address was counted, so that guesses at credentials are limited here too.
  if (optionalCaller) request.caller = await callerIfAny(ctx, request);
  demandRights(access, request.caller);
}

/** A bad credential is counted by its address (Decision 0072). */
async function identify(
  ctx: AdmissionContext,
  request: Request,
  terms: Pick<Presented, "takesKeys" | "limit">,
): Promise<Identified> {
  const { raw, clientAddress: address } = request;
  const authorization = onlyOne(raw, "authorization");
  const presented = { ...terms, authorization, apiKey: onlyOne(raw, "x-svc-key"), address };
  try {
    return await ctx.authenticate(presented);
  } catch (error) {
    if (!isUnauthorized(error) || !isJudged(presented)) throw error;
    const count = await ctx.countBadCredential(presented.address);
    if (count?.granted === false)
      applyLimit(count, ctx.config.limitsPerMinute.bad_credentials, request);
    throw error;
  }
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 401;
}

/** No credential, two, or a key where none is accepted, are refused without being looked up. */
function isJudged({ authorization, apiKey, takesKeys }: Presented): boolean {
  if (authorization !== undefined) return apiKey === undefined;
  return apiKey !== undefined && takesKeys;
}

/** Undefined when there is no credential or a bad one. */
async function callerIfAny(ctx: AdmissionContext, request: Request): Promise<Caller | undefined> {
  const { authorization, "x-svc-key": key } = request.raw.headers;
  if (authorization === undefined && key === undefined) return undefined;
  try {
    return (await identify(ctx, request, { takesKeys: true, limit: undefined })).caller;
  } catch (error) {
    if (isUnauthorized(error)) return undefined;
    throw error;
  }
}

/** Refuses a caller who has used up all of these limits, without counting. */
export async function demandRoom(
  ctx: AdmissionContext,
  admissions: readonly Admission[],
  caller: Caller,
): Promise<void> {
  const counts = await Promise.all(
    admissions.flatMap(({ callLimit: limit }) =>
      limit === undefined ? [] : [ctx.count({ ...hitOf(limit, caller), weight: 0 })],
    ),
  );
  const soonest = Math.min(...counts.map((count) => count.retryAfterSeconds));
  if (counts.length > 0 && counts.every(({ remaining }) => remaining === 0))
    throw new TooManyAttempts(soonest);
}

/** The limit and scope of a route that only the body has named. */
export async function admitCaller(
  ctx: AdmissionContext,
  { access, callLimit }: Admission,
  request: Request,
): Promise<void> {
  const { caller } = request;
  if (callLimit !== undefined && caller !== undefined)
    applyLimit(await ctx.count(hitOf(callLimit, caller)), callLimit.max, request);
  demandRights(access, caller);
}

/** Node keeps the first of two Authorization headers silently; two of them are none. */
function onlyOne({ headers, rawHeaders }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  if (value === undefined) return undefined;
  return countHeader(rawHeaders, name) === 1 ? String(value) : "several";
}

function applyLimit(count: Count, max: number, { answerHeaders }: Request): void {
  answerHeaders["x-ratelimit-limit"] = String(max);
  answerHeaders["x-ratelimit-remaining"] = String(count.remaining);
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

export function mayUse(access: Access, caller: Caller): boolean {
  if (access === "public" || access.anyScope === undefined) return true;
  return access.anyScope.some((scope) => caller.scopes.has(scope));
}
