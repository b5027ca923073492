/**
 * Works of snapshots that come at once, in one process and in several (Decision 0105): one is at
 * work at a time, the others are refused and have done nothing, and afterwards the service listens
 * once: each request has one effect and one answer.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { connectToMaintenanceDatabase } from "../../src/infra/embedded-postgres/snapshot-store.ts";
import { holdSpares } from "../../src/infra/embedded-postgres/spare-copy.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { query } from "../../testkit/database-owners.ts";
import { endAll, makeSeededDataDir, type Running } from "../../testkit/processes.ts";
import { until } from "../../testkit/until.ts";
import {
  patiently,
  type Sandbox,
  sandboxOf,
  signIn,
  startOn,
  withDatabase,
} from "./snapshot-support.ts";

const ROUNDS = 2;
/** More than there are processes, so that each gets some. */
const ASKED = 6;

after(endAll);

let service: Running;
let url: string;
let sandbox: Sandbox;
let works: ReturnType<typeof patiently>;
/** How many were told that they had made or restored one. */
let told: { made: number; restored: number };

async function startWith(workers: number): Promise<void> {
  const settings = { WORKERS: String(workers), LOG_LEVEL: "info" };
  ({ service, url } = await startOn(await makeSeededDataDir(), settings));
  told = { made: 0, restored: 0 };
  const plain = sandboxOf(service, await signIn(service));
  sandbox = {
    ...plain,
    async make(name) {
      const answer = await plain.make(name);
      if (answer.status === 201) told.made += 1;
      return answer;
    },
    async restore(name) {
      const answer = await plain.restore(name);
      if (answer.status === 200) told.restored += 1;
      return answer;
    },
  };
  works = patiently(sandbox);
}

/** Each move of the clock counts once: a service that listens twice would move it twice. */
async function expectToListenOnce(): Promise<void> {
  const shift = await sandbox.shift();
  for (let i = 0; i < ASKED; i++) await sandbox.advance(1);
  assert.equal(await sandbox.shift(), shift + ASKED);
}

/** So many requests the service says it has answered, each of them once. */
function answered(stdout: string, route: RegExp, status: number): number {
  const ids = stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line))
    .filter((line) => line.msg === "answered" && line.method === "POST")
    .filter((line) => route.test(line.route) && line.status === status)
    .map(({ reqId }) => reqId);
  assert.equal(new Set(ids).size, ids.length);
  return ids.length;
}

/**
 * While this is held, a restore or removal goes no further than to wait for it, in the order in
 * which they came: so what overlaps what does not depend on haste.
 */
async function holdUp() {
  const holder = await connectToMaintenanceDatabase(url);
  await holdSpares(holder);
  const waiting = `
    select from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and not granted and application_name = 'windward snapshots'`;
  return {
    waiters: (count: number) =>
      until(async () => (await query(url, waiting)).length === count, `${count} wait`, 60),
    letGo: () => holder.end(),
  };
}

for (const workers of [1, 2])
  describe(`with ${workers} ${workers === 1 ? "process" : "processes"}`, () => {
    before(() => startWith(workers));

    test("while one is restored every other work is refused, and the rest goes on", async () => {
      const shift = await sandbox.shift();
      await works.make("base");
      await sandbox.advance(60);
      const held = await holdUp();
      const restoring = sandbox.restore("base");
      await held.waiters(1);
      for (let i = 0; i < ASKED; i++) {
        for (const answer of [await sandbox.make("other"), await sandbox.restore("base")]) {
          assert.equal(answer.status, 503, answer.text);
          assert.match(answer.headers["retry-after"] ?? "", /^\d+$/);
        }
        assert.equal(await sandbox.shift(), shift + 60, "others are answered");
      }
      await held.letGo();
      assert.equal((await restoring).status, 200);
      assert.deepEqual(await sandbox.names(), ["base"]);
      assert.equal(await sandbox.shift(), shift);
      await expectToListenOnce();
      await works.remove("base");
    });

    test("two that are made at once are both there in the end, and can be restored", async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const shift = await sandbox.shift();
        const names = ["one", "two"];
        // Never 409: one that was refused for the moment has made nothing.
        for (const { body } of await Promise.all(names.map(works.make)))
          assert.equal(body.data.shift_seconds, shift);
        assert.deepEqual((await sandbox.names()).toSorted(), names);
        await expectToListenOnce();
        for (const name of names) {
          await works.restore(name);
          assert.equal(await sandbox.shift(), shift);
          await expectToListenOnce();
        }
        for (const name of names) await works.remove(name);
      }
    });

    test("a restore and a make at once happen one after the other", async () => {
      const shift = await sandbox.shift();
      await works.make("base");
      for (let round = 0; round < ROUNDS; round++) {
        await sandbox.advance(60);
        const [restored, made] = await Promise.all([works.restore("base"), works.make("new")]);
        assert.equal(await sandbox.shift(), shift, "it is the state of base");
        const ahead = made.body.data.shift_seconds - shift;
        // The one that was refused came second; if neither was, they did not meet.
        if (made.refusals > 0) assert.equal(ahead, 0);
        else if (restored.refusals > 0) assert.equal(ahead, 60);
        else assert([0, 60].includes(ahead), `${ahead}`);
        await expectToListenOnce();
        await works.restore("new");
        assert.equal(await sandbox.shift(), shift + ahead);
        await works.restore("base");
        await works.remove("new");
      }
      await works.remove("base");
    });

    test("one that is removed while it is restored is restored, and then gone", async () => {
      const shift = await sandbox.shift();
      await works.make("base");
      await sandbox.advance(60);
      const held = await holdUp();
      const restoring = sandbox.restore("base");
      await held.waiters(1);
      const removing = sandbox.remove("base");
      await held.waiters(2);
      await held.letGo();
      assert.equal((await restoring).status, 200);
      assert.equal((await removing).status, 200);
      assert.equal(await sandbox.shift(), shift);
      assert.deepEqual(await sandbox.names(), []);
      await expectToListenOnce();
    });

    test("one that is removed first is not found, by a restore nor by another removal", async () => {
      await works.make("base");
      const shift = await sandbox.shift();
      await sandbox.advance(60);
      const held = await holdUp();
      const removing = sandbox.remove("base");
      await held.waiters(1);
      const again = sandbox.remove("base");
      await held.waiters(2);
      const restoring = sandbox.restore("base");
      await held.waiters(3);
      await held.letGo();
      assert.equal((await removing).status, 200);
      for (const { status, text } of [await again, await restoring])
        assert.equal(status, 404, text);
      assert.equal(await sandbox.shift(), shift + 60, "nothing was restored");
      await works.make("base");
      assert.deepEqual(await sandbox.names(), ["base"], "its name was free");
      await expectToListenOnce();
    });

    test("in the end the books balance, and each work was answered once", async () => {
      await withDatabase(url, expectBooksToBalance);
      const { stdout } = await service.stop();
      assert.equal(answered(stdout, /^\/sandbox\/snapshots$/, 201), told.made);
      assert.equal(answered(stdout, /^\/sandbox\/snapshots\/.+\/restore$/, 200), told.restored);
    });
  });
