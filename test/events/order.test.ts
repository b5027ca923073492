/**
 * 32 writers on one account, over two processes, while two sequencers work: no number is missing or
 * given twice, and a writer that was answered before another one committed has the lower number
 * (Decision 0032).
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, openDatabase } from "../../src/infra/db/database.ts";
import { listEvents } from "../../src/modules/events/list-events.ts";
import { createSequencer } from "../../src/modules/events/sequencer.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { until } from "../../testkit/until.ts";
import { feedOf, note, nothingMore, waitingCount } from "./support.ts";
import { expectCommitOrder, WRITERS, writeAtOnce } from "./writers.ts";

const ROUNDS = 15;

let service: TestService;
let processes: readonly Database[];
before(async () => {
  service = await startService();
  const { url } = service.database;
  const { log } = service.ctx;
  processes = [1, 2].map(() => openDatabase({ url, connectionsMax: WRITERS / 2 + 2, log }));
});
after(async () => {
  await Promise.all(processes.map((db) => db.close()));
  await service.stop();
});

/** Walks the feed as a merchant would, until the word is given and nothing is left. */
async function follow(accountNumber: string, isOver: () => boolean): Promise<string[]> {
  const ids: string[] = [];
  const feed = { accountNumber, environment: "live" } as const;
  for (;;) {
    const wasOver = isOver();
    const page = await listEvents(service.ctx.db, feed, { after: ids.length, pageSize: 7 });
    for (const body of page.bodies) ids.push(JSON.parse(body).id);
    if (page.bodies.length > 0) continue;
    if (wasOver) return ids;
    await sleep(1);
  }
}

test("the feed of 32 writers has no gap, no repeat and the order of commits", async () => {
  const { accountNumber } = await service.world.merchant();
  const { log } = service.ctx;
  const sequencers = processes.map((db) =>
    createSequencer({ db, log }, { afterNumbering: nothingMore }),
  );
  for (const sequencer of sequencers) sequencer.start();
  let isOver = false;
  const followed = follow(accountNumber, () => isOver);
  const written = await writeAtOnce(processes, accountNumber, { rounds: ROUNDS });
  await until(async () => (await waitingCount(service.ctx.db)) === 0, "all are numbered");
  isOver = true;
  for (const sequencer of sequencers) await sequencer.stop();

  await expectCommitOrder(service.ctx.db, accountNumber, written);
  const feed = await feedOf(service.ctx.db, { accountNumber });
  assert.deepEqual(
    await followed,
    feed.map(({ id }) => id),
    "a reader that goes on after the last one it saw has met each once",
  );
});

test("a sequencer that lost its connections goes on by itself", async () => {
  const { accountNumber } = await service.world.merchant();
  const [db] = processes as [Database];
  const sequencer = createSequencer({ db, log: service.ctx.log }, { afterNumbering: nothingMore });
  sequencer.start();
  let cutCount = 0;
  for (let round = 0; round < 5; round++) {
    await service.ctx.db.transaction((tx) => note(tx, { accountNumber }, `${round}`));
    await until(async () => {
      const { rowCount } = await service.ctx.db.pool.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and query like '%events_to_number%'`);
      cutCount += rowCount ?? 0;
      return cutCount > round;
    }, "a connection is cut");
  }
  await until(async () => (await waitingCount(service.ctx.db)) === 0, "all are numbered");
  await sequencer.stop();
  assert.equal((await feedOf(service.ctx.db, { accountNumber })).length, 5);
});
