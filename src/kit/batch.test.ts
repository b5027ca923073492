// The guarantee: each caller gets the result of its own item, and nobody waits without a reason.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { createBatcher } from "./batch.ts";

/** A run that the test ends by hand. */
interface Run {
  readonly items: readonly number[];
  end(results?: readonly string[]): void;
  fail(error: unknown): void;
}

const answer = (item: number) => `result of ${item}`;

function batcherByHand(limits: { sizeMax: number; parallelMax?: number; gatherMsMax?: number }) {
  const runs: Run[] = [];
  const add = createBatcher<number, string>({
    ...limits,
    run(items) {
      const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
      runs.push({ items, end: (results = items.map(answer)) => resolve(results), fail: reject });
      return promise;
    },
  });
  const started = () => runs.map(({ items }) => items);
  const run = (index: number) => runs[index] ?? assert.fail(`run ${index} has not started`);
  return { add, started, run };
}

describe("createBatcher", () => {
  test("an item whose result is an error is rejected with it, the others have theirs", async () => {
    const refusal = new Error("no");
    const add = createBatcher<number, string>({
      sizeMax: 10,
      run: async (items) => items.map((item) => (item === 2 ? refusal : answer(item))),
    });
    const results = await Promise.allSettled([1, 2, 3].map(add));
    assert.deepEqual(results, [
      { status: "fulfilled", value: answer(1) },
      { status: "rejected", reason: refusal },
      { status: "fulfilled", value: answer(3) },
    ]);
  });

  test("items of one turn go together, at its end and not before", async () => {
    const { add, started, run } = batcherByHand({ sizeMax: 10 });
    const first = add(1);
    await Promise.resolve();
    const second = add(2);
    assert.deepEqual(started(), []);
    await nextTurn();
    assert.deepEqual(started(), [[1, 2]]);
    run(0).end();
    assert.deepEqual(await Promise.all([first, second]), [answer(1), answer(2)]);
  });

  test("a run that gathers starts after the first turn that brings nothing more", async () => {
    const { add, started, run } = batcherByHand({ sizeMax: 10, gatherMsMax: 60_000 });
    const told = add(1);
    await nextTurn();
    const later = add(2);
    await nextTurn();
    assert.deepEqual(started(), []);
    await nextTurn();
    assert.deepEqual(started(), [[1, 2]]);
    const waited = add(3);
    const again = told.then(() => add(4));
    run(0).end();
    assert.deepEqual(await Promise.all([told, later]), [answer(1), answer(2)]);
    assert.deepEqual(started(), [[1, 2]], "its callers go on first");
    await nextTurn();
    await nextTurn();
    assert.deepEqual(started(), [
      [1, 2],
      [3, 4],
    ]);
    run(1).end();
    assert.deepEqual(await Promise.all([waited, again]), [answer(3), answer(4)]);
  });

  for (const [why, limits] of [
    ["its time is over", { sizeMax: 10, gatherMsMax: 2 }],
    ["it is full", { sizeMax: 2, gatherMsMax: 60_000 }],
  ] as const)
    test(`a run that gathers starts in any case when ${why}`, async (t) => {
      let now = 0;
      t.mock.method(performance, "now", () => now++);
      const { add, started, run } = batcherByHand(limits);
      const all = [add(1)];
      await nextTurn();
      all.push(add(2));
      await nextTurn();
      assert.deepEqual(started(), [[1, 2]]);
      run(0).end();
      await Promise.all(all);
    });

  test("items that come during a run wait for its end and then go together, in order", async () => {
    const { add, started, run } = batcherByHand({ sizeMax: 10 });
    const all = [add(1)];
    await nextTurn();
    all.push(add(2));
    await nextTurn();
    all.push(add(3));
    await nextTurn();
    assert.deepEqual(started(), [[1]]);
    run(0).end();
    assert.equal(await all[0], answer(1));
    assert.deepEqual(started(), [[1], [2, 3]]);
    run(1).end();
    assert.deepEqual(await Promise.all(all), [1, 2, 3].map(answer));
  });

  test("no run takes more than sizeMax; the others go in the next one", async () => {
    const { add, started, run } = batcherByHand({ sizeMax: 2 });
    const all = [1, 2, 3, 4, 5].map(add);
    await nextTurn();
    assert.deepEqual(started(), [[1, 2]]);
    run(0).end();
    await nextTurn();
    assert.deepEqual(started(), [
      [1, 2],
      [3, 4],
    ]);
    run(1).end();
    await nextTurn();
    run(2).end();
    assert.deepEqual(await Promise.all(all), [1, 2, 3, 4, 5].map(answer));
  });

  test("up to parallelMax runs are under way, and each end makes room for one", async () => {
    const { add, started, run } = batcherByHand({ sizeMax: 1, parallelMax: 2 });
    const all = [1, 2, 3, 4].map(add);
    await nextTurn();
    assert.deepEqual(started(), [[1], [2]]);
    run(1).end();
    await nextTurn();
    assert.deepEqual(started(), [[1], [2], [3]]);
    run(2).end();
    run(0).end();
    await nextTurn();
    run(3).end();
    assert.deepEqual(await Promise.all(all), [1, 2, 3, 4].map(answer));
  });

  test("an item does not wait for a run under way while another may start", async () => {
    const { add, started, run } = batcherByHand({ sizeMax: 10, parallelMax: 2 });
    const first = add(1);
    await nextTurn();
    const second = add(2);
    await nextTurn();
    assert.deepEqual(started(), [[1], [2]]);
    run(1).end();
    assert.equal(await second, answer(2));
    run(0).end();
    assert.equal(await first, answer(1));
  });

  test("a batcher that has been idle starts again", async () => {
    const { add, run } = batcherByHand({ sizeMax: 10 });
    for (const turn of [0, 1, 2]) {
      const result = add(turn);
      await nextTurn();
      run(turn).end();
      assert.equal(await result, answer(turn));
    }
  });

  test("a rejected run rejects each of its items with that error and no others", async () => {
    const { add, run } = batcherByHand({ sizeMax: 2 });
    const all = [1, 2, 3].map(add);
    const settled = Promise.allSettled(all);
    const error = new Error("the database is away");
    await nextTurn();
    run(0).fail(error);
    await nextTurn();
    run(1).end();
    assert.deepEqual(await settled, [
      { status: "rejected", reason: error },
      { status: "rejected", reason: error },
      { status: "fulfilled", value: answer(3) },
    ]);
  });

  test("a run that throws at once rejects its items, however many runs are waiting", async () => {
    const error = new Error("thrown at once");
    const add = createBatcher<number, string>({
      sizeMax: 1,
      run() {
        throw error;
      },
    });
    const settled = await Promise.allSettled(
      Array.from({ length: 10_000 }, (_, item) => add(item)),
    );
    assert(settled.every((each) => each.status === "rejected" && each.reason === error));
  });

  for (const results of [[], [answer(1)], [answer(1), answer(2), answer(3)]]) {
    test(`a run of two items that gives ${results.length} results rejects both`, async () => {
      const { add, run } = batcherByHand({ sizeMax: 10 });
      const settled = Promise.allSettled([add(1), add(2)]);
      await nextTurn();
      run(0).end(results);
      for (const each of await settled) {
        assert(each.status === "rejected");
        assert.equal(each.reason.name, "AssertionError");
      }
    });
  }

  test("every item gets its own result, whatever the interleaving", async () => {
    const steps = fc.array(fc.oneof(fc.constant("add"), fc.constant("turn"), fc.nat()), {
      maxLength: 60,
    });
    const limits = {
      sizeMax: fc.integer({ min: 1, max: 5 }),
      parallelMax: fc.integer({ min: 1, max: 3 }),
      gatherMsMax: fc.constantFrom(0, 60_000),
    };
    await fc.assert(fc.asyncProperty(fc.record(limits), steps, checkInterleaving), {
      numRuns: 200,
    });
  });
});

