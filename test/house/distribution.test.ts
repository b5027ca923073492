/**
 * The guarantee: docs/capacity.md says of every table where its rows would live if accounts were
 * distributed, beside what its keys really are. A new table cannot land without a verdict.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import pg from "pg";
import { renderDistribution } from "../../scripts/capacity/render-capacity.ts";
import { type KeyFacts, readKeyFacts } from "../../scripts/distribution/key-facts.ts";
import { TARGETS } from "../../scripts/distribution/place.ts";
import { PLACES } from "../../scripts/distribution/places.ts";
import { withoutPlace } from "../../scripts/distribution/render-distribution.ts";
import { freshDatabase, type TestDatabase } from "../../testkit/database.ts";
import { projectRoot } from "./project-files.ts";

let database: TestDatabase;
let client: pg.Client;
let facts: KeyFacts[];

before(async () => {
  database = await freshDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  facts = await readKeyFacts(client);
});
after(async () => {
  await client.end();
  await database.drop();
});

const factsOf = (table: string) => facts.find((one) => one.table === table);

test("every table has its place, and no place is of a table that is gone", () => {
  const advice = "say where its rows would live in scripts/distribution/places-of-*.ts";
  assert.deepEqual(withoutPlace(facts, PLACES), [], advice);
  const tables = facts.map(({ table }) => table);
  assert.deepEqual(
    Object.keys(PLACES).filter((table) => !tables.includes(table)),
    [],
  );
});

test("docs/capacity.md has the table that the schema and the verdicts make", () => {
  const page = readFileSync(path.join(projectRoot, "docs/capacity.md"), "utf8");
  assert.equal(page, renderDistribution(page, facts, PLACES), "Run: npm run generate");
});

test("a table that says it has the account's column has it, and no other is traced past it", () => {
  for (const [table, place] of Object.entries(PLACES)) {
    if (!("way" in place)) continue;
    const isByColumn = "column" in place.way;
    assert.equal(isByColumn, factsOf(table)?.hasColumn, table);
  }
});

test("each row that others are traced by is traced by what stands before it", () => {
  for (const [at, { table }] of TARGETS.entries()) {
    const place = PLACES[table];
    assert(place !== undefined && "way" in place, table);
    if ("column" in place.way) continue;
    const known = TARGETS.slice(0, at);
    for (const target of place.way.of) assert(known.includes(target), `${table} before its parent`);
  }
});

test("a new table is noticed, and what its keys lack is told", async () => {
  await client.query("begin");
  await client.query(`
    create table zebras (id integer primary key, account_number text, name text unique,
      leads_to text references accounts (account_number),
      unique (account_number, name))`);
  const changed = await readKeyFacts(client);
  await client.query("rollback");
  assert.deepEqual(withoutPlace(changed, PLACES), ["zebras"]);
  assert.deepEqual(
    changed.find(({ table }) => table === "zebras"),
    {
      table: "zebras",
      hasColumn: true,
      isInPrimaryKey: false,
      hasPrimaryKey: true,
      uniqueWithoutIt: ["name"],
      leadsToWithoutIt: ["accounts"],
      rowTriggerCount: 0,
      statementTriggerCount: 0,
    },
  );
});
