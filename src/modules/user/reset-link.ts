/**
 * Password reset links: `/reset/{token}`, made by an operator for one account (Decision 0070).
 *
 * A link is good while it is the newest of its account, within 30 minutes by the database's clock,
 * and only while the account is active and its password is the one from when the link was made.
 * Only a digest of the token is stored. A plain one will do: nobody tries out 256 random bits.
 */

import { hash, randomBytes } from "node:crypto";
import type { Config } from "../../infra/config.ts";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";

export const RESET_LINK_MINUTES = 30;
const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

export function newResetToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

export function isResetToken(given: unknown): given is string {
  return typeof given === "string" && TOKEN.test(given);
}

export function resetTokenDigest(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

export function resetUrl({ http }: Pick<Config, "http">, token: string): string {
  return `${http.publicUrl}/reset/${token}`;
}

/** Of `password_resets as link` and `accounts as account`, which share the account's number. */
const IS_GOOD = sql`link.expires_at > app_now() and account.status = 'active'
  and link.credential_epoch = account.credential_epoch`;

/** Whose password the link sets; undefined for a link that is unknown, used or over. */
export async function accountOfResetLink(
  db: Queryable,
  token: string,
  lock: Sql = sql``,
): Promise<string | undefined> {
  if (!isResetToken(token)) return undefined;
  const row = await db.maybeOne(sqlOf(pick(tables.password_resets, "account_number"))`
    select account_number
    from password_resets as link join accounts as account using (account_number)
    where token_digest = ${resetTokenDigest(token)} and ${IS_GOOD}
    ${lock}`);
  return row?.account_number;
}
