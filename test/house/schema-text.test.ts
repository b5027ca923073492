/**
 * The guarantee: the schema file reads like the migrations and still means what PostgreSQL said.
 * What stands in quotes is never touched, and no line is broken inside of them.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brokenAt, brokenBefore, inTwoParts } from "../../scripts/schema/line-breaks.ts";
import { commentOn, plainCondition, plainSql } from "../../scripts/schema/sql-text.ts";

describe("a definition of PostgreSQL in plain words", () => {
  const cases: [string, string, string][] = [
    ["CHECK (a IS NOT NULL)", "check (a is not null)", "capitals become small"],
    [`CHECK ("Big" = 'It''S'::text)`, `check ("Big" = 'It''S')`, "quotes keep their capitals"],
    ["a TIMESTAMP WITH TIME ZONE", "a timestamptz", "the long type has a short name"],
    ["INDEX i ON t USING btree (a)", "index i on t (a)", "the usual kind of index goes unsaid"],
    ["a = ANY (ARRAY['X'::text, 'y)'::text])", "a in ('X', 'y)')", "a list is a list"],
    ["a = ANY (ARRAY['X'::x, 'y'::x])", "a = any (array['X'::x, 'y'::x])", "of text alone"],
    ["a = 'b'::text[] OR c = '1'::bigint", "a = 'b'::text[] or c = '1'::bigint", "types stay"],
  ];
  for (const [given, expected, reason] of cases) {
    test(`${reason}: ${given}`, () => assert.equal(plainCondition(given), expected));
  }

  test("the body of a function stays as its author wrote it", () => {
    const body = "$function$ SELECT 'A'::text = ANY (ARRAY['A'::text]) $function$";
    assert.equal(plainSql(`LANGUAGE sql AS ${body}`), `language sql as ${body}`);
  });
});

describe("a line that is too long", () => {
  const long = "is_longer_than_any_line_may_be_and_goes_on_and_on_and_on";

  test("has its second part below", () => {
    assert.equal(
      inTwoParts(`constraint ${long}`, `check (${long} > 0)`, "  "),
      `  constraint ${long}\n    check (${long} > 0)`,
    );
  });

  test("is broken further at its outermost connectives, never in quotes", () => {
    assert.equal(
      inTwoParts("constraint a", `check ((${long} or ${long}) and c = 'x and y' and d)`),
      `constraint a\n  check (\n    (${long} or ${long})\n    and c = 'x and y'\n    and d\n  )`,
    );
  });

  test("has one line for each argument, those with parentheses of their own included", () => {
    const head = `create function f(a numeric(10,2), ${long} text, ${long} integer)`;
    assert.equal(
      brokenAt(/(?<=,) /g, head),
      `create function f(\n  a numeric(10,2),\n  ${long} text,\n  ${long} integer\n)`,
    );
  });

  test("is broken before a word, unless the word stands in quotes", () => {
    const index = "create index i on t (a) where b = 'c where d'";
    const expected = "create index i\n  on t (a)\n  where b = 'c where d'";
    assert.equal(brokenBefore(/ (?=(?:on|where) )/g, index), expected);
  });
});

describe("a comment", () => {
  test("that fits stands on one line, its quotes doubled", () => {
    const expected = "comment on table t is 'It''s a table.';";
    assert.deepEqual(commentOn("table t", "It's a table."), [expected]);
  });

  test("that does not fit is cut between words into literals that add up to it", () => {
    const text = "It's seven words and a comma, ".repeat(9).trim();
    const [sql = ""] = commentOn("table t", text);
    const lines = sql.split("\n");
    assert.equal(lines[0], "comment on table t is");
    assert.ok(lines.every((line) => line.length <= 100));
    const literals = [...sql.matchAll(/^ {2}'(.*)'/gm)].map(([, inside = ""]) => inside);
    assert.equal(literals.join("").replaceAll("''", "'"), text);
  });

  test("that is not there leaves no trace", () => {
    assert.deepEqual(commentOn("table t", null), []);
  });
});
