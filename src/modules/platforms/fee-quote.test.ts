/**
 * Every cent of a fee is accounted for: parts add up to the whole, shares add up to the fee, and
 * the published figures come out exactly (Decision 0025).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { CURRENCIES, type Currency, formatMoney, money, parseMoney } from "../../kit/money.ts";
import { COUNTRY_CODES, type CountryCode } from "../../kit/vocabulary.ts";
import { demandPayable, FEE_STRUCTURES, type FeeStructure, quoteFee } from "./fee-quote.ts";
import { paymentLimitsOf } from "./limits.ts";
import { platformOf } from "./platform.ts";

const AT = new Date("2026-11-15T12:00:00Z");

function quote(
  country: CountryCode,
  currency: Currency,
  amount: string,
  feeStructure: FeeStructure,
) {
  const given = parseMoney(currency, amount);
  assert(given !== undefined);
  return quoteFee({ platform: platformOf(country), currency, amount: given, feeStructure, at: AT });
}

/** percentage + fixed + tax = fee | customer's share, what they pay | merchant's share, net */
const VECTORS: readonly [CountryCode, Currency, string, FeeStructure, string][] = [
  ["TT", "TTD", "100.00", "customer_pay", "3.50+1.70+0.00=5.20 | 5.20 105.20 | 0.00 100.00"],
  ["TT", "TTD", "10.00", "customer_pay", "0.35+1.70+0.00=2.05 | 2.05 12.05 | 0.00 10.00"],
  ["TT", "USD", "100.00", "customer_pay", "3.50+0.25+0.00=3.75 | 3.75 103.75 | 0.00 100.00"],
  ["JM", "JMD", "1000.00", "customer_pay", "42.00+0.00+6.30=48.30 | 48.30 1048.30 | 0.00 1000.00"],
  ["BB", "BBD", "100.00", "customer_pay", "3.80+0.00+0.57=4.37 | 4.37 104.37 | 0.00 100.00"],
  ["GD", "XCD", "100.00", "customer_pay", "4.20+0.00+0.63=4.83 | 4.83 104.83 | 0.00 100.00"],
  ["GY", "GYD", "155.00", "customer_pay", "6.51+0.00+0.98=7.49 | 7.49 162.49 | 0.00 155.00"],
  ["TT", "TTD", "100.00", "merchant_absorb", "3.50+1.70+0.00=5.20 | 0.00 100.00 | 5.20 94.80"],
  ["TT", "TTD", "100.00", "split", "3.50+1.70+0.00=5.20 | 2.60 102.60 | 2.60 97.40"],
  // An odd fee: the half-cent is the customer's.
  ["TT", "TTD", "10.00", "split", "0.35+1.70+0.00=2.05 | 1.03 11.03 | 1.02 8.98"],
  ["BB", "BBD", "100.00", "split", "3.80+0.00+0.57=4.37 | 2.19 102.19 | 2.18 97.82"],
  // 5.00 × 3.5 % = 0.175: a half goes up; 0.74 × 3.5 % = 0.0259: so does more than a half.
  ["TT", "TTD", "5.00", "customer_pay", "0.18+1.70+0.00=1.88 | 1.88 6.88 | 0.00 5.00"],
  ["TT", "USD", "0.74", "merchant_absorb", "0.03+0.25+0.00=0.28 | 0.00 0.74 | 0.28 0.46"],
  // 10.12 × 3.8 % = 0.38456 shown as 0.38; the tax is 15 % of what is shown: 0.057.
  ["BB", "BBD", "10.12", "customer_pay", "0.38+0.00+0.06=0.44 | 0.44 10.56 | 0.00 10.12"],
];

