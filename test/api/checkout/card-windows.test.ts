/** Counts of tried cards, of many at once: what is given back is the newest, and no more of it. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { sql } from "../../../src/infra/db/query.ts";
import { Unavailable } from "../../../src/kit/errors.ts";
import {
  giveBackCardWindows,
  takeCardWindows,
} from "../../../src/modules/checkout/session/card-windows.ts";
import { fuzzRuns } from "../../../testkit/proof-counts.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { until } from "../../../testkit/until.ts";

let service: TestService;

before(async () => {
  service = await startService();
});
after(() => service.stop());

interface Hits {
  readonly at: number;
  readonly count: number;
}

async function remember(key: string, hits: readonly Hits[]): Promise<void> {
  await service.ctx.db.run(sql`
    insert into rate_limit_windows (window_key, hit_at_ms, hit_count)
    values (${key}, ${hits.map(({ at }) => at)}::bigint[], ${hits.map(({ count }) => count)}::int[])
    on conflict (window_key) do update
    set hit_at_ms = excluded.hit_at_ms, hit_count = excluded.hit_count`);
}

async function remembered(key: string): Promise<Hits[]> {
  const row = await service.ctx.db.one<{ hit_at_ms: bigint[]; hit_count: number[] }>(sql`
    select hit_at_ms::float8[] as hit_at_ms, hit_count from rate_limit_windows
    where window_key = ${key}`);
  return row.hit_at_ms.map((at, index) => ({ at: Number(at), count: row.hit_count[index] ?? 0 }));
}

/** Hit by hit, as it would be told on paper. */
function without(hits: readonly Hits[], returned: number): Hits[] {
  const single = hits.flatMap(({ at, count }) => Array.from({ length: count }, () => at));
  const left = single.slice(0, Math.max(0, single.length - returned));
  return [...Map.groupBy(left, (at) => at)].map(([at, all]) => ({ at, count: all.length }));
}

/** On a busy machine opening them all at once may take longer than a request waits for one. */
function openConnections(count: number): Promise<void> {
  const use = () => service.ctx.db.run(sql`select pg_sleep(0.1)`);
  const all = () => Promise.all(Array.from({ length: count }, use));
  return until(
    () =>
      all().then(
        () => true,
        (error) => {
          if (error instanceof Unavailable) return false;
          throw error;
        },
      ),
    "connections are open",
  );
}

const someHits = fc
  .array(fc.integer({ min: 1, max: 4 }), { maxLength: 6 })
  .map((counts) => counts.map((count, at) => ({ at: at + 1, count })));

test("any number of cards given back at once leave the older ones counted", async () => {
  const cards = fc.array(fc.subarray(["one", "two"]), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(someHits, someHits, cards, async (one, two, returned) => {
      await remember("one", one);
      await remember("two", two);
      await giveBackCardWindows(service.ctx.db, returned.flat());
      const times = (key: string) => returned.flat().filter((name) => name === key).length;
      assert.deepEqual(await remembered("one"), without(one, times("one")));
      assert.deepEqual(await remembered("two"), without(two, times("two")));
    }),
    { numRuns: fuzzRuns({ usual: 20, proof: 60 }) },
  );
});

describe("of cards that are counted at once", () => {
  const window = (key: string, max: number) => ({ name: key, key, max });

  test("admits as many as there is room for, in the order of the requests", async () => {
    const card = [window("full", 3)];
    const counted = await takeCardWindows(service.ctx.db, [card, card, card, card, card]);
    const granted = counted.map(([one]) => one?.granted);
    assert.deepEqual(granted, [true, true, true, false, false]);
    assert.deepEqual(
      counted.map(([one]) => one?.remaining),
      [2, 1, 0, 0, 0],
    );
  });

  test("each has its own windows, in its own order", async () => {
    const counted = await takeCardWindows(service.ctx.db, [
      [window("b", 1), window("shared", 9)],
      [window("shared", 9), window("a", 1)],
    ]);
    assert.deepEqual(
      counted.map((card) => card.map(({ key, remaining }) => [key, remaining])),
      [
        [
          ["b", 0],
          ["shared", 8],
        ],
        [
          ["shared", 7],
          ["a", 0],
        ],
      ],
    );
  });
});

describe("a window with shares", () => {
  const shared = (key: string, of: string, max = 5) => [
    { name: "bin", key, max, share: { key: `a share ${key} ${of}`, max: 2 } },
  ];

  test("counts the share of each, in one batch as one after the other", async () => {
    const { db } = service.ctx;
    const key = `z ${randomUUID()}`;
    const batch = ["one", "one", "one", "two", "one", "two", "two", "three", "four"];
    const counted = await takeCardWindows(
      db,
      batch.map((of) => shared(key, of)),
    );
    assert.deepEqual(
      counted.map(([one]) => [one?.granted, one?.keys.length]),
      [
        [true, 2],
        [true, 2],
        [true, 0],
        [true, 2],
        [true, 0],
        [true, 2],
        [true, 0],
        [true, 2],
        [false, 1],
      ],
    );
    const [beyond] = (await takeCardWindows(db, [shared(key, "one")])).flat();
    assert.equal(beyond?.granted, false, "the window is full now");
    await giveBackCardWindows(
      db,
      counted.flat().flatMap(({ keys }) => keys),
    );
    const [again] = (await takeCardWindows(db, [shared(key, "one")])).flat();
    assert.equal(again?.remaining, 4, "all of it was given back");
  });

  test("is taken and given back by many at once, without a deadlock", async () => {
    const { db } = service.ctx;
    await openConnections(8);
    const keys = [1, 2, 3].map((one) => `z ${one} ${randomUUID()}`);
    const round = async (turn: number) => {
      const cards = keys.map((_, place) =>
        shared(keys[(place + turn) % keys.length] ?? "", `${(turn + place) % 4}`, 1_000),
      );
      const counted = await takeCardWindows(db, cards);
      await giveBackCardWindows(
        db,
        counted.flat().flatMap((one) => one.keys),
      );
    };
    await Promise.all(
      Array.from({ length: 8 }, async (_, one) => {
        for (let turn = 0; turn < 15; turn++) await round(one + turn);
      }),
    );
  });
});
