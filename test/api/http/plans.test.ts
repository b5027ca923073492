/** A plan outlives the table it was made for: what is found by a key stays found by it. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openDatabase } from "../../../src/infra/db/database.ts";
import { prepared, sql } from "../../../src/infra/db/query.ts";
import { createLog } from "../../../src/infra/log.ts";
import { freshDatabase } from "../../support/database.ts";

/** A plan is kept from the sixth time on. */
const TIMES_UNTIL_KEPT = 6;

const { url } = await freshDatabase();
// One connection: a kept plan belongs to one.
const db = openDatabase({ url, connectionsMax: 1, log: createLog({ level: "silent" }) });
after(() => db.close());

const FORMS = {
  "a key": (ids: number[]) => sql`select id from grown where id = ${ids[0]}`,
  "an array of keys": (ids: number[]) => sql`select id from grown where id = any(${ids}::int[])`,
  "an array out of rows": (ids: number[]) => sql`
    with wanted as materialized (select * from unnest(${ids}::int[]) as wanted (id))
    select id from grown join wanted using (id)
    where id = any(array(select id from wanted))`,
  "rows, one by one": (ids: number[]) => sql`
    select found.id from unnest((select ${ids}::int[])) as wanted (id)
    join lateral (select id from grown where id = wanted.id limit 1) as found on true`,
};

for (const [at, [form, statement]] of Object.entries(FORMS).entries())
  for (const size of [1, 3, 50])
    test(`a plan by ${form} from when a table had ${size} rows does not read all of it`, async () => {
      await db.run(sql`drop table if exists grown`);
      await db.run(sql`create table grown (id int primary key)`);
      await db.run(sql`insert into grown select generate_series(1, ${size}::int)`);
      await db.run(sql`analyze grown`);
      const name = `find-grown-${at}-${size}`;
      const find = (ids: number[]) => db.rows(prepared(name, statement(ids)));
      for (let time = 0; time < TIMES_UNTIL_KEPT; time++) await find([1]);
      await db.run(sql`insert into grown select generate_series(${size + 1}::int, 10000)`);
      const text = `explain execute "${name}" ('${at === 0 ? "9999" : "{9999}"}')`;
      const shown = JSON.stringify(await db.rows({ name: "", text, values: [] }));
      assert.match(shown, /Scan using grown_pkey on grown/);
      assert.match(shown, /Index Cond: \((grown\.)?id = /);
      assert.doesNotMatch(shown, /Seq Scan|Hash|Merge/);
      assert.deepEqual(await find([9999]), [{ id: 9999 }]);
    });
