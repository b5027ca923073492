/** Work in slices gives the event loop a turn between two of them, and its result at the end. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { atOnce, inSlices } from "./in-slices.ts";

/** Counts, and takes longer than a slice for each number. */
function* count(to: number): Generator<void, number> {
  for (let at = 0; at < to; at++) {
    const beganAt = performance.now();
    while (performance.now() - beganAt < 10);
    yield;
  }
  return to;
}

test("others have their turn while it works", async () => {
  const turns: string[] = [];
  const working = inSlices(count(3)).then((made) => turns.push(`made ${made}`));
  setImmediate(() => turns.push("another"));
  await working;
  assert.deepEqual(turns, ["another", "made 3"]);
});

test("at once, it makes the same", () => {
  assert.equal(atOnce(count(2)), 2);
});
