/** A semaphore admits so many at once, lets so many wait so long, and frees every slot it gave. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { createSemaphore, SemaphoreFull } from "./semaphore.ts";

/** Work that ends when it is told to. */
function heldWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { work: () => promise, end: () => resolve("done"), fail: () => reject(new Error("bad")) };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("a semaphore for two, with one slot to wait", () => {
  const rules = { atOnce: 2, waitingMax: 1, waitMsMax: 60_000 };

  test("lets two in, makes the third wait and refuses the fourth at once", async () => {
    const semaphore = createSemaphore(rules);
    const held = [heldWork(), heldWork(), heldWork()];
    const started: number[] = [];
    const results = held.map(({ work }, index) =>
      semaphore.pass(() => {
        started.push(index);
        return work();
      }),
    );
    await assert.rejects(
      semaphore.pass(async () => started.push(4)),
      SemaphoreFull,
    );
    assert.deepEqual(started, [0, 1]);
    held[1]?.end();
    await settle();
    assert.deepEqual(started, [0, 1, 2]);
    for (const { end } of held) end();
    assert.deepEqual(await Promise.all(results), ["done", "done", "done"]);
    assert.equal(await semaphore.pass(async () => "again"), "again");
  });

  test("gives the place on when work fails, also when it throws before it promises", async () => {
    const semaphore = createSemaphore({ ...rules, atOnce: 1 });
    const held = heldWork();
    const failing = semaphore.pass(held.work);
    const next = semaphore.pass(async () => "next");
    held.fail();
    await assert.rejects(failing, /bad/);
    assert.equal(await next, "next");
    const throwing = () => {
      throw new Error("at once");
    };
    for (let i = 0; i < 5; i++) await assert.rejects(semaphore.pass(throwing), /at once/);
    assert.equal(await semaphore.pass(async () => "open"), "open");
  });
});

test("who waited too long is refused and leaves the line, those behind move up", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const semaphore = createSemaphore({ atOnce: 1, waitingMax: 2, waitMsMax: 2_000 });
  const held = heldWork();
  const inside = semaphore.pass(held.work);
  const late = assert.rejects(
    semaphore.pass(async () => "never"),
    /waited too long/,
  );
  t.mock.timers.tick(1_000);
  const patient = semaphore.pass(async () => "patient");
  t.mock.timers.tick(1_000);
  await late;
  const newcomer = semaphore.pass(async () => "newcomer");
  held.end();
  assert.deepEqual(await Promise.all([inside, patient, newcomer]), ["done", "patient", "newcomer"]);
  t.mock.timers.tick(10_000);
  assert.equal(await semaphore.pass(async () => "open"), "open");
});

test("never more inside than allowed, and everybody is served or refused, in order", async () => {
  const size = fc.integer({ min: 1, max: 4 });
  const tasks = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(size, fc.nat({ max: 6 }), tasks, async (atOnce, waitingMax, turns) => {
      const semaphore = createSemaphore({ atOnce, waitingMax, waitMsMax: 60_000 });
      let inside = 0;
      let most = 0;
      const order: number[] = [];
      const results = await Promise.allSettled(
        turns.map((count, index) =>
          semaphore.pass(async () => {
            most = Math.max(most, ++inside);
            order.push(index);
            for (let i = 0; i < count; i++) await settle();
            inside--;
          }),
        ),
      );
      const served = Math.min(turns.length, atOnce + waitingMax);
      assert(most <= atOnce);
      assert.equal(inside, 0);
      assert.equal(results.filter(({ status }) => status === "fulfilled").length, served);
      assert.deepEqual(
        order,
        order.toSorted((a, b) => a - b),
      );
    }),
    { numRuns: 60 },
  );
});

test("newcomers never slip in while a place changes hands", async () => {
  const task = fc.record({ arrives: fc.nat({ max: 12 }), takes: fc.integer({ min: 1, max: 4 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(task, { maxLength: 30 }), async (tasks) => {
      const semaphore = createSemaphore({ atOnce: 2, waitingMax: 3, waitMsMax: 60_000 });
      let inside = 0;
      const results = await Promise.allSettled(
        tasks.map(async ({ arrives, takes }) => {
          for (let i = 0; i < arrives; i++) await settle();
          await semaphore.pass(async () => {
            inside++;
            assert(inside <= 2, `${inside} are inside`);
            for (let i = 0; i < takes; i++) await settle();
            inside--;
          });
        }),
      );
      for (const result of results)
        if (result.status === "rejected") assert(result.reason instanceof SemaphoreFull);
      assert.equal(await semaphore.pass(async () => "open"), "open");
    }),
    { numRuns: 60 },
  );
});
