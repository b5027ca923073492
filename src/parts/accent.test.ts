/** Text on a business's colour is readable, whichever colour it is (Decision 0093). */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { accentNamed, accentStyle, textOn } from "./accent.ts";

const colour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number) => `#${number.toString(16).padStart(6, "0")}`);

test("black or white has a contrast of at least 4.5 on every colour", () => {
  fc.assert(
    fc.property(colour, (one) => {
      const light = lightOf(one);
      const contrast = textOn(one) === "#000" ? (light + 0.05) / 0.05 : 1.05 / (light + 0.05);
      assert.ok(contrast >= 4.5, `${one}: ${contrast}`);
    }),
    { examples: [["#777777"], ["#757575"], ["#767676"], ["#ff0000"], ["#fff9c4"], ["#0b5a67"]] },
  );
});

test("a style is found by the name it is linked by, and by no other", () => {
  fc.assert(
    fc.property(colour, (one) => {
      const style = accentStyle("/base", one);
      assert.deepEqual(accentNamed("/base", style.name)?.plain, style.plain);
      assert.match(style.plain.toString(), new RegExp(`--accent:${one};`));
      assert.equal(accentNamed("/base", `accent-${one.slice(1)}.0000000000000000.css`), undefined);
    }),
  );
  for (const name of ["accent-.css", "accent-12345g.css", "accent-123456", "style.css", ""])
    assert.equal(accentNamed("/base", name), undefined);
});

/** Relative luminance, written down once more from its definition. */
function lightOf(one: string): number {
  const linear = (hex: string) => {
    const value = Number(`0x${hex}`) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return (
    0.2126 * linear(one.slice(1, 3)) +
    0.7152 * linear(one.slice(3, 5)) +
    0.0722 * linear(one.slice(5, 7))
  );
}
