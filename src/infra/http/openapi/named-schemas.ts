/**
 * Takes every schema that has a title out of the document and leaves a reference to it: what is
 * shown in many places is written once, and has the same name in everybody's code.
 */

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "../../../kit/fields/field.ts";

export function nameSchemas(document: JsonSchema): JsonSchema {
  const schemas: Record<string, unknown> = {};
  const walk = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(walk);
    if (part === null || typeof part !== "object") return part;
    const entries = Object.entries(part).map(([name, one]) => [
      name,
      // What is shown is data, in which a title is a title.
      name === "example" || name === "examples" ? one : walk(one),
    ]);
    const whole = Object.fromEntries(entries) as JsonSchema;
    const { title, properties } = whole;
    if (typeof title !== "string" || properties === undefined) return whole;
    const known = schemas[title];
    assert(known === undefined || isDeepStrictEqual(known, whole), `two schemas are ${title}`);
    schemas[title] = whole;
    return { $ref: `#/components/schemas/${title}` };
  };
  const walked = walk(document) as JsonSchema;
  const { components } = walked as { components: { schemas: object } };
  return {
    ...walked,
    components: { ...components, schemas: { ...schemas, ...components.schemas } },
  };
}
