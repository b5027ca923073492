/**
 * Judges values by a document whose objects have the fields that it names and no others. Published,
 * it is open: clients must live with fields to come. Here it is closed, so that no answer has a
 * field that nobody wrote down.
 */

import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

export type Schema = Readonly<Record<string, unknown>>;

/** Where schemas of the document find each other, whichever of them is asked. */
const HOME = "https://document.invalid/";

function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (part === null || typeof part !== "object") return part;
  const whole = part as Schema;
  const entries = Object.entries(whole).map(([name, one]) => [
    name,
    name === "$ref" ? HOME + one : closed(one),
  ]);
  const isOpen = whole.additionalProperties === undefined && whole.patternProperties === undefined;
  const isObject = whole.type === "object" && typeof whole.properties === "object";
  return {
    ...Object.fromEntries(entries),
    ...(isObject && isOpen ? { additionalProperties: false } : {}),
  };
}

/** What is wrong with a value by a schema of the document; undefined when nothing is. */
export type Judge = (schema: Schema, value: unknown) => string | undefined;

export function createJudge(document: object): Judge {
  const { components } = document as { components: Schema };
  // That the schemas are schemas is checked once, in test/contract/openapi.test.ts.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  // ajv-formats is CommonJS; its callable is the default export of its default export.
  (addFormats as unknown as (instance: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: HOME, components: { schemas: closed(components.schemas) } });
  // By their text: most refusals of most routes look the same, and compiling is what takes time.
  const known = new Map<string, ValidateFunction>();
  const seen = new WeakMap<Schema, ValidateFunction>();
  const compiled = (schema: Schema): ValidateFunction => {
    const text = JSON.stringify(schema);
    const validate = known.get(text) ?? ajv.compile(closed(schema) as Schema);
    known.set(text, validate);
    seen.set(schema, validate);
    return validate;
  };
  return (schema, value) => {
    const validate = seen.get(schema) ?? compiled(schema);
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  };
}
