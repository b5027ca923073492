/**
 * Every figure of "What it costs", and of what other guides say of fees, is what the service
 * charges: computed here from the terms that payments and withdrawals are priced by.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CURRENCIES, type Currency, type Money, money } from "../../src/kit/money.ts";
import type { CountryCode } from "../../src/kit/vocabulary.ts";
import {
  FEE_STRUCTURES,
  type FeeStructure,
  quoteFee,
} from "../../src/modules/platforms/fee-quote.ts";
import { feeTermsOf } from "../../src/modules/platforms/fees.ts";
import { paymentLimitsOf, withdrawalTermsOf } from "../../src/modules/platforms/limits.ts";
import { platformOf } from "../../src/modules/platforms/platform.ts";
import { moneyText } from "../../src/parts/money.ts";
import { guideText } from "./snippets.ts";

const AT = new Date();
const PAGE = guideText("pricing.md");
/** In the order of the page. */
const COUNTRIES: readonly CountryCode[] = ["TT", "BB", "GD", "GY", "JM"];

const words = (amount: Money) => moneyText(amount).replace("\u00a0", " ");

/** An ordinary price in a currency. */
function exampleIn(currency: Currency): Money {
  return money(currency, currency === "JMD" || currency === "GYD" ? 1_000_00n : 100_00n);
}

function quote(countryCode: CountryCode, amount: Money, feeStructure: FeeStructure) {
  const platform = platformOf(countryCode);
  return quoteFee({ platform, currency: amount.currency, amount, feeStructure, at: AT });
}

/** The rows of the table below some words, without its heading. */
function rowsBelow(page: string, place: string): string[][] {
  assert(page.includes(place), place);
  const below = page.slice(page.indexOf(place));
  const [table = ""] = /^\|.*\n\| -.*\n((?:\|.*\n)+)/m.exec(below)?.slice(1) ?? [];
  return table
    .trim()
    .split("\n")
    .map((row) =>
      row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const percent = (basisPoints: bigint) => `${Number(basisPoints) / 100} %`;

describe("the page about prices", () => {
  test("has the fee of each country, with an example", () => {
    const expected = COUNTRIES.map((code) => {
      const { name, localCurrency } = platformOf(code);
      const terms = feeTermsOf(code, AT);
      const example = exampleIn(localCurrency);
      const { fixed, total } = quote(code, example, "customer_pay");
      const dollars = words(terms.fixed).replace("USD", "US$");
      return [
        name,
        `${words(total)} on ${words(example)}`,
        percent(terms.percentage),
        fixed.minor === 0n ? "none" : `${dollars}, in ${words(fixed)}`,
        terms.tax === 0n ? "none" : percent(terms.tax),
      ];
    });
    assert.deepEqual(rowsBelow(PAGE, "| Your country"), expected);
  });

  test("has the fee of US dollars", () => {
    const fee = (code: CountryCode) => words(quote(code, exampleIn("USD"), "customer_pay").total);
    const text = PAGE.replace(/\s+/g, " ");
    const [others, ...rest] = new Set((["GD", "GY", "JM"] as const).map(fee));
    assert.deepEqual(rest, [], "they have one fee");
    const sentence =
      `On USD 100.00 the fee is ${fee("TT")} in Trinidad and Tobago, ${fee("BB")} in Barbados, ` +
      `and ${others} in Grenada, Guyana and Jamaica.`;
    assert(text.includes(sentence), sentence);
  });

  for (const [file, code, place] of [
    ["pricing.md", "TT", "| Of TTD 100.00"],
    ["pricing.md", "JM", "| Of JMD 1,000.00"],
    ["checkout.md", "TT", "| `fee_structure` | The customer pays"],
  ] as const)
    test(`${file} has both shares in ${code} for each payer of the fee`, () => {
      const example = exampleIn(platformOf(code).localCurrency);
      const expected = FEE_STRUCTURES.map((structure) => {
        const { customer, merchant } = quote(code, example, structure);
        return [words(customer.total), words(merchant.net)];
      });
      const rows = rowsBelow(guideText(file), place);
      assert.deepEqual(
        rows.map(([, ...amounts]) => amounts),
        expected,
      );
    });

  test("has the fee and the least amount of a withdrawal", () => {
    const expected = CURRENCIES.map((currency) => {
      const { fee, minimum } = withdrawalTermsOf(currency);
      return [currency, words(fee), words(minimum)];
    });
    assert.deepEqual(rowsBelow(PAGE, "| Currency | Fee"), expected);
    const taken = money("TTD", 500_00n + withdrawalTermsOf("TTD").fee.minor);
    assert(PAGE.includes(`a withdrawal of TTD 500.00 takes ${words(taken)} from your balance`));
  });

  test("has the limits of a payment", () => {
    const expected = CURRENCIES.map((currency) => {
      const { minimum, maximum } = paymentLimitsOf(currency);
      return [currency, words(minimum), words(maximum)];
    });
    assert.deepEqual(rowsBelow(PAGE, "| Currency | Least"), expected);
  });

  test("names no other amount in its sentences than a price, its fee and what is left", () => {
    const known = new Set(["TTD 500.00", "TTD 505.00"]);
    for (const code of COUNTRIES)
      for (const currency of platformOf(code).currencies) {
        const example = exampleIn(currency);
        const { total, customer, merchant } = quote(code, example, "customer_pay");
        for (const one of [example, total, customer.total, merchant.net]) known.add(words(one));
      }
    const sentences = PAGE.split("\n").filter((line) => !line.startsWith("|"));
    const named = sentences.join(" ").match(/\b[A-Z]{3} [\d,]+\.\d\d\b/g) ?? [];
    assert.deepEqual(
      named.filter((one) => !known.has(one)),
      [],
    );
    const { percentage, fixed } = quote("TT", exampleIn("TTD"), "customer_pay");
    const [a, b] = [percentage, fixed].map((one) => words(one).replace("TTD ", ""));
    assert(PAGE.includes(`TTD 100.00 cost ${a} + ${b} = 5.20`));
    const bb = quote("BB", exampleIn("BBD"), "customer_pay");
    const [c, d] = [bb.percentage, bb.tax].map((one) => words(one).replace("BBD ", ""));
    assert(PAGE.includes(`BBD 100.00 cost ${c} + ${d} tax = 4.37`));
  });
});
