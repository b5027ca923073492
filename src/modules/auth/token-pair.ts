/**
 * An access token and the refresh token that goes with it. A refresh token is 256 random bits,
 * stored as a keyed digest. The pair it was exchanged for is sealed under a key derived from the
 * token, so that only the holder of the token can read it again.
 */

import type { Config } from "../../infra/config.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { addSeconds } from "../../kit/clock.ts";
import {
  derivedKey,
  deriveKey,
  keyedDigest,
  randomBase62,
  type SecretKey,
  seal,
  unseal,
} from "../../kit/secrets.ts";
import { type Grant, signAccessToken } from "./access-token.ts";
import type { AuthContext } from "./context.ts";
import { REFRESH_EXTRA_SECONDS } from "./lifetimes.ts";

const SECRET_LENGTH = 43;

export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Inside the tx that allows it. */
export async function issuePair(
  ctx: AuthContext,
  tx: Tx,
  grant: Grant,
): Promise<TokenPair & { readonly refreshDigest: Buffer }> {
  const access = await signAccessToken(ctx, tx, grant);
  const refreshToken = `svc_rt_${randomBase62(SECRET_LENGTH)}`;
  const pepper = ctx.config.tokenPeppers.current;
  const refreshDigest = digestOf(refreshToken, pepper);
  const expiresAt = addSeconds(access.expiresAt, REFRESH_EXTRA_SECONDS);
  await tx.run(sql`
    insert into refresh_tokens (token_digest, pepper_id, grant_id, issued_at, expires_at)
    values (${refreshDigest}, ${pepper.id}, ${grant.grantId}, ${grant.issuedAt}, ${expiresAt})`);
  await tx.run(sql`
    update grants set expires_at = ${expiresAt} where grant_id = ${grant.grantId}`);
  return { accessToken: access.token, refreshToken, refreshDigest };
}

function digestOf(token: string, pepper: SecretKey): Buffer {
  return keyedDigest(derivedKey(pepper, "refresh token"), token);
}

/** Under every pepper still accepted, so that rotating peppers ends no sign-in. */
export function possibleDigests(token: string, peppers: Config["tokenPeppers"]): Buffer[] {
  return peppers.all.map((pepper) => digestOf(token, pepper));
}

export function sealPair(pair: TokenPair, oldToken: string): Buffer {
  return seal(pairKey(oldToken), Buffer.from(JSON.stringify(pair)), "successor");
}

export function openPair(sealed: Buffer, oldToken: string): TokenPair {
  return JSON.parse(unseal(pairKey(oldToken), sealed, "successor").toString());
}

function pairKey(oldToken: string): Buffer {
  return deriveKey(Buffer.from(oldToken), "successor of a refresh token");
}