/** Adds items, lets turns pass and ends (or, for every third number, fails) some open run. */
async function checkInterleaving(
  limits: { sizeMax: number; parallelMax: number; gatherMsMax: number },
  steps: readonly (string | number)[],
): Promise<void> {
  const { add, started, run } = batcherByHand(limits);
  const settled: Promise<PromiseSettledResult<string>[]>[] = [];
  const open = new Set<number>();
  const failed = new Set<number>();
  let seen = 0;
  const notice = () => {
    for (; seen < started().length; seen += 1) open.add(seen);
    assert(open.size <= limits.parallelMax);
  };
  const close = (index: number, how: number) => {
    open.delete(index);
    if (how % 3 !== 0) return run(index).end();
    for (const item of run(index).items) failed.add(item);
    run(index).fail(`failure of run ${index}`);
  };
  for (const step of steps) {
    if (step === "add") settled.push(Promise.allSettled([add(settled.length)]));
    else if (step === "turn") await nextTurn();
    else if (open.size > 0) close([...open][Number(step) % open.size] ?? 0, Number(step));
    notice();
  }
  do {
    for (const index of open) close(index, 1);
    // One that gathers starts in the second turn after its callers brought the last.
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    notice();
  } while (open.size > 0);

  const outcomes = (await Promise.all(settled)).flat();
  for (const [item, outcome] of outcomes.entries()) {
    if (outcome.status === "fulfilled") assert.equal(outcome.value, answer(item));
    assert.equal(outcome.status === "rejected", failed.has(item));
  }
  assert(started().every((items) => items.length > 0 && items.length <= limits.sizeMax));
  assert.deepEqual(started().flat(), [...settled.keys()]);
}
