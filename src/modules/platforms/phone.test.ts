/**
 * A phone number is taken only by the country that gives it out, although four of the five share
 * +1 with each other and with North America (Decision 0018).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { COUNTRY_CODES, type CountryCode } from "../../kit/vocabulary.ts";
import { phoneField, readPhone } from "./phone.ts";
import { platformOf } from "./platform.ts";

const NUMBERS: Readonly<Record<CountryCode, readonly string[]>> = {
  BB: ["+12462501234", "+12462271234", "+12462301234"],
  GD: ["+14734031234", "+14732301234", "+14734021234"],
  GY: ["+5926091234", "+5922161234", "+5925101234"],
  JM: ["+18762101234", "+18766011234", "+16582101234"],
  TT: ["+18682911234", "+18682011234", "+18682501234"],
};

/** E.164 by their shape, but no number that one of the five countries gives out. */
const OF_NONE: readonly [number: string, why: string][] = [
  ["+12025550123", "United States"],
  ["+14165550123", "Canada"],
  ["+17582841234", "Saint Lucia"],
  ["+17842661234", "Saint Vincent"],
  ["+447911123456", "United Kingdom"],
  ["+5978123456", "Suriname, next to Guyana"],
  ["+18002345678", "toll-free in all of North America"],
  ["+18680001234", "no such exchange in Trinidad and Tobago"],
  ["+18760001234", "no such exchange in Jamaica"],
  ["+12460001234", "no such exchange in Barbados"],
  ["+14730001234", "no such exchange in Grenada"],
  ["+5921234567", "no such exchange in Guyana"],
  ["+1868291123", "a digit short"],
  ["+186829112345", "a digit long"],
  ["+592609123", "a digit short"],
  ["+59260912345", "a digit long"],
  ["+118682911234", "the national prefix written after the country's"],
  ["+2911234", "a local number with a plus"],
  ["+12", "hardly begun"],
];

const NOT_E164 = [
  ...["18682911234", "8682911234", "+08682911234", "+1868291123456789", "+1 868 291 1234"],
  ...[
    "+1(868)291-1234",
    "+1868291ABCD",
    "+１８６８２９１１２３４",
    "+18682911234\n",
    " +18682911234",
  ],
  ...["+18682911234 ", "++18682911234", "tel:+18682911234", "+18682911234;ext=5", "001868291123"],
  ...["+", "+1", "phone", "+18682911234x5", "+1868291123\u0000", "+1".repeat(5000)],
];

function countriesOf(number: string): CountryCode[] {
  return COUNTRY_CODES.filter((countryCode) => readPhone(number, countryCode) !== undefined);
}

describe("readPhone", () => {
  for (const countryCode of COUNTRY_CODES)
    for (const number of NUMBERS[countryCode])
      test(`${number} is of ${countryCode} and of no other platform`, () => {
        assert.deepEqual(countriesOf(number), [countryCode]);
        assert.equal(readPhone(number, countryCode), number);
      });

  for (const [number, why] of OF_NONE)
    test(`${number} is of no platform: ${why}`, () => assert.deepEqual(countriesOf(number), []));

  for (const text of NOT_E164)
    test(`${JSON.stringify(text).slice(0, 40)} is no E.164`, () => {
      assert.deepEqual(countriesOf(text), []);
    });

  test("whatever it takes is E.164, comes back unchanged and belongs to one country", () => {
    const prefix = fc.constantFrom("+1868", "+1876", "+1658", "+1246", "+1473", "+592", "+1", "+");
    const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 11 });
    fc.assert(
      fc.property(prefix, digits, (start, rest) => {
        const countries = countriesOf(start + rest);
        assert(countries.length <= 1, `${start + rest} is of ${countries}`);
        for (const country of countries) {
          assert.equal(readPhone(start + rest, country), start + rest);
          assert.match(start + rest, /^\+(1\d{10}|592\d{7})$/);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("phoneField", () => {
  for (const countryCode of COUNTRY_CODES) {
    const { name } = platformOf(countryCode);
    const field = phoneField(countryCode);

    test(`of ${countryCode} takes its numbers and names ${name} to all others`, () => {
      for (const number of NUMBERS[countryCode]) assert.equal(field.read(number, "phone"), number);
      const foreign = COUNTRY_CODES.filter((other) => other !== countryCode);
      const others = [...foreign.flatMap((other) => NUMBERS[other]), ...OF_NONE.map(([no]) => no)];
      for (const number of others)
        assert.throws(() => field.read(number, "phone"), {
          status: 400,
          message: `The phone must be a valid phone number of ${name}.`,
        });
    });
  }

  test("speaks of the format when the shape is wrong already", () => {
    for (const text of NOT_E164)
      assert.throws(() => phoneField("TT").read(text, "home_phone"), {
        status: 400,
        message: "The home phone format is invalid.",
      });
  });

  test("wants a text, and wants one at all", () => {
    for (const value of [18682911234, true, ["+18682911234"], {}])
      assert.throws(() => phoneField("TT").read(value, "phone"), {
        message: "The phone must be a string.",
      });
    assert.throws(() => phoneField("TT").absent("phone"), {
      message: "The phone field is required.",
    });
  });

  test("has a schema that allows what it takes and refuses what has another shape", () => {
    const allows = new Ajv2020().compile(phoneField("TT").schema);
    for (const number of Object.values(NUMBERS).flat()) assert(allows(number), number);
    for (const text of NOT_E164) assert(!allows(text), text.slice(0, 40));
  });
});
