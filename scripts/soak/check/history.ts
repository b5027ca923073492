/** What the witness saw during the run, against what is there now. */

import { raw } from "sql-template-tag";
import { sql } from "../../../src/infra/db/query.ts";
import { APPEND_ONLY, ENDS } from "../witness.ts";
import { type Check, complaintsOf } from "./evidence.ts";

/** What is only added to was only added to. */
export const nothingWasRewritten: Check = async ({ db, witness }) => {
  const wrong: string[] = [];
  let looked = 0;
  for (const [table, seen] of witness.rows) {
    const rows = await db.rows<{ key: string; text: string }>(sql`
      select ${raw(APPEND_ONLY[table])} as key, one::text as text from ${raw(table)} as one
      where ${raw(APPEND_ONLY[table])} = any (${[...seen.keys()]})`);
    const now = new Map(rows.map(({ key, text }) => [key, text]));
    looked += seen.size;
    for (const [key, text] of seen)
      if (now.get(key) !== text) wrong.push(`${table} ${key} was ${text}, is ${now.get(key)}`);
  }
  const triggers = await db.rows(sql`
    select tgrelid::regclass::text as table, tgname from pg_trigger
    where not tgisinternal and tgenabled <> 'O'`);
  return { looked, wrong: [...wrong, ...complaintsOf(triggers, "a guard is switched off")] };
};

/** An end is the end, and things move along their tables only. */
export const endsStayEnds: Check = async ({ db, witness }) => {
  const wrong: string[] = [];
  let looked = 0;
  for (const [table, seen] of witness.ends) {
    const { key, state } = ENDS[table];
    const rows = await db.rows<{ key: string; state: string }>(sql`
      select ${raw(key)} as key, ${raw(state)} as state from ${raw(table)}
      where ${raw(key)} = any (${[...seen.keys()]})`);
    const now = new Map(rows.map((row) => [row.key, row.state]));
    looked += seen.size;
    for (const [id, end] of seen)
      if (now.get(id) !== end) wrong.push(`${table} ${id} ended as ${end}, is ${now.get(id)}`);
  }
  const ways = await db.rows<{ resource: string; way: string }>(sql`
    select resource, string_agg(split_part(event, '.', 2), ' ' order by sequence) as way
    from events where event like 'withdrawal.%' group by resource`);
  for (const { resource, way } of ways)
    if (!isAllowed(way.split(" "))) wrong.push(`${resource} went ${way}`);
  return { looked: looked + ways.length, wrong };
};

/** What may follow what, by the names of events; written a second time, apart from the service. */
const NEXT: Readonly<Record<string, readonly string[]>> = {
  "": ["pending"],
  pending: ["processing", "held", "cancelled"],
  processing: ["completed", "failed", "held"],
  held: ["released", "failed"],
  released: ["processing", "held", "cancelled"],
  completed: ["returned"],
};

function isAllowed(way: readonly string[]): boolean {
  return way.every((step, at) => NEXT[way[at - 1] ?? ""]?.includes(step) ?? false);
}
