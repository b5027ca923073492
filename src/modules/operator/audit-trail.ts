/** Entries of the audit trail as an operator reads them. */

import { type Queryable, type Sql, sqlOf } from "../../infra/db/query.ts";
import { columns, json, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";

const ENTRY = { ...tables.audit_entries, detail: json<Record<string, unknown>>() };

export type AuditRow = Row<typeof ENTRY>;

/** Newest first. */
export function readTrail(db: Queryable, condition: Sql, max: number): Promise<AuditRow[]> {
  return db.rows(sqlOf(ENTRY)`
    select ${columns(ENTRY)} from audit_entries where ${condition}
    order by happened_at desc, entry_id desc limit ${max}`);
}

export function viewEntry(row: AuditRow) {
  return { ...row, entry_id: Number(row.entry_id) };
}

/** An operator's reason; of what a caller did there is none. */
export function reasonIn({ detail }: AuditRow): string | undefined {
  return typeof detail.why === "string" ? detail.why : undefined;
}
