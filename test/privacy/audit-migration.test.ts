/**
 * The guarantee: the migration that divides the audit trail by month loses no entry and changes
 * none, numbers go on where they were, and the months of what was there before are made afterwards
 * (Decision 0121).
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import pg from "pg";
import { emptyDatabase, type TestDatabase } from "../../testkit/database.ts";
import { projectRoot } from "../house/project-files.ts";

const FOLDER = path.join(projectRoot, "db/migrations");
const DIVIDING = readdirSync(FOLDER).find((file) => file.endsWith("_audit_by_month.sql")) ?? "";
const MONTHS = 5;
const A_MONTH = 20;

let database: TestDatabase;
let client: pg.Client;
before(async () => {
  database = await emptyDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  for (const file of readdirSync(FOLDER).toSorted()) if (file < DIVIDING) await apply(file);
});
after(async () => {
  await client.end();
  await database.drop();
});

async function apply(file: string): Promise<void> {
  await client.query("begin");
  await client.query(readFileSync(path.join(FOLDER, file), "utf8"));
  await client.query("commit");
}

async function entries(): Promise<unknown[]> {
  const { rows } = await client.query(
    "select to_jsonb(one) as entry from audit_entries as one order by entry_id",
  );
  return rows.map(({ entry }) => entry);
}

const places = async () =>
  (
    await client.query(`
      select tableoid::regclass::text as place, count(*)::int as count
      from audit_entries group by 1 order by 1`)
  ).rows;

test("what was there before is there after it, and its months follow", async () => {
  // The oldest at the first moment of its month, the newest now.
  await client.query(
    `insert into audit_entries (happened_at, action, account_number, actor, detail)
    select date_trunc('month', now(), 'UTC') - make_interval(months => month)
        + make_interval(hours => hour),
      'entry ' || hour, nullif('12345678' || hour, '1234567810'), 'test',
      jsonb_build_object('transaction_id', month, 'n', hour)
    from generate_series(0, $1::int) as month, generate_series(0, $2::int) as hour`,
    [MONTHS - 1, A_MONTH - 1],
  );
  const drawn = await client.query(`
    select nextval(pg_get_serial_sequence('audit_entries', 'entry_id'))::int as number`);
  const before = await entries();
  assert.equal(before.length, MONTHS * A_MONTH);

  await apply(DIVIDING);
  assert.deepEqual(await entries(), before);
  const [current, other] = await places();
  assert.deepEqual(
    [current.count, other],
    [A_MONTH, { place: "audit_entries_other", count: (MONTHS - 1) * A_MONTH }],
  );

  const { rows } = await client.query(`
    insert into audit_entries (action, actor) values ('later', 'test')
    returning entry_id::int as number`);
  assert(rows[0].number > drawn.rows[0].number, "a number was drawn again");

  for (let month = 0; month < MONTHS; month++)
    await client.query(
      "select add_audit_month((now() at time zone 'UTC' - make_interval(months => $1))::date)",
      [month],
    );
  assert.deepEqual((await entries()).slice(0, before.length), before);
  const counts = (await places()).map(({ count }) => count);
  assert.deepEqual(counts, [...Array(MONTHS - 1).fill(A_MONTH), A_MONTH + 1]);
});
