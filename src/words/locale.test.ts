/**
 * Amounts, moments and counts as each language writes them. English amounts are as they were
 * before there were others, and no amount loses a cent.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { CURRENCIES, formatMoney, money } from "../kit/money.ts";
import { LANGUAGES } from "../kit/vocabulary.ts";
import { longTimeIn, moneyIn, plural } from "./locale.ts";

const NB = "\u00a0";
const NARROW = "\u202f";

describe("an amount", () => {
  for (const [language, minor, expected] of [
    ["en", 123_450n, `TTD${NB}1,234.50`],
    ["es", 123_450n, `TTD${NB}1,234.50`],
    ["fr", 123_450n, `1${NARROW}234,50${NB}TTD`],
    ["nl", 123_450n, `TTD${NB}1.234,50`],
    ["en", -5n, `\u2212TTD${NB}0.05`],
    ["es", -5n, `\u2212TTD${NB}0.05`],
    ["fr", -5n, `\u22120,05${NB}TTD`],
    ["nl", -5n, `TTD${NB}\u22120,05`],
    ["en", 0n, `TTD${NB}0.00`],
    ["nl", -123_456_789n, `TTD${NB}\u22121.234.567,89`],
  ] as const)
    test(`of ${minor} cents is ${expected} in ${language}`, () => {
      assert.equal(moneyIn(language, money("TTD", minor)), expected);
    });

  test("in English is grouped by commas behind its code, however large", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CURRENCIES),
        fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
        (currency, minor) => {
          const size = formatMoney(money(currency, minor < 0n ? -minor : minor));
          const grouped = size.replace(/\d(?=(?:\d{3})+\.)/g, "$&,");
          const expected = `${minor < 0n ? "\u2212" : ""}${currency}${NB}${grouped}`;
          assert.equal(moneyIn("en", money(currency, minor)), expected);
        },
      ),
    );
  });

  test("has its code and the same digits in every language, in every currency", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CURRENCIES),
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        (currency, minor) => {
          for (const language of LANGUAGES) {
            const written = moneyIn(language, money(currency, minor));
            assert.equal(BigInt(written.replace(/\D/g, "")), minor);
            assert.equal(written.replace(/[^A-Z]/g, ""), currency);
            assert.match(written, /[.,]\d\d(?!\d)/);
          }
        },
      ),
    );
  });
});

describe("a moment", () => {
  const at = new Date("2026-09-18T17:05:00Z");
  const zone = "America/Port_of_Spain";
  for (const [language, expected] of [
    ["en", "18 September 2026, 13:05"],
    ["es", "18 de septiembre de 2026, 1:05 p.m."],
    ["fr", "18 septembre 2026, 13:05"],
    ["nl", "18 september 2026, 13:05"],
  ] as const)
    test(`is ${expected} in ${language}`, () => {
      const written = longTimeIn(language, at, zone).replace(/\s/g, " ");
      assert.equal(written, expected);
    });
});

describe("a number of things", () => {
  test("has the form that the language has for it", () => {
    const forms = { one: "one", other: "other" };
    assert.equal(plural("en", 1, forms), "one");
    for (const language of LANGUAGES) assert.equal(plural(language, 2, forms), "other");
    assert.equal(plural("fr", 0, forms), "one");
    assert.equal(plural("es", 0, forms), "other");
  });
});
