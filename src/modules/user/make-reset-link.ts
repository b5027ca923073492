/** Makes a password reset link; the one before it is worthless from then on (Decision 0070). */

import type { Config } from "../../infra/config.ts";
import { sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { newResetToken, RESET_LINK_MINUTES, resetTokenDigest, resetUrl } from "./reset-link.ts";

/** For an active account whose row the tx has locked. */
export async function makeResetLink(
  config: Pick<Config, "http">,
  tx: Tx,
  accountNumber: string,
): Promise<{ url: string; expiresAt: Date }> {
  const token = newResetToken();
  const { expires_at: expiresAt } = await tx.one(sqlOf(pick(tables.password_resets, "expires_at"))`
    insert into password_resets (account_number, token_digest, credential_epoch, expires_at)
    select account_number, ${resetTokenDigest(token)}, credential_epoch,
      app_now() + make_interval(mins => ${RESET_LINK_MINUTES})
    from accounts where account_number = ${accountNumber}
    on conflict (account_number) do update
    set token_digest = excluded.token_digest, credential_epoch = excluded.credential_epoch,
      expires_at = excluded.expires_at
    returning expires_at`);
  return { url: resetUrl(config, token), expiresAt };
}
