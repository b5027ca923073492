/** Bytes of chance: as many as were asked for, nobody else's, and never changed afterwards. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { chanceBytes } from "./chance.ts";

test("they are as many as were asked for, and nobody else's", () => {
  const [one, other] = [chanceBytes(16), chanceBytes(16)];
  assert.deepEqual([one.length, other.length], [16, 16]);
  const before = other.toString("hex");
  one.fill(0);
  assert.equal(other.toString("hex"), before);
  assert.notEqual(chanceBytes(16).toString("hex"), before);
});

test("those that were given stay as they are when more are drawn", () => {
  const kept = chanceBytes(10);
  const before = kept.toString("hex");
  for (let count = 0; count < 1_000; count++) chanceBytes(10);
  assert.equal(kept.toString("hex"), before);
});

test("more than are drawn at once may be asked for", () => {
  assert.equal(chanceBytes(10_000).length, 10_000);
});
