/**
 * The guarantee: whatever is killed, Windward itself, its PostgreSQL or both, the next start has
 * all that was committed; a PostgreSQL that dies under a living Windward comes back by itself.
 */

import assert from "node:assert/strict";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import * as owners from "../../testkit/database-owners.ts";

const { answersAgain, commit, committed, killOwner, makeUsedDataDir, query } = owners;
const { startOwner, stopOwner } = owners;

const { IN_USE } = owners;

afterEach(owners.clean);

describe("kill -9 of Windward", () => {
  test("what was committed is there after the next start, which replaces the orphan", async () => {
    const dataDir = await makeUsedDataDir();
    const killed = await startOwner({ dataDir });
    await commit(killed, 1);
    await killOwner(killed);
    assert.deepEqual(await committed(killed), [1], "PostgreSQL goes on alone");

    const next = await startOwner({ dataDir });
    assert.notEqual(next.pid, killed.pid);
    assert.deepEqual(await committed(next), [1]);
    await assert.rejects(query(killed.url, "select 1"));
  });

  test("an orphan that cannot answer yet is waited for, then replaced", async () => {
    const dataDir = await makeUsedDataDir();
    const killed = await startOwner({ dataDir });
    await commit(killed, 1);
    await killOwner(killed);
    process.kill(killed.pid, "SIGSTOP");
    const starting = startOwner({ dataDir });
    await sleep(500);
    assert.ok(
      (await owners.processesIn(dataDir)).includes(killed.pid),
      "it was not killed unasked",
    );
    process.kill(killed.pid, "SIGCONT");
    assert.deepEqual(await committed(await starting), [1]);
  });

  test("together with all of PostgreSQL: what was committed is there", async () => {
    const dataDir = await makeUsedDataDir();
    const killed = await startOwner({ dataDir });
    await commit(killed, 1);
    await killOwner(killed);
    await owners.killAllIn(dataDir);
    assert.deepEqual(await committed(await startOwner({ dataDir })), [1]);
  });
});

describe("kill -9 of PostgreSQL", () => {
  test("postmaster and children: back by itself at the same address, and still owned", async () => {
    const dataDir = await makeUsedDataDir();
    const owner = await startOwner({ dataDir });
    await commit(owner, 1);
    for (let round = 0; round < 2; round += 1) {
      await owners.killAllIn(dataDir);
      await answersAgain(owner);
      assert.deepEqual(await committed(owner), [1]);
    }
    assert.match((await startOwner({ dataDir })).refusal ?? "", IN_USE);
    assert.equal(await stopOwner(owner), 0);
    assert.deepEqual(await owners.processesIn(dataDir), []);
  });

  test("the postmaster alone, in the middle of a long query: back by itself", async () => {
    const dataDir = await makeUsedDataDir();
    const owner = await startOwner({ dataDir });
    await commit(owner, 1);
    const longQuery = query(owner.url, "select count(*) from generate_series(1, 1e10)");
    longQuery.catch(() => undefined);
    await sleep(300);
    process.kill(owner.pid, "SIGKILL");
    await answersAgain(owner);
    await assert.rejects(longQuery);
    assert.deepEqual(await committed(owner), [1]);
  });

  test("one backend, for which PostgreSQL restarts all of them: still owned", async () => {
    const dataDir = await makeUsedDataDir();
    const owner = await startOwner({ dataDir });
    const sleeping = query(owner.url, "select pg_sleep(60)");
    sleeping.catch(() => undefined);
    const backends = () =>
      query(owner.url, "select pid from pg_stat_activity where query ~ '^select pg_sleep'");
    let [backend] = await backends();
    while (!backend) [backend] = await backends();
    process.kill(Number(backend.pid), "SIGKILL");
    await assert.rejects(sleeping);
    await answersAgain(owner);
    assert.match((await startOwner({ dataDir })).refusal ?? "", IN_USE);
  });
});

describe("a lock file that PostgreSQL would believe", () => {
  for (const { what, pidOf } of [
    { what: "a zombie", pidOf: owners.makeZombie },
    { what: "a stranger", pidOf: owners.makeStranger },
    { what: "nobody, because it is empty", pidOf: async () => "" },
  ]) {
    test(`of ${what} is removed, and the database starts`, async () => {
      const dataDir = await makeUsedDataDir();
      const killed = await startOwner({ dataDir });
      await commit(killed, 1);
      await killOwner(killed);
      await owners.killAllIn(dataDir);
      const path = join(dataDir, "postgres", "postmaster.pid");
      const { uid, gid } = await stat(path);
      const pid = await pidOf({ uid, gid });
      const text = await readFile(path, "utf8");
      await writeFile(path, pid === "" ? "" : text.replace(/^\d+/, pid));
      assert.deepEqual(await committed(await startOwner({ dataDir })), [1]);
    });
  }
});
