/**
 * What was acknowledged survives kill -9 of the service, of its PostgreSQL and of both, with the
 * disk settings of production: every key that was shown works and is listed, every
 * refresh token refreshes. KILL_ROUNDS=100 runs it for longer.
 */

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { findRunningPostgres } from "../../src/infra/embedded-postgres/cluster.ts";
import { killAllIn } from "../../testkit/database-owners.ts";
import {
  countKeys,
  findLost,
  type KeyLoad,
  openShops,
  startKeyLoad,
} from "../../testkit/key-load.ts";
import {
  endAll,
  makeSeededDataDir,
  type Running,
  start,
  UNHINDERED,
} from "../../testkit/processes.ts";
import { until } from "../../testkit/until.ts";

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 3);
const LOAD_MS = { min: 300, max: 900 };
/** Two to three seconds on quiet cores; the limit only tells "by itself" from "never". */
const BACK_MS_MAX = 30_000;

describe("kill -9 under load", () => {
  let dataDir: string;
  let service: Running;
  let shops: Iterator<string>;

  const startAgain = () => start({ settings: { ...UNHINDERED, DATA_DIR: dataDir } });

  before(async () => {
    dataDir = await makeSeededDataDir();
    service = await startAgain();
    const url = await findRunningPostgres(dataDir);
    assert(url !== undefined);
    shops = await openShops(url, 50 * (ROUNDS + 1) * 3);
  });
  after(endAll);

  async function underLoad(): Promise<KeyLoad> {
    const load = startKeyLoad(service, shops);
    await until(() => countKeys(load.acknowledged) > 0, "the first key is made");
    await sleep(randomInt(LOAD_MS.min, LOAD_MS.max));
    return load;
  }

  for (const victim of ["the service", "the service and its PostgreSQL"])
    test(`of ${victim}: all that was acknowledged is there after the next start`, async (t) => {
      const total = { keys: 0, refreshTokens: 0, lost: 0, slowestStartMs: 0 };
      for (let round = 0; round < ROUNDS; round++) {
        const load = await underLoad();
        if (victim !== "the service") await killAllIn(dataDir);
        await service.kill();
        await load.stop();
        service = await startAgain();
        const lost = await findLost(service, load.acknowledged);
        total.keys += countKeys(load.acknowledged);
        total.refreshTokens += load.acknowledged.refreshTokens.length;
        total.lost += lost.length;
        total.slowestStartMs = Math.max(total.slowestStartMs, Math.round(service.readyMs));
        assert.deepEqual(lost, []);
      }
      assert(total.keys > 0 && total.refreshTokens > 0);
      t.diagnostic(`${ROUNDS} kills: ${JSON.stringify(total)}`);
    });

  test("of its PostgreSQL: 503 meanwhile, back by itself, nothing lost", async (t) => {
    const total = { keys: 0, refreshTokens: 0, lost: 0, unavailable: 0, slowestBackMs: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const load = await underLoad();
      await killAllIn(dataDir);
      const killedAt = performance.now();
      // Asked only once all of them are gone: a yes cannot come from one that was killed.
      await until(async () => (await service.ask("/readyz")).status === 200, "it is back");
      const backMs = Math.round(performance.now() - killedAt);
      await sleep(LOAD_MS.min);
      await load.stop();
      const words = new Set(load.answers.map((one) => one.what));
      assert.deepEqual(
        [...words].filter((what) => ![200, 201, 503].includes(Number(what))),
        [],
      );
      assert(words.has(503), "nobody noticed");
      assert(backMs < BACK_MS_MAX, `it took ${backMs} ms`);
      const lost = await findLost(service, load.acknowledged);
      total.keys += countKeys(load.acknowledged);
      total.refreshTokens += load.acknowledged.refreshTokens.length;
      total.lost += lost.length;
      total.unavailable += load.answers.filter((one) => one.what === 503).length;
      total.slowestBackMs = Math.max(total.slowestBackMs, backMs);
      assert.deepEqual(lost, []);
    }
    t.diagnostic(`${ROUNDS} kills: ${JSON.stringify(total)}`);
    assert.equal((await service.stop()).code, 0);
  });
});
