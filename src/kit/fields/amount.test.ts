/** An amount is read exactly or refused; nothing is ever rounded or guessed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { amount, limitedAmount } from "./amount.ts";

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
  ...["0.001", "10.005", "1e2", "0x10", " 10", "+5", "10,00", "１０", ".5", "5.", "NaN", "x"],
  ...[-0, 0.1 + 0.2, 1.005, 1e21, Number.NaN, Number.POSITIVE_INFINITY],
  ...[true, null, [], ["10"], {}],
];
for (const given of REFUSED)
  test(`${JSON.stringify(given).slice(0, 30)} is no amount`, () => {
    assert.throws(() => amount().read(given, "total_min"), {
      message: "The total min must be a number with at most 2 decimal places.",
    });
  });

const BEYOND: readonly [given: unknown, sentence: string][] = [
  ["-5", "The total min must not be negative."],
  [-0.01, "The total min must not be negative."],
  ["9".repeat(400), "The total min must not be that large."],
  [2 ** 60, "The total min must not be that large."],
];
for (const [given, message] of BEYOND)
  test(`${JSON.stringify(given).slice(0, 30)} gets a sentence that says what is wrong`, () => {
    assert.throws(() => amount().read(given, "total_min"), { message });
  });

test("an amount that meets limits of its own may lie beyond all of them", () => {
  const read = (given: unknown) => limitedAmount().read(given, "amount");
  assert.deepEqual([read("-5"), read(-0.01), read("10.50")], [-500n, -1n, 1050n]);
  assert.equal(read("9".repeat(13)), BigInt(`${"9".repeat(13)}00`));
  assert.throws(() => read("ten"), /must be a number with at most 2 decimal places/);
});
