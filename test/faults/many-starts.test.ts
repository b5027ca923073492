/**
 * However many start together and wherever one is killed, the database is made once and whole: each
 * migration ran once, one key signs and one is next, the demo world is there once. A
 * database that is ahead of the program is left alone.
 */

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { readdirSync } from "node:fs";
import { after, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { DEMO_ACCOUNTS } from "../../src/demo-world.ts";
import { MIGRATION_LOCK } from "../../src/infra/db/migrate.ts";
import { demoSignIn } from "../../testkit/ask.ts";
import { databaseUrl, emptyDatabase, freshDatabase } from "../../testkit/database.ts";
import { query } from "../../testkit/database-owners.ts";
import { endAll, launch, start, UNHINDERED, whenReady } from "../../testkit/processes.ts";
import { until } from "../../testkit/until.ts";

const STARTERS = 5;
const KILL_ROUNDS = Number(process.env.KILL_ROUNDS ?? 3);
/**
 * Longer than a start takes from its first connection on, so that a kill can meet any part of it.
 */
const KILLED_WITHIN_MS = 400;
const READY_MS_MAX = 60_000;

const migrations = readdirSync(new URL("../../db/migrations", import.meta.url))
  .map((file) => file.replace(/\.sql$/, ""))
  .sort();

after(endAll);

async function expectMadeOnce(url: string): Promise<void> {
  const column = async (statement: string) =>
    (await query(url, statement)).map((row) => Object.values(row)[0]);
  assert.deepEqual(await column("select name from schema_migrations order by name"), migrations);
  assert.deepEqual(await column("select state from signing_keys order by state"), [
    "current",
    "next",
  ]);
  assert.deepEqual(
    await column("select email from accounts order by email"),
    DEMO_ACCOUNTS.map((account) => account.email).sort(),
  );
  await query(url, "select graphile_worker.add_job('prune-requests', '{}'::json)");
}

test("five that start at once on an empty database all get ready, and it is made once", async (t) => {
  const database = await emptyDatabase();
  const settings = { ...UNHINDERED, DATABASE_URL: database.url };
  const openTheGate = await closeTheGate(t, database.url);
  const starting = Array.from({ length: STARTERS }, () => whenReady(launch({ settings })));
  await openTheGate(STARTERS);
  const services = await Promise.all(starting);
  const slowest = Math.max(...services.map((service) => service.readyMs));
  assert(slowest < READY_MS_MAX, `the slowest took ${slowest} ms`);
  await expectMadeOnce(database.url);
  const tokens = await Promise.all(
    services.map(async (service) => {
      const answer = await service.ask("/auth/tokens", demoSignIn());
      return answer.body.access_token;
    }),
  );
  for (const [index, token] of tokens.entries()) {
    const other = services[(index + 1) % STARTERS];
    assert.equal((await other?.ask("/auth/whoami", { token }))?.status, 200);
  }
  const endings = await Promise.all(services.map((service) => service.stop()));
  assert.deepEqual(
    endings.map((ending) => ending.code),
    Array(STARTERS).fill(0),
  );
  t.diagnostic(`all ready after ${Math.round(slowest)} ms`);
  await database.drop();
});

/** Nobody gets further than the lock of the migrations until as many as expected wait for it. */
async function closeTheGate(
  t: TestContext,
  url: string,
): Promise<(expected: number) => Promise<void>> {
  const blocker = new pg.Client({ connectionString: url });
  await blocker.connect();
  t.after(() => blocker.end());
  await blocker.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
  const name = new URL(url).pathname.slice(1);
  const waiting = `select from pg_locks join pg_database on pg_database.oid = database
    where datname = '${name}' and locktype = 'advisory' and not granted`;
  return async (expected) => {
    const elsewhere = databaseUrl("postgres");
    await until(async () => (await query(elsewhere, waiting)).length === expected, "all wait");
    await blocker.end();
  };
}

test("a start that is killed at any moment is made good by the next", async (t) => {
  const met = { empty: 0, migrated: 0, whole: 0 };
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const database = await emptyDatabase();
    const settings = { ...UNHINDERED, DATABASE_URL: database.url };
    const victim = launch({ settings });
    const connections =
      "select from pg_stat_activity where datname = current_database() " +
      "and application_name = 'windward'";
    await until(async () => (await query(database.url, connections)).length > 0, "it connected");
    await sleep(randomInt(KILLED_WITHIN_MS));
    victim.signal("SIGKILL");
    await victim.ended;
    met[await stateOf(database.url)]++;
    const service = await start({ settings });
    await expectMadeOnce(database.url);
    assert.equal((await service.ask("/auth/tokens", demoSignIn())).status, 200);
    await service.stop();
    await database.drop();
  }
  t.diagnostic(`${KILL_ROUNDS} kills met the database ${JSON.stringify(met)}`);
});

async function stateOf(url: string): Promise<"empty" | "migrated" | "whole"> {
  const [found] = await query(url, "select to_regclass('accounts') is not null as migrated");
  if (!found?.migrated) return "empty";
  const accounts = await query(url, "select from accounts");
  return accounts.length === DEMO_ACCOUNTS.length ? "whole" : "migrated";
}

test("a database that is ahead is refused in a sentence and stays as it is", async () => {
  const database = await freshDatabase();
  const row = "insert into schema_migrations (name, run_on) values ('9999_from_later', now())";
  await query(database.url, row);
  const settings = { ...UNHINDERED, DATABASE_URL: database.url };
  const { code, stdout, stderr } = await launch({ settings }).ended;
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(stderr, /has migrations this program does not know \(9999_from_later\)\. Start the/);
  assert.equal(stderr.trim().split("\n").length, 1);
  for (const table of ["accounts", "signing_keys"])
    assert.deepEqual(await query(database.url, `select from ${table}`), []);
  await database.drop();
});
