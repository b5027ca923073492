/** A code with one character wrong is not taken for a bank's. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { abaField, swiftField, swiftOrAbaField } from "./bank-codes.ts";

const reads = (field: typeof abaField, code: unknown) => {
  try {
    return field.read(code, "code");
  } catch (error) {
    return (error as Error).message;
  }
};
const NO_ABA = "The code must be an ABA routing number of 9 digits.";
const NO_SWIFT = "The code must be a SWIFT code of 8 or 11 characters.";

/** Routing numbers that the Federal Reserve publishes. */
const REAL_ABA = ["021000021", "011000015", "121000248", "322271627", "026009593", "111000025"];

describe("an ABA routing number", () => {
  for (const code of REAL_ABA)
    test(`${code} is one`, () => assert.equal(reads(abaField, code), code));

  test("with any one digit changed is none", () => {
    const change = fc.record({
      code: fc.constantFrom(...REAL_ABA),
      at: fc.nat({ max: 8 }),
      by: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(change, ({ code, at, by }) => {
        const digit = (Number(code[at]) + by) % 10;
        assert.equal(reads(abaField, code.slice(0, at) + digit + code.slice(at + 1)), NO_ABA);
      }),
    );
  });

  for (const code of ["", "000000000", "21000021", "0210000210", "02100002A", "021-000-021"])
    test(`${JSON.stringify(code)} is none`, () => assert.equal(reads(abaField, code), NO_ABA));

  test("of a district that does not exist is none, whatever its checksum", () =>
    assert.equal(reads(abaField, "500000005"), NO_ABA));

  test("is text", () => assert.equal(reads(abaField, 21000021), "The code must be a string."));
});

describe("a SWIFT code", () => {
  const GOOD: readonly [given: string, kept: string][] = [
    ["CHASUS33", "CHASUS33"],
    ["CITIUS33XXX", "CITIUS33XXX"],
    ["rbttttpx", "RBTTTTPX"],
    ["DEUTDEFF500", "DEUTDEFF500"],
  ];
  for (const [given, kept] of GOOD)
    test(`${given} is kept as ${kept}`, () => assert.equal(reads(swiftField, given), kept));

  const BAD = ["CHASUS3", "CHASUS333", "CHASUS33XX", "CHASUS33XXXX", "CHAS1233", "CHASUS3!", "Ж"];
  for (const code of [...BAD, "CHASUS33\n", " CHASUS33"])
    test(`${JSON.stringify(code)} is none`, () => assert.equal(reads(swiftField, code), NO_SWIFT));
});

test("where either will do, both are taken and neither's mistakes", () => {
  assert.equal(reads(swiftOrAbaField, "021000021"), "021000021");
  assert.equal(reads(swiftOrAbaField, "chasus33xxx"), "CHASUS33XXX");
  for (const code of ["021000022", "CHASUS3", "12-34-56"])
    assert.equal(
      reads(swiftOrAbaField, code),
      "The code must be a SWIFT code of 8 or 11 characters or an ABA routing number of 9 digits.",
    );
});
