/** A version holds from its first moment to the last one before the next. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dated } from "./dated.ts";

const first = new Date("2026-01-01T00:00:00.000Z");
const second = new Date("2026-07-01T00:00:00.000Z");
const lookup = dated([
  { validFrom: first, value: "old" },
  { validFrom: second, value: "new" },
]);

const BOUNDARIES: readonly [at: string, value: string][] = [
  ["2026-01-01T00:00:00.000Z", "old"],
  ["2026-06-30T23:59:59.999Z", "old"],
  ["2026-07-01T00:00:00.000Z", "new"],
  ["2026-06-30T20:00:00.000-04:00", "new"],
  ["2999-01-01T00:00:00.000Z", "new"],
];
for (const [at, value] of BOUNDARIES)
  test(`at ${at} the ${value} version holds`, () => assert.equal(lookup(new Date(at)), value));

test("a millisecond before the first version there is none", () => {
  assert.throws(() => lookup(new Date("2025-12-31T23:59:59.999Z")), {
    name: "AssertionError",
    message: "nothing is valid yet at 2025-12-31T23:59:59.999Z",
  });
});

test("a time that does not exist has no version", () => {
  assert.throws(() => lookup(new Date(Number.NaN)));
});

test("no versions at all hold at no time", () => {
  assert.throws(() => dated([])(first), /nothing is valid yet/);
});

test("versions out of order, twice at one moment or at no moment are refused at once", () => {
  const versions = [
    [second, first],
    [first, first],
    [new Date(Number.NaN)],
    [first, new Date(Number.NaN)],
  ].map((times) => times.map((validFrom) => ({ validFrom, value: 0 })));
  for (const wrong of versions) assert.throws(() => dated(wrong), { name: "AssertionError" });
});

test("the version that holds is the latest that has begun", () => {
  const times = fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(times, fc.integer({ min: 0, max: 1000 }), (unordered, at) => {
      const ordered = unordered.toSorted((a, b) => a - b);
      const find = dated(ordered.map((time) => ({ validFrom: new Date(time), value: time })));
      const begun = ordered.filter((time) => time <= at);
      if (begun.length === 0) assert.throws(() => find(new Date(at)));
      else assert.equal(find(new Date(at)), Math.max(...begun));
    }),
  );
});
