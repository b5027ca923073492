/** The audit trail: what happened to whom, by whom. Rows are only ever added. */

import { type Queryable, sql } from "./db/query.ts";
import type { Caller, Credential } from "./http/caller.ts";

export interface AuditEntry {
  readonly action: string;
  readonly accountNumber?: string;
  /** Who did it: an address, a credential, an operator's name. */
  readonly actor: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export async function insertAudit(db: Queryable, entry: AuditEntry): Promise<void> {
  await db.run(sql`
    insert into audit_entries (action, account_number, actor, detail)
    values (${entry.action}, ${entry.accountNumber}, ${entry.actor},
      ${JSON.stringify(entry.detail ?? {})})`);
}

/**
 * What a caller did, to its own account or to `to`: the account stands as the actor, the credential
 * with the detail. Names of fields belong there, never their values.
 */
export async function recordAudit(
  db: Queryable,
  { accountNumber, credential }: Caller,
  action: string,
  entry: { to?: string; detail?: Readonly<Record<string, unknown>> } = {},
): Promise<void> {
  await insertAudit(db, {
    action,
    accountNumber: entry.to ?? accountNumber,
    actor: `account ${accountNumber}`,
    detail: { ...usedBy(credential), ...entry.detail },
  });
}

function usedBy(credential: Credential): Record<string, string> {
  if (credential.kind === "key") return { kid: credential.kid };
  if (credential.kind === "bearer") return { grant_id: credential.grantId };
  const { sessionId, personId, address, browser } = credential;
  return { session_id: sessionId, person_id: personId, address, browser };
}
