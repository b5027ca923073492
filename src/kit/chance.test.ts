/** Bytes of chance: as many as were asked for, nobody else's, and never changed afterwards. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { chanceBytes } from "./chance.ts";

test("they are as many as were asked for, and nobody else's", () => {
  const seen = new Set<string>();
  for (let count = 0; count < 2_000; count++) {
    const bytes = chanceBytes(16);
    assert.equal(bytes.length, 16);
    seen.add(bytes.toString("hex"));
  }
  assert.equal(seen.size, 2_000);
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
