/** Subdivisions are those of ISO 3166-2, and one belongs to its own country only. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { COUNTRY_CODES } from "../../kit/vocabulary.ts";
import { isSubdivision, subdivisionsOf } from "./subdivisions.ts";

describe("subdivisionsOf", () => {
  const SOME: readonly [country: string, code: string, name: string][] = [
    ["US", "US-CA", "California"],
    ["CA", "CA-ON", "Ontario"],
    ["TT", "TT-POS", "Port of Spain"],
    ["TT", "TT-TOB", "Tobago"],
    ["GB", "GB-ENG", "England"],
    ["GB", "GB-EDH", "Edinburgh, City of"],
  ];
  for (const [country, code, name] of SOME)
    test(`${code} is ${name}`, () => assert.equal(subdivisionsOf(country)[code], name));

  const COUNTS: readonly [country: string, count: number][] = [
    ["BB", 11],
    ["CA", 13],
    ["JM", 14],
  ];
  for (const [country, count] of COUNTS)
    test(`${country} has ${count}`, () => {
      assert.equal(Object.keys(subdivisionsOf(country)).length, count);
    });

  test("every platform's country has some, with full codes and names", () => {
    for (const country of COUNTRY_CODES) {
      const entries = Object.entries(subdivisionsOf(country));
      assert(entries.length > 0, country);
      for (const [code, name] of entries) {
        assert.match(code, new RegExp(`^${country}-[A-Z0-9]{1,3}$`));
        assert(name !== "", code);
      }
    }
  });

  for (const country of ["AI", "HK", "ZZ", "us", "U", "", "US-CA", "__proto__", "constructor"])
    test(`${JSON.stringify(country)} has none`, () => {
      assert.deepEqual(subdivisionsOf(country), {});
    });

  test("what it gives out cannot be changed by who takes it", () => {
    for (const country of ["US", "ZZ"])
      assert.throws(() => Object.assign(subdivisionsOf(country), { "US-XX": "x" }), TypeError);
  });
});

describe("isSubdivision", () => {
  const CASES: readonly [country: string, text: string, is: boolean][] = [
    ["US", "US-CA", true],
    ["US", "CA", true],
    ["CA", "ON", true],
    ["AD", "02", true],
    ["US", "ca", false],
    ["US", "us-ca", false],
    ["US", "US-US-CA", false],
    ["US", "California", false],
    ["US", "ON", false],
    ["US", "CA-ON", false],
    ["CA", "US-CA", false],
    ["US", "", false],
    ["US", "US", false],
    ["US", "US-", false],
    ["US", "-CA", false],
    ["US", " CA", false],
    ["US", "CA\n", false],
    ["US", "__proto__", false],
    ["US", "toString", false],
    ["AI", "AI", false],
    ["ZZ", "CA", false],
    ["", "US-CA", false],
  ];
  for (const [country, text, is] of CASES)
    test(`${JSON.stringify(text)} is ${is ? "one" : "none"} of ${country || "no country"}`, () => {
      assert.equal(isSubdivision(country, text), is);
    });

  test("each listed one is one of its country, in full and in short, and of no other", () => {
    const countries = fc.constantFrom("US", "CA", "GB", "FR", "IN", ...COUNTRY_CODES);
    fc.assert(
      fc.property(countries, countries, fc.nat(), (country, other, pick) => {
        const codes = Object.keys(subdivisionsOf(country));
        const code = codes[pick % codes.length] ?? "";
        assert(isSubdivision(country, code) && isSubdivision(country, code.slice(3)), code);
        assert.equal(isSubdivision(other, code), other === country);
      }),
    );
  });
});
