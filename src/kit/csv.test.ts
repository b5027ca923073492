/** A line of CSV is read back as it was meant, and no cell is a formula. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import fc from "fast-check";
import { csvLine } from "./csv.ts";
import { type Money, money } from "./money.ts";

const CELLS: readonly [given: string | Money | null, written: string][] = [
  ["plain", "plain"],
  ["", ""],
  [null, ""],
  ["10.00", "10.00"],
  ["a,b", '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ["two\nlines", '"two\nlines"'],
  [" padded ", '" padded "'],
  ["=1+1", "'=1+1"],
  ["=1,2", `"'=1,2"`],
  ["+18685551234", "'+18685551234"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", `"'\r=1"`],
  ["\n=1", `"'\n=1"`],
  ["＝1", "'＝1"],
  ["a;b", '"a;b"'],
  [";=1", '";=1"'],
  [" =1", "' =1"],
  ["\u00a0=1", "'\u00a0=1"],
  ["\ufeff=1", "'\ufeff=1"],
  ["\u200b+1", "'\u200b+1"],
  ["\u3000\u2003@SUM(A1)", "'\u3000\u2003@SUM(A1)"],
  ["\u0000-1", "'\u0000-1"],
  ["\ufeffplain", '"\ufeffplain"'],
  ["'=1", "'=1"],
  ["a=1", "a=1"],
  [money("TTD", -520n), "-5.20"],
];

describe("a cell", () => {
  for (const [given, written] of CELLS)
    test(`${inspect(given)} is written ${JSON.stringify(written)}`, () =>
      assert.equal(csvLine([given]), `${written}\r\n`));
});

describe("a line", () => {
  test("has a comma between its cells and ends with CRLF", () =>
    assert.equal(csvLine(["a", null, "c"]), "a,,c\r\n"));

  test("is read back cell by cell, whatever stands in them", () => {
    const cells = fc.array(fc.string({ unit: "grapheme" }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(cells, (given) => {
        const read = readLine(csvLine(given)).map((cell) => cell.replace(/^'/, ""));
        assert.deepEqual(
          read,
          given.map((cell) => cell.replace(/^'/, "")),
        );
        assert(readLine(csvLine(given)).every((cell) => !/^[=+\-@\t\r\n]/.test(cell)));
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Reads by the grammar of RFC 4180. */
function readLine(line: string): string[] {
  const cells: string[] = [];
  let rest = line;
  for (;;) {
    const quoted = /^"((?:[^"]|"")*)"/.exec(rest);
    const cell = quoted ?? /^([^",\r\n]*)/.exec(rest);
    assert(cell !== null);
    cells.push((cell[1] ?? "").replaceAll('""', '"'));
    rest = rest.slice(cell[0].length);
    if (rest === "\r\n") return cells;
    assert.equal(rest[0], ",", JSON.stringify(rest));
    rest = rest.slice(1);
  }
}
