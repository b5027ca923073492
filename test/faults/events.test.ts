/**
 * Workers that number events are killed, stopped and started while 32 writers go on: no event is
 * lost or numbered twice, and the numbers are in the order of commits (Decision 0032).
 */

import { after, before, test } from "node:test";
import { type Database, openDatabase } from "../../src/infra/db/database.ts";
import { sql } from "../../src/infra/db/query.ts";
import { createLog } from "../../src/infra/log.ts";
import { freshDatabase, type TestDatabase } from "../../testkit/database.ts";
import { endAll, type Running, start, UNHINDERED } from "../../testkit/processes.ts";
import { until } from "../../testkit/until.ts";
import { waitingCount } from "../events/support.ts";
import { expectCommitOrder, WRITERS, writeAtOnce } from "../events/writers.ts";

const ROUNDS = 60;
const KILLED_EVERY = 500;

let database: TestDatabase;
let pools: readonly Database[];
before(async () => {
  database = await freshDatabase();
  const log = createLog({ level: "silent" });
  const connectionsMax = WRITERS / 2 + 1;
  pools = [1, 2].map(() => openDatabase({ url: database.url, connectionsMax, log }));
});
after(async () => {
  await endAll();
  await Promise.all(pools.map((db) => db.close()));
  await database.drop();
});

test("workers die and sleep at any moment, and the feed is whole and in order", async () => {
  const [db] = pools as [Database];
  const settings = { ...UNHINDERED, ROLE: "worker", DATABASE_URL: database.url };
  const startWorker = () => start({ settings });
  const workers: Running[] = [await startWorker(), await startWorker()];
  const [sleeper] = workers as [Running];
  const replaced: Promise<unknown>[] = [];
  const { account_number: accountNumber } = await db.one<{ account_number: string }>(
    sql`select account_number from accounts limit 1`,
  );
  const written = await writeAtOnce(pools, accountNumber, {
    rounds: ROUNDS,
    onWritten(count) {
      if (count === KILLED_EVERY / 2) sleeper.signal("SIGSTOP");
      if (count % KILLED_EVERY !== 0) return;
      const victim = workers.pop();
      if (victim !== undefined && victim !== sleeper) replaced.push(victim.kill());
      replaced.push(startWorker().then((worker) => void workers.push(worker)));
    },
  });
  await Promise.all(replaced);
  await until(async () => (await waitingCount(db)) === 0, "all are numbered");
  sleeper.signal("SIGCONT");
  await expectCommitOrder(db, accountNumber, written);
});
