/**
 * Snapshots of a whole service with its embedded database (Decision 0105): what came after one is
 * gone in every process, connections get 503 and go on, and a kill at any moment leaves the state
 * before or the state after.
 */

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { mkdir, readdir } from "node:fs/promises";
import http from "node:http";
import { loadavg } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { freshDatabase } from "../../testkit/database.ts";
import { killAllIn, query } from "../../testkit/database-owners.ts";
import { makePayments } from "../../testkit/many-payments.ts";
import {
  endAll,
  makeSeededDataDir,
  type Running,
  start,
  UNHINDERED,
} from "../../testkit/processes.ts";
import { until } from "../../testkit/until.ts";
import {
  ACCOUNT,
  persistently,
  type Sandbox,
  sandboxOf,
  settle,
  signIn,
  spareIsMade,
  startOn,
  stateOf,
  withDatabase,
} from "./snapshot-support.ts";

/** `SNAPSHOT_PAYMENTS=100000` for the figure of the decision record; filling takes minutes. */
const PAYMENTS = Number(process.env.SNAPSHOT_PAYMENTS ?? 2_000);
const KILLS = 3;
const ASKERS = 4;

after(endAll);

for (const workers of [1, 2])
  describe(`with ${workers} ${workers === 1 ? "process" : "processes"}`, () => {
    test("nothing of what came after a snapshot is left", async () => {
      const dataDir = await makeSeededDataDir();
      const { service, url } = await startOn(dataDir, { WORKERS: String(workers) });
      await makePayments(url, { accountNumber: ACCOUNT, count: 50 });
      await settle(url);
      const token = await signIn(service);
      const sandbox = sandboxOf(service, token);
      const made = await sandbox.make("before");
      assert.equal(made.status, 201, made.text);
      assert.deepEqual(await sandbox.names(), ["before"]);
      assert.equal((await persistently(() => sandbox.make("before"))).status, 409);
      // Whatever a developer does: time, payments, sign-ins, keys, webhooks, an order by its key.
      const later = await signIn(service);
      await sandbox.advance(400 * 86_400);
      await makePayments(url, { accountNumber: ACCOUNT, count: 200 });
      const hook = {
        method: "POST",
        token,
        json: { url: "https://shop.example.com/hook", environment: "sandbox" },
        headers: { "idempotency-key": "the-same" },
      };
      const first = await persistently(() => service.ask("/webhooks", hook));
      assert.equal(first.status, 201, first.text);
      const back = await persistently(() => sandboxOf(service, later).restore("before"));
      assert.equal(back.status, 200, back.text);
      // While it is copied nobody else gets into the snapshot.
      await spareIsMade(url, "before");
      assert.deepEqual(await stateOf(url), await stateOf(url, "windward_snapshot_before"));
      // What the comparison leaves out, because it is written behind the answers.
      const clockMoves = "select from audit_entries where action = 'clock_moved'";
      assert.deepEqual(await query(url, clockMoves), []);
      for (let i = 0; i < 4 * workers; i++) {
        assert.equal(await sandbox.shift(), 0);
        const late = await persistently(() => service.ask("/sandbox/clock", { token: later }));
        assert.equal(late.status, 401);
      }
      const again = await persistently(() => service.ask("/webhooks", hook));
      assert.equal(again.status, 201, again.text);
      assert.notEqual(again.body.data.id, first.body.data.id);
      assert.equal((await sandbox.remove("before")).status, 200);
      assert.deepEqual(await sandbox.names(), []);
      for (const gone of [sandbox.restore, sandbox.remove])
        assert.equal((await gone("before")).status, 404);
      await service.stop();
    });

    test("open connections get 503 with Retry-After, and go on", async () => {
      const settings = { WORKERS: String(workers) };
      const { service } = await startOn(await makeSeededDataDir(), settings);
      const token = await signIn(service);
      let isDone = false;
      const agent = new http.Agent({ keepAlive: true, maxSockets: ASKERS });
      const statuses = new Set<number>();
      const asking = Array.from({ length: ASKERS }, async () => {
        while (!isDone) {
          const { status, headers } = await service.ask("/auth/whoami", { token, agent });
          statuses.add(status);
          if (status === 503) assert.match(headers["retry-after"] ?? "", /^\d+$/);
        }
      });
      const sandbox = sandboxOf(service, token);
      assert.equal((await sandbox.make("a")).status, 201);
      assert.equal((await persistently(() => sandbox.restore("a"))).status, 200);
      isDone = true;
      await Promise.all(asking);
      assert.deepEqual([...statuses].sort(), [200, 503]);
      const whoami = () => service.ask("/auth/whoami", { token, agent });
      assert.equal((await persistently(whoami)).status, 200);
      agent.destroy();
      await service.stop();
    });
  });

