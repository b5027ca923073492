/**
 * Finds out who is calling: exactly one of a bearer token or an API key, judged by what the
 * database says now (Interface §5.3, §5.4). Whatever is wrong, the answer is the same 401; the log
 * knows which it was.
 */

import { recordAudit } from "../../infra/audit.ts";
import type { Caller } from "../../infra/http/caller.ts";
import type { Authenticate } from "../../infra/http/route.ts";
import { epochSeconds } from "../../kit/clock.ts";
import { ServiceError } from "../../kit/errors.ts";
import type { Scope } from "../../kit/scopes.ts";
import { sameBytes } from "../../kit/secrets.ts";
import { createTokenVerifier, type VerifyAccessToken } from "./access-token.ts";
import { mayHold } from "./allowed-scopes.ts";
import { environmentOfKey, keyDigest, readKey } from "./api-key.ts";
import type { AuthContext } from "./context.ts";
import { CLOCK_LEEWAY_SECONDS } from "./lifetimes.ts";
import {
  createGrantReader,
  createKeyReader,
  type GrantState,
  type HolderRow,
  type KeyState,
} from "./read-credentials.ts";

const BEARER = /^Bearer ([A-Za-z0-9._~+/=-]+)$/i;

class Unauthorized extends ServiceError {
  constructor(cause: string) {
    const isMissing = cause === MISSING;
    super({
      status: 401,
      code: "unauthorized",
      message: "Unauthorized",
      headers: {
        "www-authenticate": `Bearer realm="svc"${isMissing ? "" : ', error="invalid_token"'}`,
      },
      cause,
    });
  }
}
const MISSING = "no credential";

export function createAuthenticate(ctx: AuthContext): Authenticate {
  const verify = createTokenVerifier(ctx.config, ctx.signingKeys);
  const readGrant = createGrantReader(ctx.db);
  const readKeyState = createKeyReader(ctx.db);
  return async ({ authorization, apiKey, address }) => {
    if (authorization !== undefined && apiKey !== undefined)
      throw new Unauthorized("both credentials");
    if (authorization !== undefined) return bearerCaller(verify, readGrant, authorization);
    if (apiKey !== undefined) return keyCaller(ctx, readKeyState, apiKey, address);
    throw new Unauthorized(MISSING);
  };
}

async function bearerCaller(
  verify: VerifyAccessToken,
  readGrant: (grantId: string) => Promise<GrantState | undefined>,
  authorization: string,
): Promise<Caller> {
  const token = BEARER.exec(authorization)?.[1];
  const claims = token === undefined ? undefined : await verify(token);
  if (claims === undefined) throw new Unauthorized("not a token of ours");
  const grant = await readGrant(claims.grantId);
  if (grant === undefined || grant.account_number !== claims.accountNumber)
    throw new Unauthorized("unknown grant");
  if (!grant.is_alive) throw new Unauthorized("grant revoked, or account closed or changed");
  if (!grant.signing_kids.includes(claims.kid)) throw new Unauthorized("signing key withdrawn");
  const now = epochSeconds(grant.now);
  if (now >= claims.expiresAtSeconds + CLOCK_LEEWAY_SECONDS) throw new Unauthorized("expired");
  if (now < claims.issuedAtSeconds - CLOCK_LEEWAY_SECONDS)
    throw new Unauthorized("issued in the future");
  return {
    ...holderOf(grant),
    credential: {
      kind: "bearer",
      grantId: claims.grantId,
      expiresAt: new Date(claims.expiresAtSeconds * 1000),
    },
  };
}

async function keyCaller(
  ctx: AuthContext,
  readState: (asked: { kid: string; address: string }) => Promise<KeyState | undefined>,
  apiKey: string,
  address: string,
): Promise<Caller> {
  const key = readKey(apiKey);
  if (key === undefined) throw new Unauthorized("not the shape of a key");
  const peppers = ctx.config.tokenPeppers;
  // Made before anything is known, so that an unknown kid costs what a wrong secret costs.
  const digest = keyDigest(apiKey, peppers.current);
  const state = await readState({ kid: key.kid, address });
  if (state === undefined) throw new Unauthorized("unknown key");
  const pepper = peppers.byId(state.pepper_id);
  const expected =
    pepper === undefined || pepper === peppers.current ? digest : keyDigest(apiKey, pepper);
  if (!sameBytes(expected, state.key_digest)) throw new Unauthorized("wrong secret");
  if (state.environment !== environmentOfKey(key)) throw new Unauthorized("wrong prefix");
  if (!state.is_alive) throw new Unauthorized("key revoked or expired, or account closed");
  if (!state.is_allowed_from) {
    await refuseAddress(ctx, state, address);
    throw new Unauthorized("address not allowed");
  }
  ctx.keyUsage.note(key.kid);
  return {
    ...holderOf(state),
    credential: {
      kind: "key",
      kid: key.kid,
      environment: state.environment,
      expiresAt: state.expires_at,
    },
  };
}

/** Written down once a minute for each key, so that a flood of refusals is no flood of writes. */
async function refuseAddress(ctx: AuthContext, state: KeyState, address: string): Promise<void> {
  if (!ctx.keyUsage.isFirstRefusal(state.kid)) return;
  await recordAudit(ctx.db, {
    action: "key_refused_by_address",
    accountNumber: state.account_number,
    actor: address,
    detail: { kid: state.kid },
  });
}

function holderOf(row: HolderRow): Omit<Caller, "credential"> {
  const holder = { accountType: row.account_type, isMainMerchant: row.is_main_merchant };
  return {
    ...holder,
    accountNumber: row.account_number,
    countryCode: row.country_code,
    scopes: new Set(row.scopes.filter((scope: Scope) => mayHold(holder, scope))),
  };
}
