/**
 * Finds out who is calling: exactly one of a bearer token or an API key, judged by what the
 * database says now (Interface §5.3, §5.4). Whatever is wrong, the answer is the same 401; the log
 * knows which it was.
 */

import { LRUCache } from "lru-cache";
import { recordAudit } from "../../infra/audit.ts";
import { type Caller, credentialName } from "../../infra/http/caller.ts";
import type { Authenticate } from "../../infra/http/route.ts";
import { epochSeconds, SECOND_MS } from "../../kit/clock.ts";
import { sameBytes } from "../../kit/secrets.ts";
import { createTokenVerifier, type TokenClaims } from "./access-token.ts";
import { environmentOfKey, type KeyParts, possibleKeyDigests, readKey } from "./api-key.ts";
import type { AuthContext } from "./context.ts";
import { CLOCK_LEEWAY_SECONDS } from "./lifetimes.ts";
import {
  createGrantReader,
  createKeyReader,
  type GrantState,
  type KeyState,
} from "./read-credentials.ts";
import { NO_CREDENTIAL, Unauthorized } from "./unauthorized.ts";

const WELCOME_MAX = 10_000;
const BEARER = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i;

export function createAuthenticate(ctx: AuthContext): Authenticate {
  const readBearer = createBearerReader(ctx);
  const readKeyHolder = createKeyHolderReader(ctx);
  /** Credentials that were good the last time, each with the address it came from. */
  const welcome = new LRUCache<string, string>({ max: WELCOME_MAX });
  return ({ authorization, apiKey, address }) => {
    if (authorization !== undefined && apiKey !== undefined)
      throw new Unauthorized("both credentials");
    const presented = authorization ?? apiKey;
    if (presented === undefined) throw new Unauthorized(NO_CREDENTIAL);
    const visit = `${address} ${presented}`;
    const goodBefore = welcome.get(visit);
    const reading =
      apiKey === undefined
        ? readBearer(presented)
        : readKeyHolder(presented, address, goodBefore !== undefined);
    const caller = reading.then(
      (found) => {
        if (goodBefore === undefined) welcome.set(visit, credentialName(found.credential));
        return found;
      },
      (refusal) => {
        welcome.delete(visit);
        throw refusal;
      },
    );
    return { goodBefore, caller };
  };
}

/** A token is genuine when its signature is ours; whether it still counts is read anew. */
function createBearerReader(ctx: AuthContext): (header: string) => Promise<Caller> {
  const verify = createTokenVerifier(ctx.config, ctx.signingKeys);
  const readGrant = createGrantReader(ctx.db);
  return async (header) => {
    const token = BEARER.exec(header)?.[1];
    const claims = token === undefined ? undefined : await verify(token);
    if (claims === undefined) throw new Unauthorized("not a token of ours");
    return bearerCaller(claims, await readGrant(claims.grantId));
  };
}

function bearerCaller(claims: TokenClaims, grant: GrantState | undefined): Caller {
  if (grant === undefined || grant.holder.accountNumber !== claims.accountNumber)
    throw new Unauthorized("unknown grant");
  if (!grant.is_alive) throw new Unauthorized("grant revoked, or account closed or changed");
  if (!grant.signing_kids.includes(claims.kid)) throw new Unauthorized("signing key withdrawn");
  const now = epochSeconds(grant.now);
  if (now >= claims.expiresAtSeconds + CLOCK_LEEWAY_SECONDS) throw new Unauthorized("expired");
  if (now < claims.issuedAtSeconds - CLOCK_LEEWAY_SECONDS)
    throw new Unauthorized("issued in the future");
  const expiresAt = new Date(claims.expiresAtSeconds * SECOND_MS);
  return {
    ...grant.holder,
    credential: { kind: "bearer", grantId: claims.grantId, expiresAt },
  };
}

/**
 * A key is genuine when its digest is the stored one. Neither ever changes, so a key that was good
 * before need not be digested again; whether it still counts is read anew.
 */
function createKeyHolderReader(
  ctx: AuthContext,
): (apiKey: string, address: string, isGenuine: boolean) => Promise<Caller> {
  const readState = createKeyReader(ctx.db);
  return async (apiKey, address, isGenuine) => {
    const key = readKey(apiKey);
    if (key === undefined) throw new Unauthorized("not the shape of a key");
    // Made before anything is known, so that an unknown kid costs what a wrong secret costs.
    const digests = isGenuine ? undefined : possibleKeyDigests(ctx.config.tokenPeppers, apiKey);
    const state = await readState({ kid: key.kid, address });
    if (state === undefined) throw new Unauthorized("unknown key");
    if (digests?.every((digest) => !sameBytes(digest, state.key_digest)))
      throw new Unauthorized("wrong secret");
    return keyCaller(ctx, key, state, address);
  };
}

function keyCaller(
  ctx: AuthContext,
  key: KeyParts,
  state: KeyState,
  address: string,
): Caller | Promise<never> {
  if (state.environment !== environmentOfKey(key)) throw new Unauthorized("wrong prefix");
  if (!state.is_alive) throw new Unauthorized("key revoked or expired, or account closed");
  if (!state.is_allowed_from) return refuseAddress(ctx, state, address);
  ctx.keyUsage.note(key.kid);
  const { environment, expires_at: expiresAt } = state;
  return {
    ...state.holder,
    credential: { kind: "key", kid: key.kid, environment, expiresAt },
  };
}

/** Written down once a minute for each key, so that a flood of refusals is no flood of writes. */
async function refuseAddress(ctx: AuthContext, state: KeyState, address: string): Promise<never> {
  if (ctx.keyUsage.isFirstRefusal(state.kid))
    await recordAudit(ctx.db, {
      action: "key_refused_by_address",
      accountNumber: state.holder.accountNumber,
      actor: address,
      detail: { kid: state.kid },
    });
  throw new Unauthorized("address not allowed");
}
