/**
 * The guarantee: a look at the database's clock that takes longer than another does not move the
 * times of what is logged; a clock that is set moves them.
 */

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { followClock } from "./follow-clock.ts";

const BEGAN = Date.UTC(2026, 10, 19);

/** A clock that is read after one wait and answers after another; time is ours. */
function clockBehindWire({ mock }: TestContext) {
  let nowMs = 1_000.5;
  mock.method(performance, "now", () => nowMs);
  const wire = { beforeMs: 0, afterMs: 0, aheadMs: 0 };
  const look = async () => {
    nowMs += wire.beforeMs;
    const told = new Date(Math.floor(BEGAN + nowMs + wire.aheadMs));
    nowMs += wire.afterMs;
    return told;
  };
  return { wire, startMs: followClock(look) };
}

test("however long each look takes, the beginning stays where it was", async (t) => {
  const { wire, startMs } = clockBehindWire(t);
  const first = await startMs();
  assert(Math.abs(first - BEGAN) <= 1);
  for (const [beforeMs, afterMs] of [
    [300, 0],
    [0, 300],
    [150, 150.25],
  ] as const) {
    Object.assign(wire, { beforeMs, afterMs });
    assert.equal(await startMs(), first);
  }
});

test("a slow first look is mended by a quick one, and each later one keeps that", async (t) => {
  const { wire, startMs } = clockBehindWire(t);
  wire.afterMs = 500;
  assert(Math.abs((await startMs()) - (BEGAN - 500)) <= 1);
  wire.afterMs = 0;
  const quick = await startMs();
  assert(Math.abs(quick - BEGAN) <= 1);
  wire.afterMs = 500;
  assert.equal(await startMs(), quick);
});

test("a clock that is set is followed, ahead and back", async (t) => {
  const { wire, startMs } = clockBehindWire(t);
  for (const aheadMs of [0, 60_000, -60_000, 0]) {
    wire.aheadMs = aheadMs;
    assert(Math.abs((await startMs()) - BEGAN - aheadMs) <= 2);
  }
});
