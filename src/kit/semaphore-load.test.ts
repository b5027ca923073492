/** Of work that waits the lightest goes next, and of too much the heaviest is refused. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSemaphore, SemaphoreFull } from "./semaphore.ts";

/** Passes them all at once while one is being drawn; tells who went in which order. */
async function passAll(loads: readonly number[], rules = { waitingMax: 10, waitMsMax: 60_000 }) {
  const queue = createSemaphore({ atOnce: 1, ...rules });
  const drawing = Promise.withResolvers<void>();
  const first = queue.pass(() => drawing.promise);
  const went: number[] = [];
  const outcomes = loads.map((load) => queue.pass(async () => void went.push(load), { load }));
  const refused = Promise.allSettled(outcomes);
  drawing.resolve();
  await first;
  const settled = await refused;
  return { went, isRefused: settled.map(({ status }) => status === "rejected") };
}

describe("a semaphore for work of different loads", () => {
  test("takes the lightest first, and of equal ones the first to come", async () => {
    const { went } = await passAll([5, 1e9, 3, 1e9 + 1, 1]);
    assert.deepEqual(went, [1, 3, 5, 1e9, 1e9 + 1]);
  });

  test("refuses the heaviest when it is full, though a lighter one came later", async () => {
    const full = { waitingMax: 3, waitMsMax: 60_000 };
    const { went, isRefused } = await passAll([9, 9, 9, 1], full);
    assert.deepEqual(went, [1, 9, 9]);
    assert.deepEqual(isRefused, [false, false, true, false]);
    const equal = await passAll([9, 9, 9, 9], full);
    assert.deepEqual(equal.isRefused, [false, false, false, true]);
  });

  test("draws one at a time, and goes on after one that fails", async () => {
    const queue = createSemaphore({ atOnce: 1, waitingMax: 10, waitMsMax: 60_000 });
    let inside = 0;
    const work = async () => {
      inside += 1;
      assert.equal(inside, 1);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      throw new Error("it could not be drawn");
    };
    const all = await Promise.allSettled([1, 2, 3].map((load) => queue.pass(work, { load })));
    assert(all.every((one) => one.status === "rejected"));
    assert.equal(await queue.pass(async () => "drawn"), "drawn");
  });

  test("gives up waiting after its time", async () => {
    const queue = createSemaphore({ atOnce: 1, waitingMax: 10, waitMsMax: 1 });
    const drawing = Promise.withResolvers<void>();
    const first = queue.pass(() => drawing.promise);
    await assert.rejects(
      queue.pass(async () => {}),
      SemaphoreFull,
    );
    drawing.resolve();
    await first;
  });
});
