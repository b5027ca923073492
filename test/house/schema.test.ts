/**
 * The guarantee: `db/schema.sql` is the schema. A reviewer who reads the file sees what the
 * migrations leave behind, and a migration cannot land without its result being shown.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { dumpSchema } from "../../scripts/dump-schema.ts";
import { migrate } from "../../src/infra/db/migrate.ts";
import { createLog } from "../../src/infra/log.ts";
import { emptyDatabase, type TestDatabase } from "../../testkit/database.ts";
import { projectRoot } from "./project-files.ts";

describe("the schema file", () => {
  let database: TestDatabase;
  let client: pg.Client;

  before(async () => {
    database = await emptyDatabase();
    await migrate({ url: database.url, log: createLog({ level: "silent" }) });
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });

  after(async () => {
    await client.end();
    await database.drop();
  });

  test("an empty database and all migrations make db/schema.sql and tables.ts", async () => {
    for (const [file, text] of Object.entries(await dumpSchema(client))) {
      const committed = readFileSync(path.join(projectRoot, file), "utf8");
      assert.equal(text, committed, `${file} is old. Run: npm run generate`);
    }
  });

  // Each step builds on the one before it; the file must show every one of them.
  const steps: [string, string, RegExp][] = [
    ["a table", "create table zebras (id integer)", /^create table zebras \($/m],
    ["a column", "alter table zebras add name text", /^ {2}name text$/m],
    ["not null", "alter table zebras alter name set not null", /^ {2}name text not null$/m],
    ["a default", "alter table zebras alter name set default 'Zoë'", / not null default 'Zoë'$/m],
    [
      "an identity",
      "alter table zebras add n bigint generated always as identity",
      /as identity$/m,
    ],
    ["a key", "alter table zebras add primary key (id)", /zebras_pkey primary key \(id\)$/m],
    ["a check", "alter table zebras add constraint x check (id > 0)", /x check \(id > 0\)$/m],
    [
      "an index",
      "create index z on zebras (n) where id > 5",
      /^create index z on zebras \(n\) where/m,
    ],
    ["unlogged", "alter table zebras set unlogged", /^create unlogged table zebras \($/m],
    ["an option", "alter table zebras set (fillfactor = 70)", /^\) with \(fillfactor=70\);$/m],
    ["a comment", "comment on column zebras.n is 'Stripes.'", /zebras\.n is 'Stripes\.';$/m],
    [
      "an enum",
      "create type gait as enum ('walk', 'Run')",
      /^create type gait as enum \('walk', 'Run/m,
    ],
    ["a domain", "create domain hoof as text check (value <> '')", /^create domain hoof as text$/m],
    ["a sequence", "create sequence herd start 7", /^create sequence herd as bigint start 7;$/m],
    [
      "a function",
      "create function graze() returns trigger language plpgsql as $$ BEGIN return new; end $$",
      /^create function graze\(\)\n {2}returns trigger\n {2}language plpgsql\nas \$\$ BEGIN/m,
    ],
    [
      "a trigger",
      "create trigger t before insert on zebras for each row execute function graze()",
      /^create trigger t\n {2}before insert on zebras\n {2}for each row execute function/m,
    ],
  ];
  for (const [what, sql, shown] of steps) {
    test(`${what} that is added appears in it`, async () => {
      const { "db/schema.sql": earlier } = await dumpSchema(client);
      await client.query(sql);
      const { "db/schema.sql": later } = await dumpSchema(client);
      assert.doesNotMatch(earlier, shown);
      assert.match(later, shown);
    });
  }

  test("a kind of object it cannot show is refused, not left out", async () => {
    await client.query("create view stripes as select 1 as one");
    await assert.rejects(
      dumpSchema(client),
      /cannot write these yet, teach it first: view stripes/,
    );
  });
});
