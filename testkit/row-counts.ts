/** How many rows there are, for tests that say what must not have happened. */

import type { Database } from "../src/infra/db/database.ts";
import { sql } from "../src/infra/db/query.ts";

/**
 * Rows of every table, but for those that count and record the refusals themselves, and the records
 * of 1.x callers and of requests, which are written later.
 */
export async function rowCounts(db: Database): Promise<Record<string, string>> {
  const tables = await db.rows<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public'
      and table_name not in ('rate_limit_windows', 'former_uses')
      and not starts_with(table_name, 'audit_entries')
      and not starts_with(table_name, 'logged_requests')
    order by 1`);
  const counts = tables.map(({ name }) => `(select count(*)::text from ${name}) as ${name}`);
  return db.one({ name: "row_counts", text: `select ${counts.join(", ")}`, values: [] });
}

/** What every row of every table says, but for those above and for when keys were last used. */
export async function tableDigests(db: Database): Promise<Record<string, string | null>> {
  const tables = Object.keys(await rowCounts(db)).filter((name) => name !== "api_keys");
  const digests = tables.map(
    (name) =>
      `(select md5(string_agg(t::text, ',' order by t::text)) from ${name} as t) as ${name}`,
  );
  return db.one({ name: "table_digests", text: `select ${digests.join(", ")}`, values: [] });
}
