/**
 * Password reset links: `/reset/{token}`, made by an operator for one account (Decision 0070).
 *
 * A link is valid while it is the newest of its account, within 30 minutes by the database's clock,
 * and only while the account is active and its password is the one from when the link was made.
 * Only a digest of the token is stored; a plain one is enough for 256 random bits.
 */

import { hash, randomBytes } from "node:crypto";
import type { Config } from "../../infra/config.ts";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";

export const RESET_LINK_MINUTES = 30;
const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

export function isResetToken(text: unknown): text is string {
  return typeof text === "string" && TOKEN.test(text);
}

function digestOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** For an active account whose row the tx has locked; an earlier link becomes invalid. */
export async function makeResetLink(
  { http }: Pick<Config, "http">,
  tx: Tx,
  accountNumber: string,
): Promise<{ url: string; expiresAt: Date }> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const { expires_at: expiresAt } = await tx.one(sqlOf(pick(tables.password_resets, "expires_at"))`
    insert into password_resets (account_number, token_digest, credential_epoch, expires_at)
    select account_number, ${digestOf(token)}, credential_epoch,
      app_now() + make_interval(mins => ${RESET_LINK_MINUTES})
    from accounts where account_number = ${accountNumber}
    on conflict (account_number) do update
    set token_digest = excluded.token_digest, credential_epoch = excluded.credential_epoch,
      expires_at = excluded.expires_at
    returning expires_at`);
  return { url: `${http.publicUrl}/reset/${token}`, expiresAt };
}

/** Of `password_resets as link` and `accounts as account`, which share the account's number. */
const IS_GOOD = sql`link.expires_at > app_now() and account.status = 'active'
  and link.credential_epoch = account.credential_epoch`;

/** Whose password the link sets; undefined for a link that is unknown, used or expired. */
export async function accountOfResetLink(
  db: Queryable,
  token: string,
  lock: Sql = sql``,
): Promise<string | undefined> {
  if (!isResetToken(token)) return undefined;
  const row = await db.maybeOne(sqlOf(pick(tables.password_resets, "account_number"))`
    select account_number
    from password_resets as link join accounts as account using (account_number)
    where token_digest = ${digestOf(token)} and ${IS_GOOD}
    ${lock}`);
  return row?.account_number;
}
