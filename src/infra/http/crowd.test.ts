/** Nobody is counted twice, for too long or for ever, whatever comes and goes. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createCrowd } from "./crowd.ts";

function crowdAt(startMs = 0) {
  const time = { ms: startMs };
  return { time, crowd: createCrowd(() => time.ms) };
}

test("whoever enters is counted until it leaves", () => {
  const { crowd } = crowdAt();
  const steps = [crowd.enter(), crowd.enter(), crowd.enter()];
  assert.equal(crowd.size(), 3);
  for (const step of steps) crowd.leave(step);
  assert.equal(crowd.size(), 0);
});

test("whoever is there for two seconds is not counted any more, and may leave all the same", () => {
  const { crowd, time } = crowdAt(12_345);
  const step = crowd.enter();
  time.ms += 1_800;
  assert.equal(crowd.size(), 1);
  time.ms += 300;
  assert.equal(crowd.size(), 0);
  crowd.enter();
  crowd.leave(step);
  assert.equal(crowd.size(), 1);
});

test("after a silence of any length nobody is there", () => {
  const { crowd, time } = crowdAt();
  for (let one = 0; one < 30; one++) {
    crowd.enter();
    time.ms += 90;
  }
  time.ms += 3_600_000;
  assert.equal(crowd.size(), 0);
});

test("the count is that of a plain list, whatever comes and goes", () => {
  const moves = fc.array(
    fc.record({ passMs: fc.nat(900), leaves: fc.option(fc.nat(20), { nil: undefined }) }),
  );
  fc.assert(
    fc.property(moves, (plan) => {
      const { crowd, time } = crowdAt();
      const there: { step: number; beganAt: number }[] = [];
      for (const { passMs, leaves } of plan) {
        time.ms += passMs;
        const stepNow = Math.floor(time.ms / 100);
        if (leaves === undefined) there.push({ step: crowd.enter(), beganAt: stepNow });
        else
          for (const { step } of there.splice(leaves % (there.length || 1), 1)) crowd.leave(step);
        const young = there.filter(({ beganAt }) => beganAt > stepNow - 20);
        assert.equal(crowd.size(), young.length);
      }
    }),
  );
});
