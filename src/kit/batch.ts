/**
 * Batching: many callers each bring one item, one run takes them together and each caller gets its
 * own result. This is how concurrent writes share one statement and one commit.
 *
 * The rule that matters: nobody waits for company. An item goes at the end of the turn it came in,
 * unless `parallelMax` runs are under way; then it goes with all the others that waited, as soon as
 * one of those runs ends.
 */

import assert from "node:assert/strict";

interface BatcherOptions<In, Out> {
  /** One result per item, in the same order. When it rejects, so does each of its items. */
  run(items: readonly In[]): Promise<readonly Out[]>;
  readonly sizeMax: number;
  readonly parallelMax?: number;
}

interface Batch<In, Out> {
  readonly items: In[];
  readonly results: Promise<readonly Out[]>;
  resolve(results: Promise<readonly Out[]>): void;
}

export function createBatcher<In, Out>(
  options: BatcherOptions<In, Out>,
): (item: In) => Promise<Out> {
  const { run, sizeMax, parallelMax = 1 } = options;
  const waiting: Batch<In, Out>[] = [];
  let runningCount = 0;
  let isScheduled = false;

  return async function add(item) {
    const batch = openBatch();
    const index = batch.items.push(item) - 1;
    if (runningCount < parallelMax && !isScheduled) {
      isScheduled = true;
      // Not a microtask: those run between the sockets that one turn of the event loop reads, and
      // would send the first request off alone. An immediate comes after all of them.
      setImmediate(startRuns);
    }
    const results = await batch.results;
    return results[index] as Out;
  };

  function openBatch(): Batch<In, Out> {
    const last = waiting.at(-1);
    if (last !== undefined && last.items.length < sizeMax) return last;
    const { promise, resolve } = Promise.withResolvers<readonly Out[]>();
    const batch = { items: [], results: promise, resolve };
    waiting.push(batch);
    return batch;
  }

  function startRuns(): void {
    isScheduled = false;
    while (runningCount < parallelMax) {
      const batch = waiting.shift();
      if (batch === undefined) return;
      runningCount += 1;
      batch.resolve(perform(batch.items));
    }
  }

  async function perform(items: readonly In[]): Promise<readonly Out[]> {
    try {
      const results = await run(items);
      assert.equal(results.length, items.length, "a run gives one result per item");
      return results;
    } finally {
      runningCount -= 1;
      // The next run starts before this one's callers go on. By a microtask, because a run that
      // throws at once would otherwise call its successor, and that one the next, down the stack.
      queueMicrotask(startRuns);
    }
  }
}
