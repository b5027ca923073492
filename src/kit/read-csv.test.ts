/** CSV of other programs is read cell by cell, and what is broken is refused as a whole. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readCsv } from "./read-csv.ts";

const cellsOf = (text: string) => readCsv(text)?.map(({ cells }) => cells);

test("plain and quoted cells, both line ends, a byte order mark", () => {
  assert.deepEqual(cellsOf('\uFEFFa,b\r\n1,"x, ""y"""\n,\n\n"",z'), [
    ["a", "b"],
    ["1", 'x, "y"'],
    ["", ""],
    ["", "z"],
  ]);
  assert.deepEqual(cellsOf(""), []);
  assert.deepEqual(cellsOf("\r\n\r\n"), []);
});

test("a line has the number where it begins", () => {
  const lines = readCsv('a\n\n"b\nc",d\ne\n');
  assert.deepEqual(
    lines?.map(({ number }) => number),
    [1, 3, 5],
  );
});

test("a cell may be longer than a pattern could take", () => {
  const long = 'a,""\n'.repeat(3_000_000);
  const lines = readCsv(`${"x".repeat(1_000)},"${long}"\nlast,1`);
  assert.equal(lines?.[0]?.cells[1]?.length, long.length - 3_000_000);
  assert.equal(lines?.[1]?.number, 3_000_002);
  assert.equal(readCsv(`"${long}`), undefined);
});

test("a broken quote is refused", () => {
  for (const text of ['"a', 'a"b', '"a"b,c', 'a,"', '"a""'])
    assert.equal(readCsv(text), undefined, text);
});

test("what is written by the rules is read as it was", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", ";", "ü") });
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 });
  const write = (one: string) => `"${one.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(rows, (given) => {
      const text = given.map((cells) => `${cells.map(write).join(",")}\r\n`).join("");
      assert.deepEqual(cellsOf(text), given);
    }),
  );
});
