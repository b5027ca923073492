/** An example of a body, made of the examples of its fields (Decision 0050). */

import type { Shape } from "./field.ts";

/** Of the named fields; without names, of all that have an example and belong together. */
export function exampleOfFields(shape: Shape, names?: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, { schema, variant }] of Object.entries(shape)) {
    const isMeant = variant === undefined || variant.choices.includes(String(values[variant.of]));
    const [example] = (schema.examples as readonly unknown[] | undefined) ?? [];
    if (names?.includes(name) ?? (isMeant && example !== undefined)) values[name] = example;
  }
  return values;
}
