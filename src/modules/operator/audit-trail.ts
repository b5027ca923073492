/** Entries of the audit trail as an operator reads them. */

import { type Queryable, type Sql, sql } from "../../infra/db/query.ts";

export interface AuditRow {
  entry_id: bigint;
  happened_at: Date;
  action: string;
  account_number: string | null;
  actor: string;
  detail: Record<string, unknown>;
}

/** Newest first. */
export function readTrail(db: Queryable, condition: Sql, max: number): Promise<AuditRow[]> {
  return db.rows<AuditRow>(sql`
    select entry_id, happened_at, action, account_number, actor, detail
    from audit_entries where ${condition}
    order by happened_at desc, entry_id desc limit ${max}`);
}

export function viewEntry(row: AuditRow) {
  return { ...row, entry_id: Number(row.entry_id) };
}

/** An operator's reason; of what a caller did there is none. */
export function reasonIn({ detail }: AuditRow): string | undefined {
  return typeof detail.why === "string" ? detail.why : undefined;
}
