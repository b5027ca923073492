/** Asks every foreign key by hand, since rows were written while none of them was looked at. */

import type pg from "pg";

interface ForeignKey {
  readonly name: string;
  readonly child: string;
  readonly parent: string;
  readonly columns: readonly string[];
  readonly keys: readonly string[];
}

const NAMES = (keys: "conkey" | "confkey", table: "conrelid" | "confrelid") => `(
  select json_agg(quote_ident(attname) order by place)
  from unnest(${keys}) with ordinality as key (number, place)
  join pg_attribute on attrelid = ${table} and attnum = number)`;

const FOREIGN_KEYS = `
  select conname as name, conrelid::regclass::text as child, confrelid::regclass::text as parent,
    ${NAMES("conkey", "conrelid")} as columns, ${NAMES("confkey", "confrelid")} as keys
  from pg_constraint
  where contype = 'f' and connamespace = 'public'::regnamespace
  order by conname`;

/** How many there are, and those with rows that lead nowhere. */
export async function askForeignKeys(
  client: pg.Client,
): Promise<{ readonly count: number; readonly complaints: readonly string[] }> {
  const { rows: all } = await client.query<ForeignKey>(FOREIGN_KEYS);
  const complaints: string[] = [];
  for (const { name, child, parent, columns, keys } of all) {
    const isSet = columns.map((column) => `child.${column} is not null`).join(" and ");
    const fits = columns.map((column, at) => `parent.${keys[at]} = child.${column}`).join(" and ");
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from ${child} as child
       where ${isSet} and not exists (select from ${parent} as parent where ${fits})`,
    );
    const { count = 0 } = rows[0] ?? {};
    if (count > 0) complaints.push(`${count} rows of ${child} break ${name}`);
  }
  return { count: all.length, complaints };
}
