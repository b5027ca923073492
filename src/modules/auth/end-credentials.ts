/**
 * Ends every sign-in, console session and API key of an account. Triggers renew the version of all
 * credentials with this tx (Decision 0059), so it holds on every process for later requests. The
 * new credential epoch also ends a password reset link (Decision 0070).
 */

import { sql, sqlOf } from "../../infra/db/query.ts";
import { int } from "../../infra/db/row.ts";
import type { Tx } from "../../infra/db/transaction.ts";

/** How many ended that would still have worked. The tx has locked the account's row. */
export async function endCredentials(
  tx: Tx,
  accountNumber: string,
): Promise<{ signIns: number; keys: number }> {
  const { count: signIns } = await tx.one(sqlOf({ count: int })`
    select count(*)::int as count
    from grants join accounts using (account_number, credential_epoch)
    where account_number = ${accountNumber} and revoked_at is null and expires_at > real_now()`);
  await tx.run(sql`
    update accounts set credential_epoch = credential_epoch + 1
    where account_number = ${accountNumber}`);
  // The holder's sessions end with the epoch; those of other members do not.
  await tx.run(sql`
    update console_sessions set ended_at = real_now()
    where account_number = ${accountNumber} and ended_at is null`);
  // Rotated keys whose overlap has not ended are rows of their own.
  const keys = await tx.run(sql`
    update api_keys set revoked_at = real_now()
    where account_number = ${accountNumber} and revoked_at is null
      and (expires_at is null or expires_at > real_now())`);
  return { signIns, keys };
}
