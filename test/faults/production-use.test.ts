/**
 * The guarantee: nobody starts the demo world on a database of production by leaving STAGE out.
 * Production marks its database, and any other stage refuses it before it changes anything
 * (Decision 0141).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { emptyDatabase } from "../../testkit/database.ts";
import { makeUsedDataDir, query } from "../../testkit/database-owners.ts";
import { freePort } from "../../testkit/free-port.ts";
import { PRODUCTION_SETTINGS } from "../../testkit/mails.ts";
import { operatorProcess } from "../../testkit/operator.ts";
import { endAll, launch, start, UNHINDERED } from "../../testkit/processes.ts";

after(endAll);

describe("a database that production has used", () => {
  test("is refused by any other stage, which changes nothing in it", async () => {
    const database = await emptyDatabase();
    const DATABASE_URL = database.url;
    const metricsPort = String(await freePort());
    const settings = { ...PRODUCTION_SETTINGS, DATABASE_URL, METRICS_PORT: metricsPort };
    for (const _ of ["first", "again"])
      assert.equal((await (await start({ settings })).stop()).code, 0);
    const counted = "select count(*)::int as count from production_use";
    assert.deepEqual(await query(DATABASE_URL, counted), [{ count: 1 }]);

    const forgotten = { ...settings, STAGE: "" };
    const unset = await launch({ settings: forgotten }).ended;
    assert.equal(unset.code, 1);
    assert.match(unset.stderr, /- STAGE is missing, and DATABASE_URL with PASSWORD_PEPPERS/);

    for (const own of [{}, { STAGE: "development" }, { STAGE: "development", WORKERS: "2" }]) {
      const { code, stdout, stderr } = await launch({ settings: { DATABASE_URL, ...own } }).ended;
      assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
      assert.equal(
        stderr.trim(),
        "Windward did not start. The database was used in production, and this is development. " +
          "Set STAGE=production, or point DATABASE_URL at another database.",
      );
    }
    const said = await operatorProcess({ database }, ["list-operators"]);
    assert.equal(said.code, 1);
    assert.match(said.stderr, /The database was used in production/);
    assert.equal((await query(DATABASE_URL, "select from accounts")).length, 0);
    await database.drop();
  });

  test("is one that an operator's command has used there, too", async () => {
    const database = await emptyDatabase();
    const settings = { ...PRODUCTION_SETTINGS, DATABASE_URL: database.url };
    const said = await operatorProcess({ database }, ["list-operators"], {
      settings: { ...settings, LIVE_PAYOUTS: "files" },
    });
    assert.equal(said.code, 0, said.stderr);
    const { code, stderr } = await launch({ settings: { DATABASE_URL: database.url } }).ended;
    assert.equal(code, 1);
    assert.match(stderr, /The database was used in production/);
    await database.drop();
  });
});

test("several processes with an embedded database and an https address are development", async () => {
  const settings = {
    ...UNHINDERED,
    DATA_DIR: await makeUsedDataDir(),
    PUBLIC_URL: "https://tunnel.example.com",
    WORKERS: "2",
  };
  const service = await start({ settings });
  assert.equal((await service.stop()).code, 0);
});
