/**
 * Terms of a single account price as the platform's do: parts add up, and what is left of the
 * smallest payment by at least three cents is something of every larger one (Decision 0129).
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { addMoney, CURRENCIES, money } from "../../kit/money.ts";
import { COUNTRY_CODES } from "../../kit/vocabulary.ts";
import { BeyondLimits, demandPayable, FEE_STRUCTURES, quoteFee } from "./fee-quote.ts";
import { feeTermsOf } from "./fees.ts";
import { paymentLimitsOf } from "./limits.ts";
import {
  OWN_FIXED_CENTS_MAX,
  OWN_MAXIMUM_MINOR,
  OWN_PERCENTAGE_MAX,
  type OwnTerms,
} from "./own-terms.ts";
import { platformOf } from "./platform.ts";

const AT = new Date("2026-11-18T12:00:00Z");

const terms = fc.record({
  country: fc.constantFrom(...COUNTRY_CODES),
  isLocal: fc.boolean(),
  percentage: fc.bigInt({ min: 0n, max: OWN_PERCENTAGE_MAX }),
  fixedCents: fc.oneof(
    fc.bigInt({ min: 0n, max: 100n }),
    fc.bigInt({ min: 0n, max: OWN_FIXED_CENTS_MAX }),
  ),
  minimum: fc.oneof(
    fc.bigInt({ min: 1n, max: 10_000n }),
    fc.bigInt({ min: 1n, max: OWN_MAXIMUM_MINOR }),
  ),
  more: fc.oneof(fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: 10n ** 9n })),
  feeStructure: fc.constantFrom(...FEE_STRUCTURES),
});

test("an own fee adds up, and leaves something of every amount if it leaves three cents of the least", () => {
  fc.assert(
    fc.property(terms, ({ country, isLocal, minimum, more, feeStructure, ...fees }) => {
      const platform = platformOf(country);
      const currency = platform.currencies[isLocal ? 0 : 1];
      const quote = (minor: bigint, payer = feeStructure) =>
        quoteFee({
          platform,
          currency,
          amount: money(currency, minor),
          feeStructure: payer,
          at: AT,
          own: { fees },
        });
      const { percentage, fixed, tax, total, customer, merchant } = quote(minimum + more);
      assert.equal(total.minor, percentage.minor + fixed.minor + tax.minor);
      assert.deepEqual(addMoney(customer.fee, merchant.fee), total);
      assert.equal(customer.total.minor, merchant.net.minor + total.minor);
      const exact = (minimum + more) * fees.percentage;
      const off = percentage.minor * 10_000n - exact;
      assert(off <= 5_000n && off > -5_000n, `${off}`);
      if (quote(minimum, "merchant_absorb").merchant.net.minor < 3n) return;
      assert(quote(minimum + more, "merchant_absorb").merchant.net.minor >= 1n);
    }),
    { numRuns: 5_000 },
  );
});

test("own limits take the place of the platform's in their currency alone", () => {
  const own: OwnTerms = { limits: { TTD: { minimum: 1n, maximum: 5_000_000n } } };
  for (const currency of CURRENCIES) {
    const { minimum, maximum } = paymentLimitsOf(currency, own);
    const usual = paymentLimitsOf(currency);
    const expected =
      currency === "TTD" ? [money("TTD", 1n), money("TTD", 5_000_000n)] : Object.values(usual);
    assert.deepEqual([minimum, maximum], expected);
    demandPayable(minimum, "total", own);
    demandPayable(maximum, "total", own);
    for (const minor of [minimum.minor - 1n, maximum.minor + 1n])
      assert.throws(() => demandPayable(money(currency, minor), "total", own), BeyondLimits);
  }
});

test("an own fee keeps the tax of the platform, and without one nothing differs", () => {
  for (const country of COUNTRY_CODES) {
    const usual = feeTermsOf(country, AT);
    assert.deepEqual(feeTermsOf(country, AT, {}), usual);
    const own = feeTermsOf(country, AT, { fees: { percentage: 1n, fixedCents: 2n } });
    assert.deepEqual(own, { percentage: 1n, fixed: money("USD", 2n), tax: usual.tax });
  }
});
