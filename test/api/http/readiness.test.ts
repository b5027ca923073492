/**
 * The guarantee: `/readyz` says what is not ready, why and for how long, in words that reveal
 * neither hosts nor users nor SQL; the metric and the log say the same, the log once for a change.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { register } from "prom-client";
import { troubleInWords } from "../../../src/infra/db/database-errors.ts";
import { sql } from "../../../src/infra/db/query.ts";
import { Unavailable } from "../../../src/kit/errors.ts";
import { startCuttingProxy } from "../../../testkit/cutting-proxy.ts";
import { freshDatabase } from "../../../testkit/database.ts";
import { startService } from "../../../testkit/service.ts";
import { until } from "../../../testkit/until.ts";

const database = await freshDatabase();
const proxy = await startCuttingProxy(database.url);
const service = await startService({ database: { url: proxy.url, drop: async () => {} } });
after(async () => {
  await service.stop();
  await proxy.close();
  await database.drop();
});

interface Found {
  readonly check: string;
  readonly ready: boolean;
  readonly for_seconds: number;
  readonly why?: string;
}

async function ask() {
  const { status, body, headers, text } = await service.request("/readyz");
  const checks: Found[] = body.checks;
  const failed = Object.fromEntries(
    checks.filter(({ ready }) => !ready).map(({ check, why }) => [check, why]),
  );
  const secondsOf = (name: string) => checks.find(({ check }) => check === name)?.for_seconds ?? -1;
  return { status, body, headers, text, failed, secondsOf };
}

async function gauge(): Promise<Record<string, number>> {
  const found = await register.getSingleMetric("windward_ready")?.get();
  return Object.fromEntries(
    (found?.values ?? []).map(({ labels, value }) => [String(labels.check), value]),
  );
}

const linesAbout = (words: string) => service.logged.filter((line) => line.includes(words));

test("a process in order lists its checks, and the gateways beside them", async () => {
  assert.deepEqual(await gauge(), {}, "nothing was looked at so far");
  const { status, body, failed } = await ask();
  assert.deepEqual([status, body.message, failed], [200, "OK", {}]);
  assert.deepEqual(
    body.checks.map(({ check }: Found) => check),
    ["process", "database", "migrations"],
  );
  assert.equal(body.gateways.sandbox, "up");
  assert.deepEqual(await gauge(), { process: 1, database: 1, migrations: 1 });
});

test("without a database it says so, since when, and where it is stays unsaid", async () => {
  await proxy.goAway();
  const { status, body, headers, text, failed } = await ask();
  assert.deepEqual([status, body.message], [503, "Service Unavailable"]);
  assert.deepEqual(failed, { database: "The database does not answer." });
  assert.equal(headers.get("retry-after"), "1");
  assert.equal(headers.get("x-svc-error"), "unavailable");
  const { port, username } = new URL(proxy.url);
  for (const secret of [port, username, "127.0.0.1", "select"]) assert(!text.includes(secret));
  assert.deepEqual(await gauge(), { process: 1, database: 0, migrations: 1 });
  await until(async () => (await ask()).secondsOf("database") >= 1, "it tells how long");
  assert.equal(linesAbout('"msg":"not ready"').length, 1);

  await proxy.comeBack();
  await until(async () => (await ask()).status === 200, "it is ready again");
  assert.equal((await ask()).secondsOf("database"), 0);
  assert.equal(linesAbout('"msg":"ready again"').length, 1);
  assert.equal((await gauge()).database, 1);
});

test("with a database that lacks a migration it is not ready", async () => {
  const { db } = service.ctx;
  const hide = sql`update schema_migrations set name = name || ' (later)'
    where name = (select max(name) from schema_migrations)`;
  assert.equal(await db.run(hide), 1);
  const words = "The database lacks migrations that this version needs.";
  assert.deepEqual((await ask()).failed, { migrations: words });
  await db.run(sql`update schema_migrations set name = replace(name, ' (later)', '')`);
  assert.equal((await ask()).status, 200);

  await db.run(sql`alter table schema_migrations rename to hidden_migrations`);
  assert.deepEqual((await ask()).failed, { migrations: words });
  await db.run(sql`alter table hidden_migrations rename to schema_migrations`);
  assert.equal((await ask()).status, 200);
});

test("what is wrong with the database has a sentence for each kind", () => {
  const error = (code: string, message = "secret host") =>
    Object.assign(new Error(message), { code });
  const cases: [unknown, string][] = [
    [error("ECONNREFUSED"), "The database does not answer."],
    [
      new AggregateError([error("ECONNREFUSED"), error("ECONNREFUSED")]),
      "The database does not answer.",
    ],
    [error("57P01"), "The database does not answer."],
    [error("28P01"), "The database refuses our user or password."],
    [error("3D000"), "The server has no database of this name."],
    [error("53300"), "The database has run out of disk, memory or connections."],
    [error("58030"), "The database cannot read or write its files."],
    [error("25006"), "The database is in recovery: a standby, or being promoted."],
    [error("57014"), "The database takes too long."],
    [error("CERT_HAS_EXPIRED"), "The database does not prove who it is, as sslmode asks."],
    [
      new Error("timeout exceeded when trying to connect"),
      "No connection was free, and none could be opened in time.",
    ],
    [error("XX000"), "The database is in trouble; the log says more."],
  ];
  for (const [cause, words] of cases)
    for (const each of [cause, new Unavailable({ cause })])
      assert.equal(troubleInWords(each), words);
});
