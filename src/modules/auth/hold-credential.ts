/**
 * Whether the caller's credential is still valid, checked inside the tx that changes what outlives
 * it: the request may have begun long before, its body can be slow to arrive. The account is locked
 * until the tx ends, so a revocation, a closing or a new password either comes first and refuses
 * this, or comes later and finds the change made (Decision 0019).
 */

import { sql, sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { Caller, Credential } from "../../infra/http/caller.ts";
import { PERSON_EPOCH, PERSONS } from "../people/person.ts";
import { SessionOver } from "../people/self.ts";
import { invalid, Unauthorized } from "./unauthorized.ts";

/** Gives the account's credential epoch. The tx will `read` the account's row, or `write` it. */
export async function holdCredential(
  tx: Tx,
  { accountNumber, credential }: Caller,
  accountRow: "read" | "write",
): Promise<number> {
  // The account before the credential, as where an account is closed or its credentials end; and as
  // strongly as needed at once: two that share a lock and both upgrade it would deadlock.
  const account = await tx.maybeOne(sqlOf(pick(tables.accounts, "credential_epoch"))`
    select credential_epoch from accounts
    where account_number = ${accountNumber} and status = 'active'
    ${accountRow === "write" ? sql`for no key update` : sql`for share`}`);
  const epoch = account?.credential_epoch;
  const alive = aliveAt(credential, epoch);
  if (epoch === undefined || (await tx.maybeOne(alive)) === undefined)
    throw endedMeanwhile(credential);
  return epoch;
}

/** A browser is told in words: a challenge for a token means nothing to it. */
function endedMeanwhile({ kind }: Credential): Error {
  const cause = "ended while the request was under way";
  return kind === "session" ? new SessionOver(cause) : new Unauthorized(invalid(cause));
}

function aliveAt(credential: Credential, epoch: number | undefined) {
  if (credential.kind === "bearer")
    return sqlOf({})`select from grants
      where grant_id = ${credential.grantId} and revoked_at is null
        and credential_epoch = ${epoch}
      for share`;
  if (credential.kind === "session")
    return sqlOf({})`select from console_sessions
        join (${PERSONS}) on persons.person_id = console_sessions.person_id
      where session_id = ${credential.sessionId} and ended_at is null
        and holding.status is distinct from 'frozen'
        and console_sessions.credential_epoch = ${PERSON_EPOCH}
      for share of console_sessions`;
  return sqlOf({})`select from api_keys
    where kid = ${credential.kid} and revoked_at is null
      and (expires_at is null or expires_at > real_now())
    for share`;
}

/** The sign-in that changed the password continues under the new epoch; all others have ended. */
export async function carryOver(tx: Tx, { credential }: Caller, epoch: number): Promise<void> {
  if (credential.kind === "bearer")
    await tx.run(sql`
      update grants set credential_epoch = ${epoch} where grant_id = ${credential.grantId}`);
}
