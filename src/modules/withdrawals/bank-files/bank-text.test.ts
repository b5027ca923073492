/** The guarantee: whatever people are called, a bank can read it, and no file is refused for it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { bankLines, bankText } from "./bank-text.ts";

test("names with accents and signs are written in the letters of banks", () => {
  const cases: [typed: string, written: string][] = [
    ["Anika Mohammed", "Anika Mohammed"],
    ["José Ñúñez-Brontë", "Jose Nunez-Bronte"],
    ["Strauß & Søn", "Strauss + Son"],
    ["O’Neil “the” Łukasz", "O'Neil 'the' Lukasz"],
    ["ﬁrst\u00a0line\nsecond", "first line second"],
    ["//RFB/x//y", "RFB/x/y"],
    ["a_b@c", "a-b.c"],
    ["陳大文", "..."],
    ["\u0301", "."],
    ["/", "."],
  ];
  for (const [typed, written] of cases) assert.equal(bankText(typed, 140), written);
});

test("every text becomes 1 to so many letters of banks, and stays as it is the second time", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 140 }), (typed, max) => {
      const written = bankText(typed, max);
      assert.match(written, /^[A-Za-z0-9/\-?:().,'+ ]+$/);
      assert.ok(written.length <= max && written === written.trim());
      assert.doesNotMatch(written, /^\/|\/\//);
      assert.equal(bankText(written, max), written);
    }),
  );
});

test("an address is broken between words, and a long word is cut", () => {
  const rule = { length: 12, count: 3 };
  assert.deepEqual(bankLines("12 Frederick Street,\nPort of Spain", rule), [
    "12 Frederick",
    "Street, Port",
    "of Spain",
  ]);
  assert.deepEqual(bankLines("Llanfairpwllgwyngyll x", rule), ["Llanfairpwll", "x"]);
});
