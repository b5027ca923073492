/**
 * What an operator is told to do is done by commands, which check, are tested and leave a trail.
 * The guides type no SQL on our tables; what sets up PostgreSQL itself may stay.
 */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { projectRoot } from "./project-files.ts";

const read = (file: string) => readFileSync(path.join(projectRoot, file), "utf8");
const tables = [...read("db/schema.sql").matchAll(/^create table (\w+)/gm)].map(
  ([, name = ""]) => name,
);
/** A script that nobody types: it counts rows in a restored copy, which it then removes. */
const COUNTS_A_COPY = "restore-test.sh";
const GUIDES = [
  "docs/operator.md",
  "docs/operations.md",
  ...["docs/operations", "docs/runbooks"].flatMap((folder) =>
    readdirSync(path.join(projectRoot, folder))
      .filter((name) => name !== COUNTS_A_COPY)
      .map((name) => `${folder}/${name}`),
  ),
];

const onTable = new RegExp(
  "\\b(?:select\\b[^;`]*?\\bfrom|join|update|insert into|delete from|truncate|" +
    `(?:alter|drop) table)\\s+(?:only\\s+)?(?:public\\.)?(${tables.join("|")})\\b`,
  "gi",
);
/** A psql session on our own database is about to run SQL on our tables. */
const toDatabase = /\bpsql\b[^\n]*(?:-d|--dbname)[ =]?windward\b/g;

function complaintsAbout(text: string): string[] {
  return [onTable, toDatabase].flatMap((pattern) =>
    [...text.matchAll(pattern)].map((found) => {
      const line = text.slice(0, found.index).split("\n").length;
      return `line ${line}: ${found[0].split("\n").at(-1)}`;
    }),
  );
}

for (const guide of GUIDES)
  test(`${guide} types no SQL on our tables: a command of src/modules/operator/ does it`, () => {
    assert.deepEqual(complaintsAbout(read(guide)), []);
  });

test("the rule notices what it is about, and passes over PostgreSQL's own", () => {
  assert(tables.length > 20);
  for (const wrong of [
    "`update signing_keys set retired_at = app_now()`",
    'psql -c "select account_number\n  from webhook_endpoints e"',
    "psql -p 5441 -d windward",
    "delete from accounts",
    "select 1 from pg_locks join api_keys on true",
  ])
    assert.equal(complaintsAbout(wrong).length, 1, wrong);
  for (const good of [
    'psql -c "select slot_name from pg_replication_slots"',
    "create database windward owner windward",
    "money is taken from accounts of merchants",
    "pg_dump -p 5441 -Fc windward",
  ])
    assert.deepEqual(complaintsAbout(good), []);
});
