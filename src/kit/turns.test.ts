/** A lump of work holds up nobody: one piece of it is done with each turn of the event loop. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createTurns } from "./turns.ts";

test("a lump is done piece by piece, one with each turn, in the order it came", async () => {
  const inTurn = createTurns();
  const done: number[] = [];
  for (const one of [1, 2, 3]) inTurn(() => done.push(one));
  const seen = [[...done]];
  for (let turn = 0; turn < 4; turn += 1) {
    await nextTurn();
    seen.push([...done]);
  }
  assert.deepEqual(seen, [[], [1], [1, 2], [1, 2, 3], [1, 2, 3]]);
});

test("what comes while a lump is being done goes behind it, and later work begins anew", async () => {
  const inTurn = createTurns();
  const done: string[] = [];
  inTurn(() => {
    done.push("first");
    inTurn(() => done.push("behind"));
  });
  inTurn(() => done.push("second"));
  await nextTurn();
  assert.deepEqual(done, ["first"]);
  await nextTurn();
  await nextTurn();
  assert.deepEqual(done, ["first", "second", "behind"]);
  inTurn(() => done.push("anew"));
  await nextTurn();
  assert.deepEqual(done, ["first", "second", "behind", "anew"]);
});
