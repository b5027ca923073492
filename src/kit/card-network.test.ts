/**
 * The guarantee: a number belongs to one network at most, and one mistyped digit never passes Luhn.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { networkOf, passesLuhn } from "./card-network.ts";

describe("the network of a number", () => {
  const cases: [string, string | undefined][] = [
    ["4000000000000000", "visa"],
    ["5099999999999999", undefined],
    ["5100000000000000", "mastercard"],
    ["5599999999999999", "mastercard"],
    ["5600000000000000", undefined],
    ["2220999999999999", undefined],
    ["2221000000000000", "mastercard"],
    ["2299999999999999", "mastercard"],
    ["2700000000000000", "mastercard"],
    ["2720999999999999", "mastercard"],
    ["2721000000000000", undefined],
    ["341111111111111", undefined],
    ["6011000000000000", undefined],
    ["", undefined],
  ];
  for (const [digits, network] of cases)
    test(`${digits || "nothing"} is ${network ?? "of none that we take"}`, () =>
      assert.equal(networkOf(digits), network));
});

describe("Luhn", () => {
  test("numbers that networks publish for trying out pass", () => {
    for (const digits of [
      "4111111111111111",
      "5555555555554444",
      "2223003122003222",
      "4222222222222",
    ])
      assert(passesLuhn(digits));
  });

  test("with any one digit changed, a number that passed does not", () => {
    const digit = fc.integer({ min: 0, max: 9 });
    const number = fc.array(digit, { minLength: 12, maxLength: 18 }).map(completed);
    const change = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(number, change, (digits, [place, by]) => {
        const at = place % digits.length;
        const other = (Number(digits[at]) + by) % 10;
        assert(passesLuhn(digits));
        assert(!passesLuhn(digits.slice(0, at) + other + digits.slice(at + 1)));
      }),
    );
  });
});

/** The one last digit that fits is found by trying, not by the formula that is on trial. */
function completed(digits: readonly number[]): string {
  const fitting = Array.from({ length: 10 }, (_, last) => [...digits, last].join("")).filter(
    passesLuhn,
  );
  assert.equal(fitting.length, 1);
  return fitting[0] ?? "";
}
