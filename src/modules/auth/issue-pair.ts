/** Mints an access token and the refresh token that goes with it, inside the tx that allows it. */

import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { addSeconds } from "../../kit/clock.ts";
import type { Scope } from "../../kit/scopes.ts";
import { signAccessToken } from "./access-token.ts";
import type { AuthContext } from "./context.ts";
import { REFRESH_EXTRA_SECONDS } from "./lifetimes.ts";
import { digestOf, newRefreshToken, type TokenPair } from "./refresh-token.ts";

export interface IssuedPair extends TokenPair {
  readonly refreshDigest: Buffer;
}

export async function issuePair(
  ctx: AuthContext,
  tx: Tx,
  grant: { accountNumber: string; grantId: string; scopes: readonly Scope[]; issuedAt: Date },
): Promise<IssuedPair> {
  const access = await signAccessToken({ ...ctx, db: tx }, grant);
  const refreshToken = newRefreshToken();
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
