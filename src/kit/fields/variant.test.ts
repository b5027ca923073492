/**
 * The guarantee: a field of a choice is demanded with that choice, in its place among the others,
 * and with any other choice it might as well not be there.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { oneOf } from "./choice.ts";
import { optional, readFields, schemaOf } from "./field.ts";
import { text } from "./text.ts";
import { onlyWith } from "./variant.ts";

const shape = {
  kind: oneOf(["car", "bird"]),
  wings: onlyWith("kind", ["bird"], text({ max: 3 })),
  doors: onlyWith("kind", ["car"], text({ max: 3 })),
  colour: optional(text({ max: 3 })),
};

describe("a field of some choices", () => {
  const refusals: [string, Record<string, unknown>, string][] = [
    ["missing with its choice", { kind: "bird" }, "The wings field is required."],
    [
      "wrong with its choice",
      { kind: "car", doors: "four" },
      "The doors must not be longer than 3 characters.",
    ],
    [
      "missing before another that is wrong",
      { kind: "bird", colour: "green" },
      "The wings field is required.",
    ],
  ];
  for (const [when, raw, message] of refusals)
    test(`is refused when ${when}`, () => {
      assert.throws(() => readFields(shape, raw), { message });
    });

  test("is not looked at with another choice, whatever it says", () => {
    const read = readFields(shape, { kind: "car", doors: "two", wings: { far: "too wrong" } });
    assert.deepEqual(read, { kind: "car", wings: undefined, doors: "two", colour: undefined });
  });

  test("is shown as one schema for each choice", () => {
    const { discriminator, oneOf } = schemaOf(shape) as {
      discriminator: object;
      oneOf: { title: string; properties: Record<string, object>; required: string[] }[];
    };
    assert.deepEqual(discriminator, {
      propertyName: "kind",
      mapping: {
        car: "#/components/schemas/kind.car",
        bird: "#/components/schemas/kind.bird",
      },
    });
    assert.deepEqual(
      oneOf.map(({ title, properties, required }) => [title, Object.keys(properties), required]),
      [
        ["kind.car", ["kind", "doors", "colour"], ["kind", "doors"]],
        ["kind.bird", ["kind", "wings", "colour"], ["kind", "wings"]],
      ],
    );
  });
});
