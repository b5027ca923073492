/** Ten attempts by the schedule, each wait a fifth longer or shorter, longer when asked to. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type Failure, retryAfterSeconds, WAITS_SECONDS } from "./retry-schedule.ts";

const at = new Date("2027-03-01T12:00:00Z");
const DAY = 86_400;
const evenly = () => 0.5;

describe("the wait before the next attempt", () => {
  const waits = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, undefined];
  for (const [index, seconds] of waits.entries()) {
    const attemptsMade = index + 1;
    test(`after attempt ${attemptsMade} it is ${seconds ?? "none, it is given up"}`, () => {
      assert.equal(retryAfterSeconds({ attemptsMade, at }, evenly), seconds);
    });
  }

  test("is at most a fifth shorter and at most a fifth longer, by chance", () => {
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    const property = fc.property(fc.integer({ min: 1, max: 9 }), chance, (attemptsMade, by) => {
      const wait = WAITS_SECONDS[attemptsMade] ?? Number.NaN;
      const seconds = retryAfterSeconds({ attemptsMade, at }, () => by) ?? Number.NaN;
      assert(seconds >= 0.8 * wait - 1e-6 && seconds <= 1.2 * wait, `${seconds} of ${wait}`);
    });
    fc.assert(property);
    assert.equal(
      retryAfterSeconds({ attemptsMade: 1, at }, () => 0),
      4,
    );
  });
});

describe("Retry-After", () => {
  const cases: [why: string, failure: Omit<Failure, "at">, seconds: number][] = [
    ["a longer wait is kept", { attemptsMade: 1, status: 503, retryAfter: "120" }, 120],
    ["a shorter one does not shorten", { attemptsMade: 3, status: 429, retryAfter: "5" }, 1_800],
    ["5 after the first attempt", { attemptsMade: 1, status: 429, retryAfter: "5" }, 5],
    ["1e9 seconds become a day", { attemptsMade: 1, status: 503, retryAfter: "1000000000" }, DAY],
    ["1e9 as a word is garbage", { attemptsMade: 1, status: 503, retryAfter: "1e9" }, 5],
    [
      "more digits than a number holds",
      { attemptsMade: 1, status: 503, retryAfter: "9".repeat(99) },
      DAY,
    ],
    ["a date", { attemptsMade: 1, status: 503, retryAfter: "Mon, 01 Mar 2027 12:10:00 GMT" }, 600],
    [
      "a date long past",
      { attemptsMade: 1, status: 503, retryAfter: "Sun, 06 Nov 1994 08:49:37 GMT" },
      5,
    ],
    [
      "a date next year",
      { attemptsMade: 1, status: 429, retryAfter: "Wed, 01 Mar 2028 12:00:00 GMT" },
      DAY,
    ],
    [
      "a date of another shape",
      { attemptsMade: 1, status: 429, retryAfter: "2027-03-01T12:10:00Z" },
      5,
    ],
    ["garbage", { attemptsMade: 1, status: 503, retryAfter: "soon" }, 5],
    ["a negative number", { attemptsMade: 1, status: 503, retryAfter: "-1" }, 5],
    ["a fraction", { attemptsMade: 1, status: 503, retryAfter: "120.5" }, 5],
    ["nothing", { attemptsMade: 1, status: 503, retryAfter: "" }, 5],
    ["of another status does not count", { attemptsMade: 1, status: 500, retryAfter: "120" }, 5],
    ["of a redirect does not count", { attemptsMade: 1, status: 302, retryAfter: "120" }, 5],
  ];
  for (const [why, failure, seconds] of cases)
    test(`${why}: ${seconds} s`, () => {
      assert.equal(retryAfterSeconds({ ...failure, at }, evenly), seconds);
    });

  test("gives no attempt beyond the last", () => {
    const failure = { attemptsMade: 10, status: 503, retryAfter: "5", at };
    assert.equal(retryAfterSeconds(failure, evenly), undefined);
  });
});
