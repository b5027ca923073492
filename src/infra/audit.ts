/** The audit trail: what happened to whom, by whom. Rows are only ever added. */

import { type Queryable, sql } from "./db/query.ts";

export interface AuditEntry {
  readonly action: string;
  readonly accountNumber?: string;
  /** Who did it: an address, a credential, an operator's name. */
  readonly actor: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export async function recordAudit(db: Queryable, entry: AuditEntry): Promise<void> {
  await db.run(sql`
    insert into audit_entries (action, account_number, actor, detail)
    values (${entry.action}, ${entry.accountNumber}, ${entry.actor},
      ${JSON.stringify(entry.detail ?? {})})`);
}