describe("a quote", () => {
  for (const [country, currency, amount, structure, expected] of VECTORS)
    test(`${country} ${amount} ${currency} ${structure} is ${expected}`, () => {
      const { percentage, fixed, tax, total, customer, merchant } = quote(
        country,
        currency,
        amount,
        structure,
      );
      const [a, b, c, d] = [percentage, fixed, tax, total].map(formatMoney);
      const [e, f, g, h] = [customer.fee, customer.total, merchant.fee, merchant.net].map(
        formatMoney,
      );
      assert.equal(`${a}+${b}+${c}=${d} | ${e} ${f} | ${g} ${h}`, expected);
    });

  test("adds up for any amount that may be paid under every fee structure, and each part is the nearest cent", () => {
    for (const structure of FEE_STRUCTURES)
      for (const currency of CURRENCIES) {
        const { minimum, maximum } = paymentLimitsOf(currency);
        const amounts = fc.bigInt({ min: minimum.minor, max: maximum.minor });
        fc.assert(
          fc.property(amounts, fc.constantFrom(...COUNTRY_CODES), (minor, country) => {
            expectToAddUp(country, currency, minor, structure);
          }),
          { numRuns: 10_000 },
        );
      }
  });
});

/** As published, in hundredths of a percent and US cents. */
const TERMS = {
  BB: { percentage: 380n, fixed: 0n, tax: 1500n },
  GD: { percentage: 420n, fixed: 0n, tax: 1500n },
  GY: { percentage: 420n, fixed: 0n, tax: 1500n },
  JM: { percentage: 420n, fixed: 0n, tax: 1500n },
  TT: { percentage: 350n, fixed: 25n, tax: 0n },
};
const PER_DOLLAR = { BBD: 200n, GYD: 20_900n, JMD: 15_500n, TTD: 680n, USD: 100n, XCD: 270n };

/** Off by half a cent at most, and by a whole half only upwards. */
function expectNearest(part: bigint, dividend: bigint, divisor: bigint): void {
  const off = 2n * (part * divisor - dividend);
  assert(-divisor < off && off <= divisor, `${part} of ${dividend} / ${divisor}`);
}

function expectToAddUp(
  country: CountryCode,
  currency: Currency,
  minor: bigint,
  feeStructure: FeeStructure,
): void {
  const amount = money(currency, minor);
  const asked = { platform: platformOf(country), currency, amount, feeStructure, at: AT };
  const { percentage, fixed, tax, total, customer, merchant } = quoteFee(asked);
  const terms = TERMS[country];
  expectNearest(percentage.minor, minor * terms.percentage, 10_000n);
  expectNearest(fixed.minor, terms.fixed * PER_DOLLAR[currency], 100n);
  expectNearest(tax.minor, percentage.minor * terms.tax, 10_000n);
  assert.equal(percentage.minor + fixed.minor + tax.minor, total.minor);
  assert.equal(customer.fee.minor + merchant.fee.minor, total.minor);
  assert.equal(customer.total.minor - merchant.net.minor, total.minor);
  assert.equal(customer.total.minor, minor + customer.fee.minor);
  assert.equal(merchant.net.minor, minor - merchant.fee.minor);
  assert(merchant.net.minor > 0n, "nobody pays us to be paid");
  const odd = customer.fee.minor - merchant.fee.minor;
  if (feeStructure === "customer_pay") assert.equal(merchant.fee.minor, 0n);
  else if (feeStructure === "merchant_absorb") assert.equal(customer.fee.minor, 0n);
  else assert(odd === 0n || odd === 1n, `the shares differ by ${odd}`);
}

describe("an amount that may be paid", () => {
  for (const currency of CURRENCIES)
    test(`has both ends of ${currency} in it, and a cent more or less outside`, () => {
      const { minimum, maximum } = paymentLimitsOf(currency);
      const range = `${formatMoney(minimum)} to ${formatMoney(maximum)} ${currency}`;
      for (const good of [minimum, maximum]) demandPayable(good, "amount");
      for (const bad of [minimum.minor - 1n, maximum.minor + 1n, 0n])
        assert.throws(() => demandPayable(money(currency, bad), "total_min"), {
          status: 400,
          message: `The total min must be from ${range}.`,
        });
    });
});
