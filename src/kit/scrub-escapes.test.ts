/**
 * The guarantee: escapes of JSON do not hide a card number from the log, however often the JSON is
 * written into a text of JSON, and a line that is JSON stays it.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { plainDigits } from "./plain-digits.ts";
import { scrub } from "./scrub.ts";
import { readEscapes } from "./written-digits.ts";

const CARD = "4539578763621486";
const ARABIC = "٤٥٣٩٥٧٨٧٦٣٦٢١٤٨٦";
/** Of Adlam, which lies beyond 16 bits. */
const ADLAM = [...CARD].map((digit) => String.fromCodePoint(0x1e950 + Number(digit))).join("");

const escaped = (text: string) =>
  text.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** As a program writes JSON that holds JSON, and so on: `depth` times. */
function nested(inside: string, depth: number): string {
  let json = `{"a":"${inside}"}`;
  for (let level = 1; level < depth; level++) json = JSON.stringify({ a: json });
  return json;
}

function innermost(json: string): string {
  const { a } = JSON.parse(json);
  return a.startsWith("{") ? innermost(a) : a;
}

for (const depth of [1, 2, 3, 4])
  describe(`in JSON, ${depth} deep, is masked`, () => {
    const WRITTEN: readonly [what: string, inside: string, left: string][] = [
      ["a card of digits that need no escape", escaped(CARD), "[pan:1486]"],
      ["one whose other digits are plain", `${escaped("4539")}578763621486`, "[pan:1486]"],
      ["one of the digits of a script", escaped(ARABIC), "[pan:1486]"],
      ["one of digits beyond 16 bits", escaped(ADLAM), "[pan:1486]"],
      ["one with escaped blanks", CARD.replace(/\d{4}\B/g, "$&\\u00a0"), "[pan:1486]"],
      ["one behind an escaped letter", `Jos${escaped("é")}${CARD}`, "José[pan:1486]"],
      [
        "one parted by slashes, as PHP writes them",
        CARD.replace(/\d{4}\B/g, "$&\\/"),
        "[pan:1486]",
      ],
    ];
    for (const [what, inside, left] of WRITTEN)
      test(what, () => {
        const scrubbed = scrub(nested(inside, depth));
        assert.equal(innermost(scrubbed), left);
      });

    test("one behind an escaped control character or quote", () => {
      for (const sign of ["\t", '"', "\\"]) {
        const scrubbed = scrub(nested(escaped(sign) + CARD, depth));
        assert(!scrubbed.includes("4539"), scrubbed);
        assert(innermost(scrubbed).endsWith("[pan:1486]"), scrubbed);
      }
    });
  });

test("a card is masked in JSON that an address holds", () => {
  const json = JSON.stringify({ card: "x" }).replace("x", escaped(ARABIC));
  const query = `/x?data=${encodeURIComponent(json)}&n=1`;
  const [before, behind] = ['{"card":"', '"}'].map(encodeURIComponent);
  assert.equal(scrub(query), `/x?data=${before}[pan:1486]${behind}&n=1`);
  assert(scrub(`/x?data=${encodeURIComponent(encodeURIComponent(json))}`).includes("[pan:1486]"));
});

test("groups in a list are one number, escaped or not", () => {
  const list = `["${["4539", "5787", "6362", "1486"].map(escaped).join('","')}"]`;
  assert.equal(scrub(`{"a":${list}}`), '{"a":["[pan:1486]"]}');
});

test("what looks like an escape hides nothing either", () => {
  const path = String.raw`C:\u4539578763621486\x`;
  assert(scrub(path).includes(String.raw`C:\u[pan:1486]\x`));
});

test("escapes without a card stay as they were sent", () => {
  for (const inside of ["Jos\\u00e9 \\u0664\\u0662", "\\u2019s", "\\ud83d\\ude00", "\\\\u0034"]) {
    const line = nested(inside, 2);
    assert.equal(scrub(line), line);
  }
});

test("JSON stays JSON, whatever is escaped in it", () => {
  const part = fc.constantFrom("\\u0022", "\\u005c", "\\\\", "\\ud800", "\\u0000", "\\n", "é");
  const card = fc.constantFrom(CARD, escaped(CARD), escaped(ARABIC)).map((text) => `x${text}x`);
  const parts = fc.array(fc.oneof(part, card));
  fc.assert(
    fc.property(parts, fc.integer({ min: 1, max: 4 }), (inside, depth) => {
      const scrubbed = scrub(nested(inside.join(""), depth));
      innermost(scrubbed);
      assert(!plainDigits(readEscapes(scrubbed)).includes("4539"), scrubbed);
    }),
    { numRuns: 1000 },
  );
});

for (const part of ["\\", "\\u", "\\u0034", "%5c", "%5cu0034", "%25", "%25d9", "\\ud800"])
  test(`a hostile line of ${part} takes a moment, not for ever`, () => {
    const line = `{"${part.repeat(500_000 / part.length)}`;
    const before = process.cpuUsage();
    scrub(line);
    assert(process.cpuUsage(before).user < 10_000_000);
  });
