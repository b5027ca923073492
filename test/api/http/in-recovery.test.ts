/**
 * Nothing is read from a server that is being promoted: it may still have to replay what was
 * acknowledged, and would answer 404 to it. A function of the same name stands for such a server.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openDatabase } from "../../../src/infra/db/database.ts";
import { sql } from "../../../src/infra/db/query.ts";
import { createLog } from "../../../src/infra/log.ts";
import { Unavailable } from "../../../src/kit/errors.ts";
import { emptyDatabase } from "../../../testkit/database.ts";

const database = await emptyDatabase();
const log = createLog({ level: "silent" });
const open = (url: string) => openDatabase({ url, connectionsMax: 2, log });
const owner = open(database.url);
const url = new URL(database.url);
url.searchParams.set("options", "-c search_path=stand_in,pg_catalog");
const served = open(url.href);
after(async () => {
  await served.close();
  await owner.close();
  await database.drop();
});

const pretend = (isInRecovery: boolean) =>
  owner.run(
    isInRecovery
      ? sql`create or replace function stand_in.pg_is_in_recovery() returns boolean
          language sql as 'select true'`
      : sql`create or replace function stand_in.pg_is_in_recovery() returns boolean
          language sql as 'select false'`,
  );

test("a server in recovery is asked nothing, and once it leads it is", async () => {
  await owner.run(sql`create schema stand_in`);
  await pretend(true);
  const ask = () => served.one<{ answer: number }>(sql`select 1 as answer`);
  await assert.rejects(ask, (error) => error instanceof Unavailable);
  await pretend(false);
  assert.equal((await ask()).answer, 1);
});
