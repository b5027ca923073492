/**
 * Looks for words in everything that a database holds: each column of text, JSON, lists of texts
 * and addresses, of each table of each schema, the job queue's included. What was erased must be
 * in none of them.
 */

import { type Queryable, sql } from "../src/infra/db/query.ts";

const KINDS = ["text", "character varying", "json", "jsonb", "ARRAY", "inet", "name"];

/** Where each word stands, in any case, as `table.column: word`. */
export async function placesOf(db: Queryable, words: readonly string[]): Promise<string[]> {
  const columns = await db.rows<{ table: string; column: string }>(sql`
    select format('%I.%I', table_schema, table_name) as table, quote_ident(column_name) as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'
      and data_type = any (${KINDS})
    order by 1, 2`);
  if (columns.length < 100) throw new Error("the columns to look into were not found");
  const found: string[] = [];
  for (const { table, column } of columns) {
    const text = `select distinct word from ${table} as one, unnest($1::text[]) as word
      where strpos(lower(one.${column}::text), lower(word)) > 0`;
    const rows = await db.rows<{ word: string }>({ name: "", text, values: [words] });
    found.push(...rows.map(({ word }) => `${table}.${column}: ${word}`));
  }
  return found;
}
