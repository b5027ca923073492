/**
 * The example of a whole body, made of those of its parts (Decision 0050). A part without one is a
 * gap that a test finds, not something to be made up.
 */

import type { JsonSchema } from "../../../kit/fields/field.ts";

export function exampleOf(schema: JsonSchema): unknown {
  const { examples, enum: words, anyOf, oneOf } = schema as Record<string, unknown[] | undefined>;
  if (examples !== undefined) return examples[0];
  if (schema.const !== undefined) return schema.const;
  if (words !== undefined) return words[0];
  if (schema.default !== undefined) return schema.default;
  const [first] = (anyOf ?? oneOf ?? []) as JsonSchema[];
  if (first !== undefined) return exampleOf(first);
  if (schema.properties !== undefined) return exampleOfParts(schema.properties as Parts);
  if (schema.type === "array") return [exampleOf(schema.items as JsonSchema)];
  return undefined;
}

type Parts = Readonly<Record<string, JsonSchema>>;

function exampleOfParts(parts: Parts): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parts).map(([name, one]) => [name, exampleOf(one)]));
}

/** The same as a form sends it, which knows no lists. */
export function asForm(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(" ") : value,
  ]);
  return Object.fromEntries(entries);
}
