/** The guarantee: work of one key never overlaps, and work of other keys never waits for it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Unavailable } from "./errors.ts";
import { createKeyQueue } from "./key-queue.ts";

test("work of one key runs one at a time and in order, also after one that failed", async () => {
  const queue = createKeyQueue({ perKeyMax: 10 });
  const seen: string[] = [];
  const blocks = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const runs = blocks.map(({ promise }, at) =>
    queue.run("a", async () => {
      seen.push(`begin ${at}`);
      await promise;
      seen.push(`end ${at}`);
      if (at === 1) throw new Error("refused");
      return at;
    }),
  );
  for (const { resolve } of blocks.toReversed()) resolve();
  const settled = await Promise.allSettled(runs);
  assert.deepEqual(
    settled.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
  const expected = [0, 1, 2].flatMap((at) => [`begin ${at}`, `end ${at}`]);
  assert.deepEqual(seen, expected);
});

test("other keys do not wait, and a key without work is forgotten", async () => {
  const queue = createKeyQueue({ perKeyMax: 10 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = queue.run("a", () => promise);
  assert(queue.isBusy("a"));
  assert.equal(await queue.run("b", async () => 7), 7);
  assert(!queue.isBusy("b"));
  resolve();
  await held;
  assert(!queue.isBusy("a"));
});

test("work beyond the limit of its key is refused at once, and later work is not", async () => {
  const queue = createKeyQueue({ perKeyMax: 2 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = [queue.run("a", () => promise), queue.run("a", async () => {})];
  await assert.rejects(
    queue.run("a", async () => assert.fail("it ran")),
    Unavailable,
  );
  resolve();
  await Promise.all(held);
  assert.equal(await queue.run("a", async () => 7), 7);
});
