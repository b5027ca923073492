/** A burst, then 20 a second; a pause that grows with the trouble, to a minute and no longer. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createPace, restAfterFailure } from "./pace.ts";

/** How many begin within that time, of as many as may. */
function countWithin(seconds: number, restSeconds: number): number {
  let nowMs = 1_000_000;
  const pace = createPace(restSeconds, () => nowMs);
  const endsAt = nowMs + seconds * 1_000;
  let begun = 0;
  for (; nowMs < endsAt; nowMs++)
    while (pace.waitMs() <= 0) {
      pace.begin();
      begun += 1;
    }
  return begun;
}

test("a rested endpoint takes a burst of a second's worth at once, then 20 a second", () => {
  assert.equal(countWithin(0.001, -3600), 21);
  assert.equal(countWithin(10, -3600), 220);
});

test("how far a burst was used up is kept as a wait from now, to the next claim", () => {
  let nowMs = 0;
  const pace = createPace(-3600, () => nowMs);
  for (let begun = 0; begun < 15; begun++) pace.begin();
  const kept = pace.waitMs() / 1_000;
  const again = createPace(kept, () => nowMs);
  assert.equal(again.waitMs(), pace.waitMs());
  assert.equal(countWithin(0.001, kept), 6);
  nowMs += 10_000;
  assert.equal(again.waitMs() <= -1_000, true);
});

test("an endpoint that rests begins nothing before its time, then starts where a burst ends", () => {
  let nowMs = 0;
  const pace = createPace(-3600, () => nowMs);
  pace.rest(30);
  nowMs = 29_999;
  assert.equal(pace.waitMs(), 1);
  nowMs = 30_000;
  assert.equal(pace.waitMs(), 0);
  pace.begin();
  assert.equal(pace.waitMs(), 50);
});

for (const [failing, rests] of [
  [0, 0],
  [5, 0.5],
  [60, 6],
  [600, 60],
  [3_600, 60],
  [432_000, 60],
])
  test(`after ${failing} s of failure it rests for ${rests} s`, () => {
    assert.equal(restAfterFailure(failing ?? 0), rests);
  });