test(`${PAYMENTS} payments are kept and restored, and the books balance`, async (t) => {
  const { service, url } = await startOn(await makeSeededDataDir(), { LOG_LEVEL: "info" });
  await makePayments(url, { accountNumber: ACCOUNT, count: PAYMENTS });
  await settle(url, 60 + PAYMENTS / 200);
  const sandbox = sandboxOf(service, await signIn(service));
  const before = await stateOf(url);
  const timed = async (what: string, work: () => Promise<{ status: number; text: string }>) => {
    const beganAt = performance.now();
    const { status, text } = await work();
    assert(status < 300, text);
    const ms = Math.round(performance.now() - beganAt);
    const steps = service
      .stdout()
      .trimEnd()
      .split("\n")
      .findLast((line) => line.includes("stoppedMs"));
    t.diagnostic(`${what}: ${ms} ms, load ${loadavg()[0]?.toFixed(1)}, ${steps}`);
  };
  await timed("made", () => sandbox.make("many"));
  await timed("restored at once", () => sandbox.restore("many"));
  await spareIsMade(url, "many");
  await timed("restored from the spare copy", () => sandbox.restore("many"));
  assert.deepEqual(await stateOf(url), before);
  await withDatabase(url, expectBooksToBalance);
  await service.stop();
});

interface Seen {
  readonly shift: number;
  readonly payments: number;
}

async function look(url: string, sandbox: Sandbox): Promise<Seen> {
  const [row] = await query(url, "select count(*)::int as payments from transactions");
  return { shift: await sandbox.shift(), payments: Number(row?.payments) };
}

/** Nothing is left over, in the server's list of databases and in its folders. */
async function expectTidy(url: string, dataDir: string): Promise<void> {
  const leftOver = "select from pg_database where datname like 'windward_left_%'";
  await until(async () => (await query(url, leftOver)).length === 0, "what was left over is gone");
  const known = (await query(url, "select oid from pg_database")).map((row) => row.oid);
  const folders = (await readdir(baseOf(dataDir))).filter((folder) => /^\d+$/.test(folder));
  assert.deepEqual(
    folders.filter((folder) => !known.includes(Number(folder))),
    [],
  );
}

const baseOf = (dataDir: string) => join(dataDir, "postgres", "base");

/** Begins the work and kills service and database meanwhile; gives its answer, if it was told. */
async function killDuring(
  { service, dataDir, withinMs }: { service: Running; dataDir: string; withinMs: number },
  work: () => Promise<{ status: number }>,
): Promise<number | undefined> {
  let answered: number | undefined;
  const told = work().then(
    ({ status }) => {
      answered = status;
    },
    () => {},
  );
  await sleep(randomInt(0, withinMs));
  await service.kill();
  await killAllIn(dataDir);
  await told;
  // As a copy leaves it that nobody can undo.
  await mkdir(join(baseOf(dataDir), "999999"));
  return answered;
}

for (const [kind, done] of [
  ["restore", "restored"],
  ["make", "made"],
] as const)
  test(`a kill while one is ${done} leaves the state before or after`, async (t) => {
    const dataDir = await makeSeededDataDir();
    for (let round = 0; round < KILLS; round++) {
      const { service, url } = await startOn(dataDir);
      const token = await signIn(service);
      const sandbox = sandboxOf(service, token);
      const beganAt = performance.now();
      assert.equal((await sandbox.make("kept")).status, 201);
      // Before, during or after it, however fast this machine is.
      const withinMs = Math.ceil((performance.now() - beganAt) * 1.3);
      const kept = await look(url, sandbox);
      await sandbox.advance(60);
      await makePayments(url, { accountNumber: ACCOUNT, count: 5 });
      const changed = { shift: kept.shift + 60, payments: kept.payments + 5 };
      const answered = await killDuring({ service, dataDir, withinMs }, () =>
        kind === "restore" ? sandbox.restore("kept") : sandbox.make("other"),
      );
      const again = await startOn(dataDir);
      const next = sandboxOf(again.service, token);
      const left = await look(again.url, next);
      const names = await next.names();
      t.diagnostic(`${answered ?? "no answer"}: ${JSON.stringify(left)}, ${names}`);
      const isDone = kind === "make" ? names.includes("other") : left.shift === kept.shift;
      // What was answered stays, and nothing else is made or changed by it.
      if (answered !== undefined) assert(isDone, "it was answered");
      assert.deepEqual(left, kind === "restore" && isDone ? kept : changed);
      assert.deepEqual(names, kind === "make" && isDone ? ["kept", "other"] : ["kept"]);
      await expectTidy(again.url, dataDir);
      for (const [name, state] of [
        ["other", changed],
        ["kept", kept],
      ] as const)
        if (names.includes(name)) {
          assert.equal((await next.restore(name)).status, 200);
          assert.deepEqual(await look(again.url, next), state);
        }
      await withDatabase(again.url, expectBooksToBalance);
      for (const name of names) assert.equal((await next.remove(name)).status, 200);
      await again.service.stop();
    }
  });

test("with a DATABASE_URL there are no snapshots, and the answer says why", async (t) => {
  const database = await freshDatabase();
  const service = await start({ settings: { ...UNHINDERED, DATABASE_URL: database.url } });
  t.after(async () => {
    await service.stop();
    await database.drop();
  });
  const token = await signIn(service);
  const answer = await sandboxOf(service, token).make("a");
  assert.equal(answer.status, 409);
  assert.match(answer.body.message, /need the embedded database/);
  assert.equal((await service.ask("/sandbox/clock", { token })).status, 200);
});
