/** The five platforms are complete: two currencies each, with limits, banks and documents. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CURRENCIES } from "../../kit/money.ts";
import { COUNTRY_CODES, type CountryCode } from "../../kit/vocabulary.ts";
import { paymentLimitsOf } from "./limits.ts";
import { platformOf } from "./platform.ts";

const EXPECTED: Readonly<Record<CountryCode, [name: string, local: string, banks: number]>> = {
  BB: ["Barbados", "BBD", 6],
  GD: ["Grenada", "XCD", 3],
  GY: ["Guyana", "GYD", 6],
  JM: ["Jamaica", "JMD", 8],
  TT: ["Trinidad and Tobago", "TTD", 9],
};

test("there are five platforms", () => {
  assert.deepEqual([...COUNTRY_CODES], Object.keys(EXPECTED));
});

for (const countryCode of COUNTRY_CODES)
  describe(`the platform ${countryCode}`, () => {
    const platform = platformOf(countryCode);
    const [name, local, banks] = EXPECTED[countryCode];

    test(`is ${name} and takes ${local} and USD, in this order`, () => {
      assert.equal(platform.countryCode, countryCode);
      assert.equal(platform.name, name);
      assert.equal(platform.localCurrency, local);
      assert.equal(platform.foreignCurrency, "USD");
      assert.deepEqual([...platform.currencies], [local, "USD"]);
    });

    test("has limits in each of its currencies", () => {
      for (const currency of platform.currencies) {
        const { minimum, maximum } = paymentLimitsOf(currency);
        assert(0n < minimum.minor && minimum.minor < maximum.minor, currency);
      }
    });

    test(`has ${banks} banks`, () => assert.equal(platform.banks.length, banks));

    test("asks for the branch exactly when it is Jamaica", () => {
      assert.equal(platform.asksForBranch, countryCode === "JM");
    });
  });

test("no two platforms share a local currency, and every currency is some platform's", () => {
  const local = COUNTRY_CODES.map((code) => platformOf(code).localCurrency);
  assert.deepEqual([...local, "USD"].sort(), [...CURRENCIES].sort());
});
