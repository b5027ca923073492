/** The guarantee: no run of five digits or more is left, however written; days and prices are. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { maskNumbers } from "./mask-numbers.ts";

test("numbers of accounts and documents are masked, and words, codes, days and prices are not", () => {
  const table: [words: string, masked: string][] = [
    ["Account 0012345678 closed, ID 19800101123.", "Account **** closed, ID ****."],
    ["0012 3456 78 and 0012-3456-78", "**** and ****"],
    ["GB29NWBK60161331926819", "GB29NWBK****"],
    ["٠٠١٢٣٤٥ and ００１２３４５", "**** and ****"],
    ["12345", "****"],
    ["2026-11-16-0012345678", "****"],
    ["Closed since 2026-11-16 (AC04), ticket 4711, 10.00 TTD", ""],
    ["", ""],
  ];
  for (const [words, masked] of table) assert.equal(maskNumbers(words), masked || words);
});

test("whatever stands around it, a number of an account is not left", () => {
  const number = fc.stringMatching(/^[1-9]\d{4,19}$/);
  fc.assert(
    fc.property(fc.string(), number, fc.string(), (before, one, after) => {
      assert.doesNotMatch(maskNumbers(`${before}${one}${after}`), /\d{5}/);
    }),
  );
});
