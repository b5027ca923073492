/**
 * The guarantee: whatever is killed, Windward itself, its PostgreSQL or both, and whoever starts at
 * the same moment, the next start has all that was committed, and one folder never has two owners.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import * as owners from "../support/database-owners.ts";

const {
  killOwner,
  launchOwner,
  listen,
  makeDataDir,
  makeUsedDataDir,
  query,
  startOwner,
  stopOwner,
} = owners;

const IN_USE =
  /is in use by another Windward \(PostgreSQL process \d+\)\. Stop it, or set DATA_DIR/;
/** Locks of the kind by which an owner is known; the tests themselves take none. */
const HELD = "where locktype = 'advisory' and granted";
const RECOVERY_MS_MAX = 3_000;

afterEach(owners.clean);
after(owners.forget);

describe("starting and stopping", () => {
  test("the second start finds what the first has committed, in well under a second", async () => {
    const dataDir = await makeDataDir();
    const first = await startOwner({ dataDir });
    assert.match(first.url, /^postgres:\/\/windward:[\w-]{32}@127\.0\.0\.1:\d+\/windward$/);
    await commit(first, 1);
    assert.equal(await stopOwner(first), 0);
    assert.deepEqual(await owners.processesIn(dataDir), []);

    const startedAt = performance.now();
    const second = await startOwner({ dataDir });
    assert.ok(performance.now() - startedAt < 1_500, "the process and its database are quick");
    assert.deepEqual(await committed(second), [1]);
    assert.equal(await stopOwner(second), 0);
  });

  test("a new cluster is checked, sorted by UTF-8, in UTC, and only local and secret", async () => {
    const dataDir = await makeDataDir();
    const owner = await startOwner({ dataDir, settings: { work_mem: "5MB" } });
    const [facts] = await query(
      owner.url,
      `select current_setting('data_checksums') as checksums, datcollversion as version,
         datlocale as locale, current_setting('timezone') as timezone,
         current_setting('listen_addresses') as listens, current_setting('work_mem') as given,
         current_setting('unix_socket_directories') as sockets, current_setting('fsync') as fsync
       from pg_database where datname = current_database()`,
    );
    assert.deepEqual(
      { ...facts, version: "" },
      {
        checksums: "on",
        version: "",
        locale: "C.UTF-8",
        timezone: "UTC",
        listens: "127.0.0.1",
        given: "5MB",
        sockets: "",
        fsync: "on",
      },
    );
    const secret = await stat(join(dataDir, "postgres.password"));
    assert.equal(secret.mode & 0o777, 0o600);
    assert.equal((await stat(join(dataDir, "postgres"))).mode & 0o777, 0o700);
    assert.equal(secret.uid, process.getuid?.());
  });

  test("Ctrl-C in a terminal does not reach PostgreSQL, which leads its own group", async () => {
    const owner = await startOwner({ dataDir: await makeUsedDataDir() });
    const fields = (await readFile(`/proc/${owner.pid}/stat`, "utf8")).split(") ")[1]?.split(" ");
    assert.equal(Number(fields?.[1]), owner.process.pid, "it is a direct child");
    assert.equal(Number(fields?.[2]), owner.pid, "it leads its process group");
  });

  test("a process that exits without stopping its PostgreSQL takes it along", async () => {
    const dataDir = await makeUsedDataDir();
    const owner = launchOwner({ dataDir, exitAfterStart: true });
    await listen(owner);
    await untilNobodyWorksIn(dataDir);
    const log = await readFile(join(dataDir, "postgres.log"), "utf8");
    assert.match(log, /received fast shutdown request/);
  });

  test("an initdb that was killed half-way does not spoil the next start", async () => {
    const dataDir = await makeDataDir();
    const killed = launchOwner({ dataDir });
    const unfinished = async () => (await readdir(dataDir).catch(() => [])).find(isUnfinished);
    while (!(await unfinished())) await sleep(5);
    await sleep(100);
    killed.kill("SIGKILL");
    await once(killed, "exit");
    assert.ok(await unfinished(), "it was killed while it was at work");
    await owners.killAllIn(dataDir);

    const next = await startOwner({ dataDir });
    assert.equal(next.refusal, undefined);
    await commit(next, 1);
    assert.equal(await unfinished(), undefined);
  });
});

