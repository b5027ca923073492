/**
 * Exchanges a refresh token for a new pair (Decision 0009).
 *
 * Each token works once. A client that lost the response may repeat the request for ten seconds, as
 * long as the successor is unused, and gets the same bytes. Any other second use means that two
 * parties hold the token, so the whole family is revoked.
 */

import assert from "node:assert/strict";
import { insertAudit } from "../../infra/audit.ts";
import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, columns, list, pick, type Row, timestamp } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { SECOND_MS } from "../../kit/clock.ts";
import { Forbidden, fixedRefusal } from "../../kit/errors.ts";
import type { Scope } from "../../kit/scopes.ts";
import { mayHold } from "./allowed-scopes.ts";
import type { AuthContext } from "./context.ts";
import { REFRESH_GRACE_SECONDS } from "./lifetimes.ts";
import { issuePair, openPair, possibleDigests, sealPair, type TokenPair } from "./token-pair.ts";

export class RefreshTokenInvalid extends fixedRefusal("invalid_grant") {}

interface RefreshRequest {
  readonly refreshToken: string;
  readonly address: string;
}

const TOKEN = pick(
  tables.refresh_tokens,
  "token_digest",
  "grant_id",
  "expires_at",
  "used_at",
  "successor_sealed",
);

const FAMILY = {
  ...TOKEN,
  ...pick(tables.accounts, "account_number", "account_type", "is_main_merchant"),
  successor_used: bool,
  scopes: list<Scope>(),
  is_alive: bool,
  now: timestamp,
};

type Family = Row<typeof FAMILY>;

/** A reuse is refused and still committed, so a refusal is a value here, not a throw. */
type Outcome = { pair: TokenPair } | { refusal: RefreshTokenInvalid };

export async function refreshTokens(ctx: AuthContext, request: RefreshRequest): Promise<TokenPair> {
  const outcome = await ctx.db.transaction((tx) => exchange(ctx, tx, request));
  if ("refusal" in outcome) throw outcome.refusal;
  return outcome.pair;
}

async function exchange(ctx: AuthContext, tx: Tx, request: RefreshRequest): Promise<Outcome> {
  const family = await lockFamily(ctx, tx, request.refreshToken);
  if (family === undefined) return refused("unknown");
  if (!family.is_alive) return refused("its family or account is no longer alive");
  // Before its age: a used token that comes back after a day is a sign of theft as well.
  if (family.used_at !== null) return useAgain(tx, family, request);
  if (family.now >= family.expires_at) return refused("expired");
  const holder = { accountType: family.account_type, isMainMerchant: family.is_main_merchant };
  if (!family.scopes.every((scope) => mayHold(holder, scope)))
    throw new Forbidden("a scope of the sign-in is no longer allowed");
  return { pair: await rotate(ctx, tx, family, request.refreshToken) };
}

/** The grant's row is the lock of the family: one exchange, reuse or revocation at a time. */
async function lockFamily(
  ctx: AuthContext,
  tx: Tx,
  refreshToken: string,
): Promise<Family | undefined> {
  const digests = possibleDigests(refreshToken, ctx.config.tokenPeppers);
  const found = await tx.maybeOne(sqlOf(pick(tables.grants, "grant_id"))`
    select grant_id from grants
    where grant_id = (select grant_id from refresh_tokens where token_digest = any(${digests}))
    for update`);
  if (found === undefined) return undefined;
  // Read only after the lock, so that it shows what the previous holder wrote.
  return tx.maybeOne(sqlOf(FAMILY)`
    select ${columns(TOKEN, "token")}, successor.used_at is not null as successor_used,
      account_number, account_type, is_main_merchant, grants.scopes,
      grants.revoked_at is null and accounts.status = 'active'
        and grants.credential_epoch = accounts.credential_epoch as is_alive,
      real_now() as now
    from refresh_tokens as token
    join grants using (grant_id)
    join accounts using (account_number)
    left join refresh_tokens as successor on successor.token_digest = token.successor_digest
    where token.token_digest = any(${digests})`);
}

async function useAgain(tx: Tx, family: Family, request: RefreshRequest): Promise<Outcome> {
  assert(family.used_at !== null && family.successor_sealed !== null);
  // In both directions: with a clock that was set back, a used token would be recent again.
  const secondsApart = Math.abs(family.now.getTime() - family.used_at.getTime()) / SECOND_MS;
  if (secondsApart <= REFRESH_GRACE_SECONDS && !family.successor_used)
    return { pair: openPair(family.successor_sealed, request.refreshToken) };
  await revokeGrant(tx, { grantId: family.grant_id, because: "reuse" });
  await insertAudit(tx, {
    action: "refresh_token_reused",
    accountNumber: family.account_number,
    actor: request.address,
    detail: { grant_id: family.grant_id },
  });
  return refused("used before");
}

async function rotate(
  ctx: AuthContext,
  tx: Tx,
  family: Family,
  oldToken: string,
): Promise<TokenPair> {
  const issued = await issuePair(ctx, tx, {
    accountNumber: family.account_number,
    grantId: family.grant_id,
    scopes: family.scopes,
    issuedAt: family.now,
  });
  const pair = { accessToken: issued.accessToken, refreshToken: issued.refreshToken };
  await tx.run(sql`
    update refresh_tokens set used_at = ${family.now}, successor_digest = ${issued.refreshDigest},
      successor_sealed = ${sealPair(pair, oldToken)}
    where token_digest = ${family.token_digest}`);
  return pair;
}

function refused(cause: string): Outcome {
  return { refusal: new RefreshTokenInvalid(cause) };
}

/** Ends a sign-in and everything refreshed from it (Interface §5.6, RFC 7009). */
export async function revokeGrant(
  db: Queryable,
  grant: { grantId: string; because: "revoked" | "reuse" },
): Promise<void> {
  await db.run(sql`
    update grants set revoked_at = real_now(), revoked_because = ${grant.because}
    where grant_id = ${grant.grantId} and revoked_at is null`);
}
