/** The bench fills no disk that others need: a size that has no room is left out, and says why. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { sizesUpTo, tooTight } from "../../bench/size/sizes.ts";

const MILLION = { merchants: 1, paymentsEach: 1_000_000 };

test("sizes grow up to the largest, and many merchants share as much as that", () => {
  assert.deepEqual(sizesUpTo(4_000_000), [
    { merchants: 1, paymentsEach: 100_000 },
    { merchants: 1, paymentsEach: 1_000_000 },
    { merchants: 1, paymentsEach: 4_000_000 },
    { merchants: 1_000, paymentsEach: 500 },
    { merchants: 10_000, paymentsEach: 400 },
    { merchants: 100_000, paymentsEach: 40 },
  ]);
  assert.deepEqual(sizesUpTo(50_000_000).at(-1), { merchants: 100_000, paymentsEach: 500 });
  assert.deepEqual(sizesUpTo(1_000), [
    { merchants: 1, paymentsEach: 1_000 },
    { merchants: 1_000, paymentsEach: 1 },
  ]);
});

test("a size that would leave less than 10 GB is left out, with what it needs", () => {
  assert.equal(tooTight(MILLION, [], 30), undefined);
  assert.deepEqual(tooTight(MILLION, [], 26), { ...MILLION, neededGb: 16.4, freeGb: 26 });
});

test("what a size needs follows from those before it", () => {
  const known = [{ merchants: 1, paymentsEach: 100_000, diskGb: 0.5 }];
  assert.equal(tooTight(MILLION, known, 23), undefined);
  assert.equal(tooTight(MILLION, known, 22)?.neededGb, 12.5);
});
