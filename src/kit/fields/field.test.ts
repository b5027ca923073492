/**
 * Fields are read in the order they are declared and the first that fails speaks, JSON and form
 * alike; the schema that the documents show allows what the reader takes (Decision 0002).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { FieldRefused } from "../errors.ts";
import { oneOf, wordList } from "./choice.ts";
import {
  described,
  type Field,
  field,
  labelOf,
  optional,
  readFields,
  schemaOf,
  withDefault,
} from "./field.ts";
import { integer } from "./number.ts";
import { text } from "./text.ts";

const shape = {
  first_name: text({ min: 2, max: 5 }),
  age: integer({ min: 1, max: 150 }),
  nick: optional(text({ max: 5 })),
  page: withDefault(integer({ min: 1, max: 9 }), 3),
};

describe("readFields", () => {
  const TAKEN: readonly [raw: Record<string, unknown>, values: Record<string, unknown>][] = [
    [
      { first_name: "Anne", age: 40 },
      { first_name: "Anne", age: 40, nick: undefined, page: 3 },
    ],
    [
      { first_name: "Anne", age: "40", nick: "", page: "" },
      { first_name: "Anne", age: 40, nick: undefined, page: 3 },
    ],
    [
      { first_name: "Anne", age: 40, nick: null, page: null },
      { first_name: "Anne", age: 40, nick: undefined, page: 3 },
    ],
    [
      { page: 1, nick: "An", age: 1, first_name: "Al", is_admin: true },
      { first_name: "Al", age: 1, nick: "An", page: 1 },
    ],
  ];
  for (const [raw, values] of TAKEN)
    test(`takes ${JSON.stringify(raw)}`, () => assert.deepEqual(readFields(shape, raw), values));

  const REFUSED: readonly [raw: Record<string, unknown>, message: string][] = [
    [{}, "The first name field is required."],
    [{ first_name: "" }, "The first name field is required."],
    [{ first_name: null, age: "x" }, "The first name field is required."],
    [{ first_name: "A", age: "x" }, "The first name must be at least 2 characters."],
    [{ age: "x", first_name: "A" }, "The first name must be at least 2 characters."],
    [{ first_name: "Anne", page: 99 }, "The age field is required."],
    [{ first_name: "Anne", age: 0 }, "The age must be a whole number from 1 to 150."],
    [
      { first_name: "Anne", age: 1, nick: "toolong" },
      "The nick must not be longer than 5 characters.",
    ],
    [{ first_name: "Anne", age: 1, page: 0 }, "The page must be a whole number from 1 to 9."],
  ];
  for (const [raw, message] of REFUSED)
    test(`refuses ${JSON.stringify(raw)}: ${message}`, () => {
      assert.throws(
        () => readFields(shape, raw),
        (error) =>
          error instanceof FieldRefused && error.message === message && error.status === 400,
      );
    });

  test("never finds a field on a prototype", () => {
    const odd = { toString: optional(text({ max: 5 })), constructor: optional(text({ max: 5 })) };
    const values = readFields(odd as never, {}) as Record<string, unknown>;
    assert.equal(values.constructor, undefined);
    assert.throws(() => readFields(shape, Object.create({ first_name: "Anne", age: 1 })));
  });

  test("reads a form that has no prototype", () => {
    const form = Object.assign(Object.create(null), { first_name: "Anne", age: "7" });
    assert.equal(readFields(shape, form).age, 7);
  });
});

describe("what the documents show", () => {
  test("lists required fields and leaves out those with a default", () => {
    const schema = schemaOf(shape) as { required: string[]; properties: Record<string, object> };
    assert.deepEqual(schema.required, ["first_name", "age"]);
    assert.deepEqual(Object.keys(schema.properties), Object.keys(shape));
    assert.deepEqual(schema.properties.page, {
      type: "integer",
      minimum: 1,
      maximum: 9,
      default: 3,
    });
    assert.equal("required" in schemaOf({ nick: shape.nick }), false);
  });

  test("adds words and an example without changing what is read", () => {
    const inner = text({ max: 5 });
    const shown = described(inner, "A name.", "Anne");
    assert.deepEqual(shown.schema, { ...inner.schema, description: "A name.", examples: ["Anne"] });
    assert.equal("examples" in described(inner, "A name.").schema, false);
    assert.equal(shown.read("Anne", "x"), "Anne");
  });

  test("calls a field in a sentence by its words", () => {
    assert.equal(labelOf("refresh_token"), "refresh token");
    assert.equal(labelOf("email"), "email");
  });

  const ajv = new Ajv2020({ strict: false });
  const words = ["live", "test"] as const;
  const FIELDS: readonly [name: string, one: Field<unknown>][] = [
    ["text", text({ min: 2, max: 5 })],
    ["text with a pattern", text({ max: 9, pattern: /^[a-z]+$/ })],
    ["integer", integer({ min: -3, max: 12 })],
    ["oneOf", oneOf(words)],
    [
      "wordList",
      wordList({
        separator: / /,
        readWord: (word) => words.find((known) => known === word),
        max: 3,
        schema: { type: "array", items: { enum: words }, maxItems: 3 },
      }),
    ],
  ];
  const values = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 8 }),
    fc.stringMatching(/^[a-z]{0,10}$/),
    fc.integer({ min: -20, max: 20 }),
    fc.double(),
    fc.constantFrom(...words, "LIVE", true, null, {}, [], [1]),
    fc.array(fc.constantFrom(...words, "other"), { maxLength: 5 }),
  );
  for (const [name, one] of FIELDS)
    test(`${name}: what the schema allows is read, and what is refused is not allowed`, () => {
      const allows = ajv.compile(one.schema);
      fc.assert(
        fc.property(values, (value) => {
          if (allows(JSON.parse(JSON.stringify(value) ?? "null")) && value !== "")
            assert.doesNotThrow(() => one.read(value, "it"));
        }),
        { numRuns: 500 },
      );
    });
});

test("a custom field is required and refuses with its own sentence", () => {
  const even = field({ type: "integer" }, (value, name) => {
    if (value !== 2) throw new FieldRefused(`The ${name} must be two.`);
    return value;
  });
  assert.equal(even.required, true);
  assert.throws(() => readFields({ even }, { even: 3 }), /The even must be two\./);
  assert.equal(optional(even).required, false);
});
