/** A bench says "pass" or "SHORT" only where its rounds agree: a noisy host decides nothing. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { type Goal, goalRow, verdictOf } from "../../bench/support/report.ts";

function goalWith(rounds: number[] | undefined, goal: Goal["goal"] = { atLeast: 1 }): Goal {
  return { what: "requests", measured: rounds?.[0] ?? 1.2, rounds, unit: "×", goal };
}

test("a goal is met or missed when every round says so, and else unsure", () => {
  assert.equal(verdictOf(goalWith([1, 1.1, 1.3])), "pass");
  assert.equal(verdictOf(goalWith([0.99, 0.5])), "SHORT");
  assert.equal(verdictOf(goalWith([1.1, 0.9])), "unsure");
  assert.equal(verdictOf(goalWith([0.9, 1.1], { below: 1 })), "unsure");
  assert.equal(verdictOf(goalWith([1, 1.1], { below: 1 })), "SHORT");
});

test("without rounds what was measured decides", () => {
  assert.equal(verdictOf(goalWith(undefined)), "pass");
  assert.equal(verdictOf(goalWith(undefined, { below: 1.2 })), "SHORT");
});

test("the row shows the spread", () => {
  assert.deepEqual(goalRow(goalWith([1.2, 0.812345, 1.5])), [
    ...["", "requests", "1.2 (0.812 to 1.5) ×", "≥ 1 ×", "unsure"],
  ]);
  assert.deepEqual(goalRow(goalWith(undefined))[2], "1.2 ×");
});
