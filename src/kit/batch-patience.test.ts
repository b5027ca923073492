// The guarantee: one run that hangs does not keep all that come after it waiting.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createBatcher } from "./batch.ts";

const answer = (item: number) => `result of ${item}`;

/** Its runs hang until the test ends them. */
function hangingBatcher() {
  const runs: { items: readonly number[]; end: () => void }[] = [];
  const add = createBatcher<number, string>({
    sizeMax: 10,
    patienceMs: 100,
    run(items) {
      const { promise, resolve } = Promise.withResolvers<readonly string[]>();
      runs.push({ items, end: () => resolve(items.map(answer)) });
      return promise;
    },
  });
  const started = () => runs.map(({ items }) => items);
  const run = (index: number) => runs[index] ?? assert.fail(`run ${index} has not started`);
  return { add, started, run };
}

test("a run that hangs is passed by after a while, three of them and no more", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { add, started, run } = hangingBatcher();
  const pending: Promise<string>[] = [];
  for (let item = 0; item < 6; item++) {
    pending.push(add(item));
    await nextTurn();
    t.mock.timers.tick(99);
    assert.equal(started().length, Math.min(item + 1, 4));
    t.mock.timers.tick(1);
  }
  assert.deepEqual(started(), [[0], [1], [2], [3]]);
  run(1).end();
  assert.equal(await pending[1], answer(1));
  await nextTurn();
  assert.equal(started().length, 4, "the fourth is waited for, and nobody else ended");
  run(3).end();
  await nextTurn();
  assert.deepEqual(started()[4], [4, 5]);
  for (const index of [0, 2, 4]) run(index).end();
  assert.deepEqual(await Promise.all(pending), [0, 1, 2, 3, 4, 5].map(answer));
});

test("a run that is in time is never passed by", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { add, started, run } = hangingBatcher();
  const first = add(1);
  await nextTurn();
  const second = add(2);
  await nextTurn();
  t.mock.timers.tick(99);
  assert.deepEqual(started(), [[1]]);
  run(0).end();
  await first;
  t.mock.timers.tick(99);
  assert.deepEqual(started(), [[1], [2]]);
  run(1).end();
  assert.equal(await second, answer(2));
});
