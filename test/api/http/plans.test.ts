/** A plan outlives the table it was made for: what is found by a key stays found by it. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openDatabase } from "../../../src/infra/db/database.ts";
import { prepared, type Sql, type Statement, sql } from "../../../src/infra/db/query.ts";
import { createLog } from "../../../src/infra/log.ts";
import { freshDatabase } from "../../../testkit/database.ts";

/** A plan is kept from the sixth time on. */
const TIMES_UNTIL_KEPT = 6;

const { url } = await freshDatabase();
// One connection: a kept plan belongs to one.
const db = openDatabase({ url, connectionsMax: 1, log: createLog({ level: "silent" }) });
after(() => db.close());

type Ask = (ids: number[]) => Sql;

const FORMS: Record<string, Ask> = {
  "a key": (ids) => sql`select id from grown where id = ${ids[0]}::int`,
  "a key and a state": (ids) => sql`
    select id from grown where id = ${ids[0]}::int and state || '' = 'open'`,
  "an array of keys": (ids) => sql`select id from grown where id = any(${ids}::int[])`,
  "an array out of rows": (ids) => sql`
    with wanted as materialized (select * from unnest((select ${ids}::int[])) as wanted (id))
    select id from grown join wanted using (id)
    where id = any(array(select id from wanted))`,
  "rows, one by one": (ids) => sql`
    select found.id from unnest((select ${ids}::int[])) as wanted (id)
    join lateral (select id from grown where id = wanted.id limit 1) as found on true`,
};

for (const [form, statement] of Object.entries(FORMS))
  for (const size of [0, 1, 3, 50])
    test(`a plan by ${form} from when a table had ${size} rows does not read all of it`, async () => {
      await growFrom(size);
      const name = `find by ${form} in ${size}`;
      const find = (ids: number[]) => db.rows(prepared(name, statement(ids)));
      for (let time = 0; time < TIMES_UNTIL_KEPT; time++) await find([1]);
      await grow(size);
      assert.deepEqual(await find([9999]), [{ id: 9999 }]);
      const shown = JSON.stringify(await db.rows(explained(name, statement)));
      assert.match(shown, /Index Cond: \((grown\.)?id = /);
      assert.doesNotMatch(shown, /Seq Scan/);
      const kept = await db.one<{ generic_plans: bigint }>(sql`
        select generic_plans from pg_prepared_statements where name = ${name}`);
      assert(kept.generic_plans > 0n, "it was found by a plan from when the table was small");
    });

/** With the index of a state that few have, as sessions and payments under way have it. */
async function growFrom(size: number): Promise<void> {
  await db.run(sql`drop table if exists grown`);
  await db.run(sql`create table grown (id int primary key, state text not null)`);
  await db.run(sql`create index open_ones on grown (state) where state = 'open'`);
  await db.run(
    sql`insert into grown select id, 'open' from generate_series(1, ${size}::int) as id`,
  );
  await db.run(sql`analyze grown`);
}

function grow(from: number): Promise<number> {
  return db.run(sql`
    insert into grown select id, 'open' from generate_series(${from + 1}::int, 10000) as id`);
}

function explained(name: string, statement: Ask): Statement {
  const [value] = statement([9999]).values;
  const text = `explain execute "${name}" ('${Array.isArray(value) ? `{${value}}` : value}')`;
  return { name: "", text, values: [] };
}
