// The guarantee: an amount that comes in is the amount that goes out, and what is no amount is
// refused.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  addMoney,
  CURRENCIES,
  compareMoney,
  formatMoney,
  isZero,
  money,
  parseMinor,
  parseMoney,
  readFormatted,
  subtractMoney,
} from "./money.ts";

const currency = fc.constantFrom(...CURRENCIES);
const minorOfText = fc.bigInt({ min: 0n, max: 99_999_999_999_999n });
const minorOfNumber = fc.bigInt({ min: 0n, max: 999_999_999_999n });

const ACCEPTED: readonly [input: string | number, minor: bigint][] = [
  ["10", 1000n],
  ["10.5", 1050n],
  ["10.50", 1050n],
  ["0", 0n],
  ["0.01", 1n],
  ["007.10", 710n],
  ["999999999999.99", 99_999_999_999_999n],
  [10, 1000n],
  [10.5, 1050n],
  [12.5, 1250n],
  [0, 0n],
  [0.01, 1n],
  [0.29, 29n],
  [1.1, 110n],
  [4.35, 435n],
  [1234567.89, 123_456_789n],
  [9_999_999_999.99, 999_999_999_999n],
];

const REFUSED: readonly unknown[] = [
  ...["", " ", " 10", "10 ", "10\n", "+5", "-5", "-0", "10,00", "1,000", "1_000", ".5", "5.", "."],
  ...["0.001", "10.005", "1e2", "1E2", "0x10", "0b1", "NaN", "Infinity", "１０", "١٠", "10.5.0"],
  ...["1234567890123", "9007199254740993", "9".repeat(400), "0".repeat(13), "10n", "$10"],
  ...[-5, -0, -0.01, 0.001, 10.005, 1.005, 0.1 + 0.2, 5e-324, 1e-7, 1e21, 2 ** 53 + 2],
  ...[10_000_000_000, 9_999_999_999.995, Number.NaN, Number.POSITIVE_INFINITY, Number("1e400")],
  ...[Number.NEGATIVE_INFINITY, null, undefined, true, false, 10n, [], [10], ["10"], {}],
  { toString: () => "10" },
  new Date(10),
];

describe("parseMinor", () => {
  for (const [input, minor] of ACCEPTED) {
    test(`reads ${typeof input} ${input} as ${minor} minor units`, () => {
      assert.equal(parseMinor(input), minor);
    });
  }

  test("refuses what is no plain amount with at most two decimals", () => {
    for (const input of REFUSED) {
      assert.equal(parseMinor(input), undefined, `${typeof input} ${String(input).slice(0, 40)}`);
    }
  });

  test("takes a number exactly when two decimals hold it, and takes its nearest cent", () => {
    const cents = minorOfNumber.map((minor) => Number(minor) / 100);
    const anything = fc.double({ min: 0, max: 9_999_999_999.99, noNaN: true });
    fc.assert(
      fc.property(fc.oneof(cents, anything), (input) => {
        fc.pre(!Object.is(input, -0));
        const isExact = Math.round(input * 100) / 100 === input;
        assert.equal(parseMinor(input), isExact ? BigInt(Math.round(input * 100)) : undefined);
      }),
      { numRuns: 2000 },
    );
  });

  test("reads an amount alike from JSON and from a form", () => {
    fc.assert(
      fc.property(minorOfNumber, (minor) => {
        const text = formatMoney(money("TTD", minor));
        assert.equal(parseMinor(JSON.parse(text)), parseMinor(text));
      }),
    );
  });

  test("never throws, whatever it is given", () => {
    fc.assert(fc.property(fc.anything(), (input) => void parseMinor(input)));
  });
});

describe("formatMoney", () => {
  for (const [minor, text] of [
    [10_520n, "105.20"],
    [0n, "0.00"],
    [5n, "0.05"],
    [-5n, "-0.05"],
    [-10_520n, "-105.20"],
    [2n ** 63n, "92233720368547758.08"],
  ] as const) {
    test(`writes ${minor} minor units as ${text}`, () => {
      assert.equal(formatMoney(money("JMD", minor)), text);
    });
  }

  test("what it has written is read back, negative and of any size", () => {
    fc.assert(
      fc.property(currency, fc.bigInt(), (code, minor) => {
        const amount = money(code, minor);
        assert.deepEqual(readFormatted(code, formatMoney(amount)), amount);
      }),
    );
    for (const text of ["5", "5.1", "1,500.00", "5.00 TTD", ""])
      assert.throws(() => readFormatted("TTD", text), { name: "AssertionError" });
  });

  test("is read back as the same money", () => {
    fc.assert(
      fc.property(currency, minorOfText, (code, minor) => {
        const amount = money(code, minor);
        assert.deepEqual(parseMoney(code, formatMoney(amount)), amount);
      }),
    );
  });
});

describe("arithmetic", () => {
  test("adding and taking away again gives the same money, at any size", () => {
    fc.assert(
      fc.property(currency, fc.bigInt(), fc.bigInt(), (code, first, second) => {
        const left = money(code, first);
        const right = money(code, second);
        assert.deepEqual(addMoney(left, right), money(code, first + second));
        assert.deepEqual(subtractMoney(addMoney(left, right), right), left);
        assert.equal(isZero(subtractMoney(left, left)), true);
        assert.equal(compareMoney(left, money(code, first)), 0);
        assert.equal(compareMoney(left, right), Math.sign(Number(first - second)));
      }),
    );
  });

  test("zero is zero and a cent is not", () => {
    assert.deepEqual(
      [0n, 1n, -1n].map((minor) => isZero(money("USD", minor))),
      [true, false, false],
    );
  });

  test("two currencies never meet", () => {
    const dollars = money("USD", 1n);
    const local = money("TTD", 1n);
    for (const meet of [addMoney, subtractMoney, compareMoney]) {
      assert.throws(() => meet(dollars, local), {
        name: "AssertionError",
        message: /USD meets TTD/,
      });
    }
  });

  test("parseMoney refuses what parseMinor refuses", () => {
    assert.equal(parseMoney("USD", "1e2"), undefined);
    assert.deepEqual(parseMoney("USD", "1.5"), money("USD", 150n));
  });
});
