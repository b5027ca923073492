/**
 * Processes that pause together (Decision 0105) get every notice, whatever becomes of their
 * connections: nothing that is lost goes unhandled, which would end the process, and no connection
 * stays open that nobody listens to. One that starts meanwhile opens nothing before the end.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, beforeEach, test } from "node:test";
import { named } from "../../src/infra/embedded-postgres/snapshot-store.ts";
import { createLog } from "../../src/infra/log.ts";
import { createPauseTogether, type PauseTogether } from "../../src/infra/process/pause-together.ts";
import { type CuttingProxy, startCuttingProxy } from "../../testkit/cutting-proxy.ts";
import {
  makeUsedDataDir,
  type Owner,
  query,
  startOwner,
  stopOwner,
} from "../../testkit/database-owners.ts";
import { childrenOf, runs } from "../../testkit/process-facts.ts";
import { endAll, makeSeededDataDir } from "../../testkit/processes.ts";
import { until } from "../../testkit/until.ts";
import { persistently, startOn } from "./snapshot-support.ts";

/** A server of its own: a pause puts out all users of the database. */
const owner: Owner = await startOwner({ dataDir: await makeUsedDataDir() });
/** Where a pause lets everybody be. */
const beside = named(owner.url, "postgres");
const log = createLog({ level: "silent" });
const LISTEN = "listen windward_pause";
const CURRENT_DATABASE = "select oid from pg_database where datname = $1";
const WAITING = `
  select from pg_locks join pg_stat_activity using (pid)
  where locktype = 'advisory' and not granted and application_name = 'windward snapshots'`;
const TERMINATE = "and backend_type = 'client backend'";

let wire: CuttingProxy;
let joined: PauseTogether[];

beforeEach(async () => {
  wire = await startCuttingProxy(owner.url);
  joined = [];
});

afterEach(async () => {
  for (const pauses of joined) await pauses.stop();
  await until(async () => (await ours()).length === 0, "every connection was closed");
  await wire.close();
});

after(async () => {
  await stopOwner(owner);
  await endAll();
});

/** The connections of all processes here. */
const ours = () =>
  query(beside, "select query from pg_stat_activity where application_name ~ 'snapshots$'");

const endAllConnections = () =>
  query(
    beside,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'windward snapshots'`,
  );

/** PostgreSQL is a child, too. */
const isNode = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("start.mjs");

/** As a process does it, with what it was told to do. */
async function join(url: string) {
  const told: string[] = [];
  const paused = {
    async pause() {
      told.push("pause");
    },
    async resume() {
      told.push("resume");
    },
  };
  const pauses = await createPauseTogether({ url, log, paused });
  joined.push(pauses);
  return { pauses, told };
}

/** The same, once it has opened what is paused. */
async function joinOpen(url: string) {
  const one = await join(url);
  await one.pauses.open(async () => {});
  return one;
}

const nothing = async () => {};

const areWaiting = (count: number, url = beside) =>
  until(
    async () => (await query(url, WAITING)).length === count,
    `${count} wait for the end of a pause`,
    60,
  );

/** Until one that listens anew gets a notice: those sent meanwhile reach nobody. */
async function expectNotice(told: readonly string[]): Promise<void> {
  const { pauses } = await joinOpen(owner.url);
  const isTold = async () => {
    await pauses.during(nothing, nothing);
    return told.length > 0;
  };
  await until(isTold, "it is told of a pause", 60);
  await until(() => told.at(-1) === "resume", "it ends");
}

test("a connection that is lost again while it is asked what was missed is replaced", async () => {
  const { told } = await joinOpen(wire.url);
  wire.cutNextCommit("before", CURRENT_DATABASE);
  await endAllConnections();
  await until(wire.hasCut, "it is lost again");
  await expectNotice(told);
});

test("a connection that is lost before it listens is replaced by one, not by two", async () => {
  const { told } = await joinOpen(wire.url);
  wire.cutNextCommit("before", LISTEN);
  await endAllConnections();
  await until(wire.hasCut, "it is lost again");
  await expectNotice(told);
});

test("work that fails while the others' connections cannot be ended says why itself", async () => {
  const { pauses, told } = await joinOpen(wire.url);
  const failing = pauses.during(nothing, async () => {
    wire.cutNextCommit("before", TERMINATE);
    await until(wire.hasCut, "the connection is lost");
    throw new Error("the disk is full");
  });
  await assert.rejects(failing, /the disk is full/);
  assert.deepEqual(told, ["pause", "resume"]);
});

test("one that starts during a pause opens when it is over, and is told of the next", async () => {
  const other = await joinOpen(owner.url);
  const late = await join(owner.url);
  let opening = nothing();
  await other.pauses.during(nothing, async () => {
    opening = late.pauses.open(async () => void late.told.push("open"));
    await areWaiting(1);
    assert.deepEqual(late.told, []);
  });
  await opening;
  // The notice of the pause may be read only now, and then pauses once more.
  await until(() => late.told.length % 2 === 1, "what was begun has ended");
  assert.equal(late.told[0], "open");
  late.told.length = 0;
  await expectNotice(late.told);
});

test("a notice that comes before a process has opened pauses nothing", async () => {
  const other = await joinOpen(owner.url);
  const late = await join(owner.url);
  await other.pauses.during(nothing, nothing);
  await late.pauses.open(async () => void late.told.push("open"));
  assert.equal(late.told[0], "open");
});

test("while a process opens there is no pause, and afterwards it is told of one", async () => {
  const other = await joinOpen(owner.url);
  const late = await join(owner.url);
  await late.pauses.open(async () => {
    const pausing = other.pauses.during(nothing, nothing);
    await assert.rejects(pausing, { status: 503 });
    late.told.push("open");
  });
  assert.deepEqual([late.told, other.told], [["open"], []]);
  await other.pauses.during(nothing, nothing);
  await until(() => late.told.length === 3, "it is paused and resumed");
  assert.deepEqual(late.told, ["open", "pause", "resume"]);
});

test("one that could not open is not paused, and can be stopped", async () => {
  const other = await joinOpen(owner.url);
  const late = await join(owner.url);
  const failing = late.pauses.open(() => Promise.reject(new Error("no such database")));
  await assert.rejects(failing, /no such database/);
  await other.pauses.during(nothing, nothing);
  await late.pauses.stop();
  assert.deepEqual(late.told, []);
});

test("a worker that is replaced during a pause waits for its end as the other one does", async () => {
  const { service, url } = await startOn(await makeSeededDataDir(), { WORKERS: "2" });
  const workers = () => childrenOf(service.pid).filter(isNode);
  const [victim = 0] = workers();
  const { pauses } = await join(url);
  await pauses.during(nothing, async () => {
    await areWaiting(2, named(url, "postgres"));
    process.kill(victim, "SIGKILL");
    await until(() => !runs(victim), "it is dead");
    // PostgreSQL notices only when the wait is over that the dead one has gone.
    await areWaiting(3, named(url, "postgres"));
  });
  assert.equal((await persistently(() => service.ask("/auth/whoami"))).status, 401);
  await pauses.stop();
  assert.equal((await service.stop()).code, 0);
});
