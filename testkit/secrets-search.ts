/** Searches what a service wrote for what it must never write: card numbers and security codes. */

import { type Queryable, sql } from "../src/infra/db/query.ts";

/** Every card number that stands in a text, whatever is between its digits. */
export function numbersIn(text: string, searched: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (const [run] of text.matchAll(/\d(?:[ +-]?\d){15,}/g)) {
    const digits = run.replace(/\D/g, "");
    for (let at = 0; at + 16 <= digits.length; at++)
      if (searched.has(digits.slice(at, at + 16))) found.push(digits.slice(at, at + 16));
  }
  return found;
}

/** Every row of every table as a line of JSON. */
export async function dumpTables(db: Queryable): Promise<string[]> {
  const tables = await db.rows<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`);
  const texts: string[] = [];
  for (const { name } of tables) {
    const text = `select row_to_json(one)::text as line from ${name} as one`;
    const rows = await db.rows<{ line: string }>({ name: "", text, values: [] });
    texts.push(...rows.map(({ line }) => line));
  }
  return texts;
}

/** Words of texts that are a security code and nothing else; times and ids are no words. */
export function codesIn(lines: readonly string[], codes: ReadonlySet<string>): string[] {
  const leaves = (value: unknown): string[] => {
    if (typeof value === "string") return [value];
    return typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [];
  };
  const words = lines.flatMap((line) => leaves(JSON.parse(line))).join("\n");
  return [...words.matchAll(/(?<![\w.:+-])\d{3}(?![\w.:+-])/g)]
    .map(([word]) => word)
    .filter((word) => codes.has(word));
}
