/**
 * The guarantee: a statement returns what its shape declares, or a test fails and names the
 * statement and the column; a column that the schema does not have does not compile.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Database, openDatabase } from "../../../src/infra/db/database.ts";
import { prepared, sqlOf } from "../../../src/infra/db/query.ts";
import {
  bigint,
  bool,
  columns,
  int,
  json,
  nullable,
  omit,
  outer,
  pick,
  type Shape,
  text,
  texts,
  timestamp,
  word,
} from "../../../src/infra/db/row.ts";
import { tables } from "../../../src/infra/db/tables.ts";
import { createLog } from "../../../src/infra/log.ts";
import { demandShape } from "../../../testkit/check-rows.ts";
import { freshDatabase, type TestDatabase } from "../../../testkit/database.ts";

let database: TestDatabase;
let db: Database;

before(async () => {
  database = await freshDatabase();
  const log = createLog({ level: "silent" });
  db = openDatabase({ url: database.url, connectionsMax: 2, log, check: demandShape });
});

after(async () => {
  await db.close();
  await database.drop();
});

test("a row has the values that its shape declares", async () => {
  const shape = {
    name: text,
    total: bigint,
    count: int,
    is_over: bool,
    at: timestamp,
    ended_at: nullable(timestamp),
    scopes: texts,
    detail: json<{ a: number }>(),
    environment: word("live", "sandbox"),
  };
  const row = await db.one(sqlOf(shape)`
    select 'a' as name, 9007199254740993 as total, 1 as count, true as is_over,
      '2026-11-17T00:00:00Z'::timestamptz as at, null::timestamptz as ended_at,
      '{a,b}'::text[] as scopes, '{"a":1}'::jsonb as detail, 'live' as environment`);
  assert.deepEqual(row, {
    name: "a",
    total: 9007199254740993n,
    count: 1,
    is_over: true,
    at: new Date("2026-11-17T00:00:00Z"),
    ended_at: null,
    scopes: ["a", "b"],
    detail: { a: 1 },
    environment: "live",
  });
});

describe("a statement that disagrees with its shape fails", () => {
  const wrong = [
    ["a column too many", sqlOf({ a: int })`select 1 as a, 2 as b`, /column b is returned but not/],
    ["a column too few", sqlOf({ a: int, b: int })`select 1 as a`, /column b is declared but not/],
    ["another type", sqlOf({ a: int })`select 1::bigint as a`, /declared as int but .* type int8/],
    ["a null", sqlOf({ a: int })`select null::int as a`, /column a is null but not declared as/],
    ["an unknown word", sqlOf({ a: word("x", "y") })`select 'z' as a`, /not one of its words: z/],
  ] as const;
  for (const [what, statement, expected] of wrong)
    test(`by ${what}`, async () => {
      await assert.rejects(db.rows(statement), expected);
      await assert.rejects(db.transactionOf<Shape>(statement), expected);
      await assert.rejects(
        db.transaction((tx) => tx.maybeOne(statement)),
        expected,
      );
    });

  test("even if it returns no row, and by the name it is prepared under", async () => {
    const statement = prepared("no-such-row", sqlOf({ a: int })`select 1 as b where false`);
    await assert.rejects(db.maybeOne(statement), /in the statement: no-such-row$/);
  });
});

describe("the columns of a table", () => {
  const account = pick(tables.accounts, "account_number", "email");

  test("are listed as they are declared, with the table's name where one is given", () => {
    assert.equal(columns(account).text, "account_number, email");
    assert.equal(columns(account, "owner").text, "owner.account_number, owner.email");
  });

  test("are all known to the schema, and all of them can be read", async () => {
    for (const [name, shape] of Object.entries(tables)) {
      const select = `select ${columns(shape).text} from ${name} limit 0`;
      await db.rows({ name: "", text: select, values: [], shape });
    }
  });

  test("are null in a row that an outer join did not find", async () => {
    const row = await db.one(sqlOf(outer(account))`
      select ${columns(account)} from (select) as nothing left join accounts on false`);
    assert.deepEqual(row, { account_number: null, email: null });
  });

  test("that do not exist do not compile", () => {
    // @ts-expect-error: accounts have no such column
    pick(tables.accounts, "shoe_size");
    // @ts-expect-error: nor is it there to be left out
    omit(tables.accounts, "shoe_size");
  });
});