describe("one folder, one owner", () => {
  test("a second owner is refused while the first lives, which is not disturbed", async () => {
    const dataDir = await makeUsedDataDir();
    const first = await startOwner({ dataDir });
    const second = await startOwner({ dataDir });
    assert.match(second.refusal ?? "", IN_USE);
    assert.match(second.refusal ?? "", new RegExp(`process ${first.pid}`));
    await commit(first, 1);
  });

  test("a rival is refused while the owner has lost its lock and cannot retake it", async () => {
    const dataDir = await makeUsedDataDir();
    const owner = await startOwner({ dataDir });
    owner.process.kill("SIGSTOP");
    await query(owner.url, `select pg_terminate_backend(pid) from pg_locks ${HELD}`);
    assert.match((await startOwner({ dataDir })).refusal ?? "", IN_USE);
    owner.process.kill("SIGCONT");
    await commit(owner, 1);
  });

  test("a rival is refused while PostgreSQL is down and its owner will restart it", async () => {
    const dataDir = await makeUsedDataDir();
    const owner = await startOwner({ dataDir });
    owner.process.kill("SIGSTOP");
    await owners.killAllIn(dataDir);
    const { refusal } = await startOwner({ dataDir });
    assert.match(refusal ?? "", new RegExp(`in use by .* \\(process ${owner.process.pid}\\)`));
    owner.process.kill("SIGCONT");
    await answersAgain(owner);
  });

  test("of three that start at once on an empty folder exactly one wins", async () => {
    const dataDir = await makeDataDir();
    await expectOneWinner(dataDir);
  });

  test("of three that start at once after a kill exactly one wins and has everything", async () => {
    const dataDir = await makeUsedDataDir();
    const killed = await startOwner({ dataDir });
    await commit(killed, 1);
    await killOwner(killed);
    const winner = await expectOneWinner(dataDir);
    assert.deepEqual(await committed(winner), [1]);
  });
});

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

  test("one backend, which cuts the owner's own connection: still owned", async () => {
    const dataDir = await makeUsedDataDir();
    const owner = await startOwner({ dataDir });
    const [holder] = await query(owner.url, `select pid from pg_locks ${HELD}`);
    process.kill(Number(holder?.pid), "SIGKILL");
    await sleep(50);
    await answersAgain(owner);
    assert.match((await startOwner({ dataDir })).refusal ?? "", IN_USE);
    const deadline = performance.now() + RECOVERY_MS_MAX;
    while ((await query(owner.url, `select from pg_locks ${HELD}`)).length === 0) {
      assert.ok(performance.now() < deadline, "the lock is taken again");
      await sleep(20);
    }
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

function isUnfinished(name: string): boolean {
  return name.startsWith("postgres.new-");
}

async function commit(owner: owners.Owner, number: number): Promise<void> {
  await query(owner.url, "create table if not exists kept (number int)");
  await query(owner.url, `insert into kept values (${number})`);
}

async function committed(owner: owners.Owner): Promise<unknown[]> {
  const rows = await query(owner.url, "select number from kept");
  return rows.map((row) => row.number);
}

async function expectOneWinner(dataDir: string): Promise<owners.Owner> {
  const all = await Promise.all([1, 2, 3].map(() => startOwner({ dataDir })));
  const [winner, ...others] = all.filter((owner) => owner.refusal === undefined);
  assert.ok(winner, "one wins");
  assert.equal(others.length, 0, "no other wins");
  for (const loser of all.filter((owner) => owner !== winner)) {
    assert.match(loser.refusal ?? "", IN_USE);
  }
  assert.equal((await query(winner.url, "select 1")).length, 1);
  return winner;
}

async function answersAgain(owner: owners.Owner): Promise<void> {
  const deadline = performance.now() + RECOVERY_MS_MAX;
  for (;;) {
    try {
      await query(owner.url, "select 1");
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(20);
    }
  }
}

async function untilNobodyWorksIn(folder: string): Promise<void> {
  const deadline = performance.now() + RECOVERY_MS_MAX;
  while ((await owners.processesIn(folder)).length > 0) {
    assert.ok(performance.now() < deadline, "PostgreSQL has ended");
    await sleep(20);
  }
}
