/**
 * Credentials made on the spot, without signing in: a password hash costs more than a whole row of
 * an access table. They are made by the code that makes real ones.
 */

import type { AppContext } from "../src/app.ts";
import { realNow } from "../src/infra/db/clock.ts";
import { sql } from "../src/infra/db/query.ts";
import { newGrantId } from "../src/kit/ids.ts";
import type { Scope } from "../src/kit/scopes.ts";
import type { Environment } from "../src/kit/vocabulary.ts";
import { insertKey } from "../src/modules/auth/create-key.ts";
import { issuePair } from "../src/modules/auth/token-pair.ts";
import type { RequestOptions } from "./service.ts";

/** What a request can be sent with. */
export type Credential = Pick<RequestOptions, "token" | "key">;

interface Holder {
  readonly accountNumber: string;
}

export async function mintToken(
  ctx: AppContext,
  { accountNumber }: Holder,
  scopes: readonly Scope[],
): Promise<{ token: string; grantId: string }> {
  const grantId = newGrantId();
  const { accessToken } = await ctx.db.transaction(async (tx) => {
    const issuedAt = await realNow(tx);
    await tx.run(sql`
      insert into grants
        (grant_id, account_number, scopes, credential_epoch, created_at, expires_at)
      select ${grantId}, account_number, ${scopes}, credential_epoch, ${issuedAt}, ${issuedAt}
      from accounts where account_number = ${accountNumber}`);
    return issuePair(ctx, tx, { accountNumber, grantId, scopes, issuedAt });
  });
  return { token: accessToken, grantId };
}

export async function mintKey(
  ctx: AppContext,
  { accountNumber }: Holder,
  scopes: readonly Scope[],
  options: { allowedCidrs?: readonly string[]; expiresAt?: Date; prefix?: "live" | "test" } = {},
): Promise<{ key: string; kid: string }> {
  const { allowedCidrs = [], expiresAt = null, prefix = "test" } = options;
  const environment: Environment = prefix === "live" ? "live" : "sandbox";
  const wanted = { environment, scopes, allowed_cidrs: allowedCidrs, expires_at: expiresAt };
  const { key, row } = await ctx.db.transaction((tx) => insertKey(ctx, tx, accountNumber, wanted));
  return { key, kid: row.kid };
}
