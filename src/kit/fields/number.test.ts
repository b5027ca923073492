/** A whole number is plain digits or a JSON number, within its bounds; nothing else becomes one. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { integer } from "./number.ts";

const field = integer({ min: -5, max: 1_000_000 });
const message = "The page size must be a whole number from -5 to 1000000.";

describe("integer", () => {
  for (const [given, value] of [
    [0, 0],
    [-5, -5],
    [1_000_000, 1_000_000],
    [1.0, 1],
    ["0", 0],
    ["-5", -5],
    ["007", 7],
    ["1000000", 1_000_000],
  ] as const)
    test(`takes ${typeof given} ${given}`, () => {
      assert.equal(field.read(given, "page_size"), value);
    });

  const REFUSED: readonly unknown[] = [
    ...["", " ", " 1", "1 ", "+1", "1.0", "1e2", "0x10", "0b1", "1_000", "1,000", "--1", "-", "1n"],
    ...[
      "NaN",
      "Infinity",
      "１",
      "٣",
      "true",
      "9".repeat(15),
      "9".repeat(400),
      "1\n",
      "-6",
      "1000001",
    ],
    ...[-6, 1_000_001, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 1e300, 5e-324],
    ...[true, false, [], [1], {}, 1n, { valueOf: () => 1 }],
  ];
  for (const given of REFUSED)
    test(`refuses ${typeof given} ${String(given).slice(0, 20).replace("\n", "\\n")}`, () => {
      assert.throws(() => field.read(given, "page_size"), { message });
    });

  test("reads every number the same as digits and as a number", () => {
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 1_000_000 }), (value) => {
        assert.equal(field.read(String(value), "x"), value);
        assert.equal(field.read(value, "x"), value);
      }),
    );
  });

  test("has a default only when it is given one", () => {
    assert.throws(() => field.absent("page"), { message: "The page field is required." });
    assert.equal(integer({ min: 0, max: 9, default: 0 }).absent("page"), 0);
  });
});
