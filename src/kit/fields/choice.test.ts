/** A choice is one of its words exactly; a list of words is the same as JSON and as one text. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { oneOf, wordList } from "./choice.ts";

describe("oneOf", () => {
  const environment = oneOf(["live", "test"]);
  test("takes its words and nothing like them", () => {
    assert.equal(environment.read("live", "environment"), "live");
    for (const bad of ["LIVE", " live", "live ", "liv", "toString", "__proto__", "0"])
      assert.throws(() => environment.read(bad, "environment"), {
        message: "The environment must be one of: live, test.",
      });
    for (const bad of [0, true, ["live"], { live: 1 }])
      assert.throws(() => environment.read(bad, "environment"), /must be a string/);
  });
});

describe("wordList", () => {
  const KNOWN = new Map([
    ["a", "A"],
    ["b", "B"],
    ["old-a", "A"],
  ]);
  const list = wordList({
    separator: / /,
    readWord: (word) => KNOWN.get(word),
    min: 1,
    max: 4,
    schema: {},
  });
  const TAKEN: readonly [given: unknown, words: string[]][] = [
    ["a", ["A"]],
    ["a b", ["A", "B"]],
    ["b a", ["B", "A"]],
    ["  a   b  ", ["A", "B"]],
    ["a a", ["A"]],
    ["a old-a", ["A"]],
    [
      ["a", "b"],
      ["A", "B"],
    ],
    [
      ["b", "a", "b"],
      ["B", "A"],
    ],
  ];
  for (const [given, words] of TAKEN)
    test(`${JSON.stringify(given)} is ${words.join(" and ")}`, () => {
      assert.deepEqual(list.read(given, "scopes"), words);
    });

  const REFUSED = [
    ...["c", "a c", " ", "a\tb", "a\nb", "a,b", "A", "a a a a a", "a ".repeat(3000)],
    ...[
      [],
      [""],
      ["a b"],
      ["a", 1],
      ["a", null],
      [["a"]],
      ["a", "a", "a", "a", "a"],
      ["__proto__"],
    ],
  ];
  for (const given of REFUSED)
    test(`${JSON.stringify(given).slice(0, 40)} has invalid values`, () => {
      assert.throws(() => list.read(given, "scopes"), {
        message: "The scopes field has invalid values.",
      });
    });

  for (const given of [1, true, {}, { 0: "a", length: 1 }])
    test(`${JSON.stringify(given)} is no list`, () => {
      assert.throws(() => list.read(given, "scopes"), { message: "The scopes must be a string." });
    });

  test("without a least number may be empty", () => {
    const any = wordList({ separator: /[\s,]/, readWord: (word) => word, max: 3, schema: {} });
    assert.deepEqual(any.read([], "cidrs"), []);
    assert.deepEqual(any.read(" , ", "cidrs"), []);
    assert.deepEqual(any.read("x,\ny", "cidrs"), ["x", "y"]);
  });

  test("reads the same from JSON and from a form", () => {
    const words = fc.array(fc.constantFrom(...KNOWN.keys()), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(words, (given) => {
        assert.deepEqual(list.read(given.join(" "), "x"), list.read(given, "x"));
      }),
    );
  });
});
