/** The guarantee: work of one key never overlaps, and work of other keys never waits for it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeyQueue } from "./key-queue.ts";

test("work of one key runs one at a time and in order, also after one that failed", async () => {
  const queue = createKeyQueue();
  const seen: string[] = [];
  const gates = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const runs = gates.map(({ promise }, at) =>
    queue.run("a", async () => {
      seen.push(`begin ${at}`);
      await promise;
      seen.push(`end ${at}`);
      if (at === 1) throw new Error("refused");
      return at;
    }),
  );
  for (const { resolve } of gates.toReversed()) resolve();
  const settled = await Promise.allSettled(runs);
  assert.deepEqual(
    settled.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
  const expected = [0, 1, 2].flatMap((at) => [`begin ${at}`, `end ${at}`]);
  assert.deepEqual(seen, expected);
});

test("other keys do not wait, and a key without work is forgotten", async () => {
  const queue = createKeyQueue();
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = queue.run("a", () => promise);
  assert(queue.isBusy("a"));
  assert.equal(await queue.run("b", async () => 7), 7);
  assert(!queue.isBusy("b"));
  resolve();
  await held;
  assert(!queue.isBusy("a"));
});
