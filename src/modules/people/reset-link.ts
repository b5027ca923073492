/**
 * Password reset links: `/reset/{token}`, made for one person, who asked for it or for whom an
 * operator made it (Decisions 0070 and 0085).
 *
 * A link is valid while it is the newest of its person, within 30 minutes by the database's clock,
 * and only while the password is the one from when the link was made and, for a holder, the account
 * is active; or closed, where the person acts for another one (Decision 0146).
 */

import type { Config } from "../../infra/config.ts";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { PERSON_EPOCH, PERSONS, type SigningPerson } from "./person.ts";
import { isToken, newToken, tokenDigest } from "./random-token.ts";

export const RESET_LINK_MINUTES = 30;
/** An earlier link of the person becomes invalid. */
export async function makeResetLink(
  { http }: Pick<Config, "http">,
  tx: Tx,
  {
    personId,
    credentialEpoch,
    isOperator,
  }: Pick<SigningPerson, "personId" | "credentialEpoch" | "isOperator">,
): Promise<{ url: string; expiresAt: Date }> {
  const token = newToken();
  const { expires_at: expiresAt } = await tx.one(sqlOf(pick(tables.reset_links, "expires_at"))`
    insert into reset_links (person_id, token_digest, credential_epoch, expires_at)
    values (${personId}, ${tokenDigest(token)}, ${credentialEpoch},
      real_now() + make_interval(mins => ${RESET_LINK_MINUTES}))
    on conflict (person_id) do update
    set token_digest = excluded.token_digest, credential_epoch = excluded.credential_epoch,
      expires_at = excluded.expires_at
    returning expires_at`);
  const page = isOperator ? "/operator/password" : "/reset";
  return { url: `${http.publicUrl}${page}/${token}`, expiresAt };
}

/** Of `reset_links as link` and `PERSONS`. */
const IS_GOOD = sql`link.expires_at > real_now() and link.credential_epoch = ${PERSON_EPOCH}
  and holding.status is distinct from 'frozen'
  and (holding.status is distinct from 'closed' or exists (
    select from members join accounts using (account_number)
    where members.person_id = persons.person_id and accounts.status = 'active'))`;

/** Whose password the link sets; undefined for a link that is unknown, used or expired. */
export async function personOfResetLink(
  db: Queryable,
  token: string,
  { isOperator, lock = sql`` }: { readonly isOperator: boolean; readonly lock?: Sql },
): Promise<string | undefined> {
  if (!isToken(token)) return undefined;
  const row = await db.maybeOne(sqlOf(pick(tables.reset_links, "person_id"))`
    select link.person_id
    from reset_links as link join (${PERSONS}) on persons.person_id = link.person_id
    where token_digest = ${tokenDigest(token)} and persons.is_operator = ${isOperator}
      and ${IS_GOOD}
    ${lock}`);
  return row?.person_id;
}
