/**
 * What to do about a field that was refused, from the rules that stand beside it, and the name
 * that a misspelled field was meant to have.
 */

import { closestName } from "../closest-name.ts";

/** A field's JSON schema. */
type JsonSchema = Readonly<Record<string, unknown>>;

/** Keys of one body that are compared with the known names. */
const COMPARED_MAX = 100;
const PLAIN_NAME = /^[\w.-]{1,64}$/;

export function fieldHint(
  name: string,
  { names, schema, raw }: { names: readonly string[]; schema: JsonSchema; raw: object },
): string {
  return [`Send ${name} as ${rulesOf(schema)}.`, ...slipsIn(raw, names)].join(" ");
}

function rulesOf(schema: JsonSchema): string {
  const [example] = (schema.examples as readonly unknown[] | undefined) ?? [];
  const isShown = typeof example === "string" || typeof example === "number";
  return kindOf(schema) + (isShown ? `, for example ${example}` : "");
}

function kindOf(schema: JsonSchema): string {
  const { enum: words, items, oneOf, type, format, minimum, maximum } = schema;
  if (Array.isArray(words)) return `one of ${words.join(", ")}`;
  if (type === "array") return `a list; each is ${kindOf((items ?? {}) as JsonSchema)}`;
  if (Array.isArray(oneOf) && oneOf.some((one) => one.type === "number")) return AMOUNT;
  if (type === "integer") return `a whole number${rangeOf(minimum, maximum)}`;
  if (type === "boolean") return "true or false";
  if (typeof format === "string" && FORMATS[format] !== undefined) return FORMATS[format];
  if (type === "string") return `text${lengthOf(schema)}`;
  return "the reference describes it";
}

const JSON_AS_FORM = "The body looks like JSON: send it with Content-Type: application/json.";
const AMOUNT = "an amount with at most 2 decimal places, as a number or as text";
const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "a time with its zone in ISO 8601",
  date: "a day as YYYY-MM-DD",
  email: "an e-mail address",
  uri: "an address with its scheme",
};

function rangeOf(minimum: unknown, maximum: unknown): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}

function lengthOf({ minLength, maxLength }: JsonSchema): string {
  if (minLength !== undefined && maxLength !== undefined)
    return ` of ${minLength} to ${maxLength} characters`;
  return maxLength === undefined ? "" : ` of at most ${maxLength} characters`;
}

/** A name that nobody knows, where the name it resembles was not sent; or JSON read as a form. */
function slipsIn(raw: object, names: readonly string[]): string[] {
  const sent = Object.keys(raw);
  if (sent.some((name) => name.startsWith("{"))) return [JSON_AS_FORM];
  const missing = names.filter((name) => !sent.includes(name));
  const unknown = sent.filter((name) => PLAIN_NAME.test(name) && !names.includes(name));
  for (const name of unknown.slice(0, COMPARED_MAX)) {
    const meant = closestName(name, missing);
    if (meant !== undefined)
      return [`The field ${name} is not known; ${meant} may be what was meant.`];
  }
  return [];
}
