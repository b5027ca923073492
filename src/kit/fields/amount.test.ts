/** An amount is read exactly or refused; nothing is ever rounded or guessed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { amount } from "./amount.ts";

const TAKEN: readonly [given: unknown, minor: bigint][] = [
  [10, 1000n],
  ["10", 1000n],
  [10.5, 1050n],
  ["10.50", 1050n],
  ["0.01", 1n],
  [0, 0n],
  ["999999999999.99", 99999999999999n],
];
for (const [given, minor] of TAKEN)
  test(`${JSON.stringify(given)} is ${minor}`, () =>
    assert.equal(amount().read(given, "amount"), minor));

const REFUSED = [
  ...["0.001", "10.005", "1e2", "0x10", " 10", "+5", "-5", "10,00", "１０", ".5", "5.", "NaN", "x"],
  ...[-1, -0, 0.1 + 0.2, 1.005, 1e21, 2 ** 60, Number.NaN, Number.POSITIVE_INFINITY],
  ...[true, null, [], ["10"], {}, "9".repeat(400)],
];
for (const given of REFUSED)
  test(`${JSON.stringify(given).slice(0, 30)} is no amount`, () => {
    assert.throws(() => amount().read(given, "total_min"), {
      message: "The total min must be a number with at most 2 decimal places.",
    });
  });
