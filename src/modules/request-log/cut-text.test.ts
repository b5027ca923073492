/** The guarantee: what a cut leaves does not end within a number, in whichever digits it is. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { cutText } from "./cut-text.ts";

const CARD = "4539578763621486";
const inScript = (zero: number) =>
  CARD.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
const escaped = CARD.replace(/\d/g, (digit) => `\\\\u003${digit}`);

const WRITTEN = [
  ...[CARD, inScript(0x660), inScript(0x1e950), escaped, "4539 5787-6362.1486"],
  ...['["4539","5787","6362","1486"]', "[4539, 5787, 6362, 1486]"],
];
for (const card of WRITTEN)
  test(`a cut anywhere in ${card} leaves none of it`, () => {
    const whole = `${"x".repeat(300)} ${card} ${"y".repeat(300)}`;
    const start = Buffer.byteLength("x".repeat(300));
    for (let bytes = start + 1; bytes < start + 1 + Buffer.byteLength(card); bytes++) {
      const kept = cutText(whole, bytes + 64);
      assert.equal(kept, `${"x".repeat(300)}… [cut: ${Buffer.byteLength(whole)} bytes]`);
    }
  });

test("a text that is short enough stays as it is", () => {
  for (const text of ["", "é", `paid with ${CARD}`]) assert.equal(cutText(text, 64), text);
});
