/** Fees and exchange rates are the published ones, as whole numbers, from the first day on. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CURRENCIES, type Currency } from "../../kit/money.ts";
import { COUNTRY_CODES, type CountryCode } from "../../kit/vocabulary.ts";
import { feeTermsOf, minorPerDollarOf } from "./fees.ts";

const FIRST_MOMENT = new Date("2022-12-19T00:00:00.000Z");
const JUST_BEFORE = new Date("2022-12-18T23:59:59.999Z");
const RECORD_DAY = new Date("2026-11-15T12:00:00.000Z");

type Published = [percentage: bigint, fixedCents: bigint, tax: bigint];
const FEES: Readonly<Record<CountryCode, Published>> = {
  BB: [380n, 0n, 1500n],
  GD: [420n, 0n, 1500n],
  GY: [420n, 0n, 1500n],
  JM: [420n, 0n, 1500n],
  TT: [350n, 25n, 0n],
};
const RATES: Readonly<Record<Currency, bigint>> = {
  TTD: 680n,
  USD: 100n,
  BBD: 200n,
  XCD: 270n,
  JMD: 15_500n,
  GYD: 20_900n,
};

describe("fee terms", () => {
  for (const countryCode of COUNTRY_CODES)
    test(`of ${countryCode} are the published ones from the first moment on`, () => {
      const [percentage, fixedCents, tax] = FEES[countryCode];
      const fixed = { currency: "USD", minor: fixedCents };
      for (const at of [FIRST_MOMENT, RECORD_DAY])
        assert.deepEqual(feeTermsOf(countryCode, at), { percentage, fixed, tax });
    });

  test("are none before the first moment", () => {
    for (const countryCode of COUNTRY_CODES)
      assert.throws(() => feeTermsOf(countryCode, JUST_BEFORE), /nothing is valid yet/);
  });
});

describe("exchange rates", () => {
  for (const currency of CURRENCIES)
    test(`a US dollar is ${RATES[currency]} minor units of ${currency}`, () => {
      for (const at of [FIRST_MOMENT, RECORD_DAY])
        assert.equal(minorPerDollarOf(currency, at), RATES[currency]);
    });

  test("are none before the first moment", () => {
    assert.throws(() => minorPerDollarOf("TTD", JUST_BEFORE), /nothing is valid yet/);
  });

  test("reach back as far as the fees whose fixed part they price", () => {
    // 100 TTD in Trinidad and Tobago: 3.50 and 25 US cents at 6.80 make the published 5.20.
    const { percentage, fixed } = feeTermsOf("TT", FIRST_MOMENT);
    const fixedInTtd = (fixed.minor * minorPerDollarOf("TTD", FIRST_MOMENT)) / 100n;
    assert.equal((100_00n * percentage) / 10_000n + fixedInTtd, 5_20n);
  });
});
