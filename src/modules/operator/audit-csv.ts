/**
 * The audit trail as CSV: every entry that the filters leave, newest first. It holds one batch at a
 * time; the next is read by its key when the reader has taken the last one, and no connection is
 * held in between.
 */

import { Readable } from "node:stream";
import type { Infra } from "../../infra/context.ts";
import { now } from "../../infra/db/clock.ts";
import { type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, computed, json, type Row, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { csvLine } from "../../kit/csv.ts";
import { type AuditFilters, filterTrail } from "./audit-filters.ts";

const ROWS_AT_ONCE = 1_000;

/** To the microsecond, which a `Date` is not. */
const ENTRY = {
  ...tables.audit_entries,
  detail: json<Record<string, unknown>>(),
  exactly_at: computed(text, sql`happened_at::text`),
};

type Entry = Row<typeof ENTRY>;

const CELLS: Readonly<Record<string, (entry: Entry) => string | null>> = {
  entry_id: ({ entry_id }) => String(entry_id),
  happened_at: ({ happened_at }) => happened_at.toISOString(),
  account_number: ({ account_number }) => account_number,
  actor: ({ actor }) => actor,
  action: ({ action }) => action,
  detail: ({ detail }) => JSON.stringify(detail),
};

/** Resolves when the first entries are there, so that an error before them is still an answer. */
export async function streamAudit(
  { db, log }: Pick<Infra, "db" | "log">,
  asked: AuditFilters,
): Promise<Readable> {
  const { condition } = filterTrail(asked, await now(db));
  const batches = readBatches(db, condition);
  const first = await batches.next();
  const reportCut = (err: unknown): never => {
    log.error({ err }, "an audit log was cut short: its next entries could not be read");
    throw err;
  };
  async function* bytes() {
    yield Buffer.from(csvLine(Object.keys(CELLS)));
    for (let next = first; !next.done; next = await batches.next().catch(reportCut))
      yield Buffer.from(next.value.map(lineOf).join(""));
  }
  return Readable.from(bytes());
}

async function* readBatches(db: Infra["db"], condition: Sql) {
  for (let after = sql`true`; ; ) {
    const rows = await db.rows(sqlOf(ENTRY)`
      select ${columns(ENTRY)} from audit_entries where ${condition} and ${after}
      order by happened_at desc, entry_id desc limit ${ROWS_AT_ONCE}`);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    after = sql`(happened_at, entry_id) < (${last.exactly_at}::timestamptz, ${last.entry_id})`;
  }
}

function lineOf(entry: Entry): string {
  return csvLine(Object.values(CELLS).map((cellOf) => cellOf(entry)));
}
