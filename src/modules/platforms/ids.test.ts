/** A document number fits the pattern of its platform and kind, whole and in upper case. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COUNTRY_CODES, type CountryCode } from "../../kit/vocabulary.ts";
import { ID_TYPES } from "./ids.ts";
import { platformOf } from "./platform.ts";

type Cases = readonly [taken: readonly string[], refused: readonly string[]];

/** In the order passport, national_id, driver_permit. */
const CASES: Readonly<Record<CountryCode, readonly [Cases, Cases, Cases]>> = {
  BB: [
    [
      ["A123456", "A1234567"],
      ["A12345", "A12345678", "AB123456", "1234567"],
    ],
    [
      ["800101-1234", "8001011234"],
      ["800101--1234", "80010-11234", "800101 1234", "80010112345"],
    ],
    [
      ["AB123", "123456789012"],
      ["AB12", "1234567890123", "AB-123"],
    ],
  ],
  GD: [
    [["GD123456"], ["G123456", "GD12345", "GD1234567", "GDA12345"]],
    [
      ["ABC123", "123456789012"],
      ["12345", "1234567890123"],
    ],
    [
      ["AB123", "123456789012"],
      ["AB12", "1234567890123"],
    ],
  ],
  GY: [
    [
      ["R123456", "R1234567"],
      ["R12345", "R12345678", "RR123456"],
    ],
    [["123456789"], ["12345678", "1234567890", "A23456789"]],
    [
      ["12345", "123456789"],
      ["1234", "1234567890", "A12345"],
    ],
  ],
  JM: [
    [["A1234567"], ["A123456", "A12345678", "AB123456"]],
    [["1234567"], ["123456", "12345678", "A123456"]],
    [["123456789"], ["12345678", "1234567890", "A23456789"]],
  ],
  TT: [
    [["TA123456"], ["T123456", "TA12345", "TA1234567", "TAA12345"]],
    [["19800101123"], ["1980010112", "198001011234", "1980010112A"]],
    [
      ["12345", "12345678", "12345A", "12345678A"],
      ["1234", "123456789", "A12345", "12345AB"],
    ],
  ],
};

for (const countryCode of COUNTRY_CODES)
  describe(`a document of ${countryCode}`, () => {
    const { ids } = platformOf(countryCode);

    test("is a passport, a national id or a driver's permit, told in this order", () => {
      assert.deepEqual(
        ids.map(({ type }) => type),
        [...ID_TYPES],
      );
    });

    for (const [index, [taken, refused]] of CASES[countryCode].entries()) {
      const rule = ids[index];
      assert(rule !== undefined);
      const { type, pattern } = rule;

      test(`that is a ${type} may be ${taken.join(", ")}`, () => {
        for (const number of taken) assert.match(number, pattern);
      });

      test(`that is a ${type} may not be ${refused.join(", ")}`, () => {
        for (const number of refused) assert.doesNotMatch(number, pattern);
      });

      test(`that is a ${type} has no small letters and nothing around it`, () => {
        for (const number of taken) {
          if (/[A-Z]/.test(number)) assert.doesNotMatch(number.toLowerCase(), pattern);
          for (const around of [` ${number}`, `${number} `, `${number}\n`, `${number};`])
            assert.doesNotMatch(around, pattern);
        }
      });

      test(`that is a ${type} has a pattern that keeps nothing from one use to the next`, () => {
        // The metadata shows the source alone, and a "g" would make every second use fail.
        assert.equal(pattern.flags, "");
        assert.match(pattern.source, /^\^.*\$$/);
      });
    }
  });
