/** A body as the fields' own examples make it, for whoever wants to see one (Decision 0050). */

import type { Shape } from "./field.ts";

/** Of these fields; of all that have an example and belong together, when none are named. */
export function exampleOfFields(shape: Shape, names?: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, { schema, variant }] of Object.entries(shape)) {
    const isMeant = variant === undefined || variant.choices.includes(String(values[variant.of]));
    const [example] = (schema.examples as readonly unknown[] | undefined) ?? [];
    if (names?.includes(name) ?? (isMeant && example !== undefined)) values[name] = example;
  }
  return values;
}
