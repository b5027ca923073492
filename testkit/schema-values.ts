/**
 * Values made from a field's JSON schema, as a client would make them who knows nothing but the
 * document: those it says are good, and those just beyond its bounds.
 */

import fc from "fast-check";
import type { JsonSchema } from "../src/kit/schema.ts";

/** Good values by the schema; undefined where it says too little to make one. */
export function goodValues(schema: JsonSchema): fc.Arbitrary<unknown> | undefined {
  const { examples, ...rules } = schema as { examples?: unknown[] } & JsonSchema;
  if (takesNothing(schema)) return undefined;
  const oneOf = (rules.oneOf ?? rules.anyOf) as JsonSchema[] | undefined;
  const known = examples === undefined ? [] : [fc.constantFrom(...examples)];
  const branches = (oneOf ?? [schema]).flatMap(valuesOf);
  const all = [...known, ...branches];
  return all.length === 0 ? undefined : fc.oneof(...all);
}

/** What is documented only to say that it is refused. */
export function takesNothing({ not }: JsonSchema): boolean {
  return not !== undefined && Object.keys(not as object).length === 0;
}

function valuesOf(schema: JsonSchema): fc.Arbitrary<unknown>[] {
  if (Array.isArray(schema.type))
    return schema.type.flatMap((type) => valuesOf({ ...schema, type }));
  if (schema.type === "null") return [fc.constant(null)];
  if (schema.const !== undefined) return [fc.constant(schema.const)];
  if (Array.isArray(schema.enum)) return [fc.constantFrom(...schema.enum)];
  if (schema.type === "integer") return [integersOf(schema)];
  if (schema.type === "number") return [amountsOf(schema)];
  if (schema.type === "array") return arraysOf(schema);
  if (schema.type === "boolean") return [fc.constantFrom(true, false, "true", "false", 1, 0)];
  if (schema.type !== "string") throw new Error(`no values known for ${JSON.stringify(schema)}`);
  if (schema.format === "date-time") return [moments];
  if (schema.format === "date") return [moments.map((moment) => moment.slice(0, 10))];
  if (schema.format === "email") return [emailsOf(schema)];
  if (schema.format === "uri") return [urls.filter(fits(schema))];
  // Without bounds it is words with a meaning of their own, which only an example can show.
  return schema.maxLength === undefined ? [] : [textsOf(schema)];
}

function integersOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const whole = fc.integer({ min: Number(schema.minimum), max: Number(schema.maximum) });
  return fc.oneof(whole, whole.map(String));
}

/** Every number that need not be whole is an amount of money. */
function amountsOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const min = Math.round(Number(schema.minimum ?? 0) * 100);
  const amount = fc.integer({ min, max: 1_000_000_00 }).map((minor) => minor / 100);
  return fc.oneof(
    amount,
    amount.map((units) => units.toFixed(2)),
  );
}

function arraysOf(schema: JsonSchema): fc.Arbitrary<unknown>[] {
  const { items } = schema as { items: JsonSchema };
  if (items.type === "object") {
    const minLength = Number(schema.minItems ?? 0);
    return [fc.array(objectsOf(items), { minLength, maxLength: 3 })];
  }
  if (!Array.isArray(items.enum)) return [];
  return [fc.array(fc.constantFrom(...items.enum), { minLength: 1, maxLength: 20 })];
}

function objectsOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  const members = Object.entries(schema.properties as Readonly<Record<string, JsonSchema>>);
  const values = members.map(([name, one]) => [name, goodValues(one) ?? fc.constant("x")]);
  return fc.record(Object.fromEntries(values));
}

const moments = fc
  .date({ min: new Date("2000-01-01"), max: new Date("2199-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Made once: what can make them takes long to make. */
const emails = fc.emailAddress();
const urls = fc.webUrl({ size: "small" });

function emailsOf(schema: JsonSchema): fc.Arbitrary<string> {
  return emails.filter((address) => address.length <= Number(schema.maxLength));
}

function fits({ maxLength }: JsonSchema): (text: string) => boolean {
  return (text) => maxLength === undefined || [...text].length <= Number(maxLength);
}

const byPattern = new Map<string, fc.Arbitrary<string>>();

function matching(pattern: string): fc.Arbitrary<string> {
  const made = byPattern.get(pattern) ?? fc.stringMatching(new RegExp(pattern));
  byPattern.set(pattern, made);
  return made;
}

function textsOf(schema: JsonSchema): fc.Arbitrary<string> {
  const { not } = schema as { not?: { pattern: string } };
  const isMeant = (text: string) => not === undefined || !new RegExp(not.pattern).test(text);
  if (typeof schema.pattern === "string")
    return matching(schema.pattern).filter((text) => fits(schema)(text) && isMeant(text));
  // An empty text counts as absent, so it is no value.
  const minLength = Math.max(1, Number(schema.minLength ?? 1));
  return fc.string({ unit: "binary", minLength, maxLength: Number(schema.maxLength) });
}

/** Values just outside of what the schema allows. */
export function badValues(schema: JsonSchema): unknown[] {
  const { minLength, maxLength, minimum, maximum } = schema as Record<string, number | undefined>;
  const branches = (schema.oneOf ?? schema.anyOf ?? [schema]) as readonly JsonSchema[];
  const types = branches.flatMap(({ type }) => type);
  const isNumeric = types.includes("number") || types.includes("integer");
  const isText = !isNumeric && schema.type !== "boolean" && schema.type !== "array";
  return [
    ...(minLength === undefined ? [] : ["x".repeat(minLength - 1)]),
    ...(maxLength === undefined ? [] : ["x".repeat(maxLength + 1), "👍".repeat(maxLength + 1)]),
    ...(minimum === undefined ? [] : [minimum - 1, String(minimum - 1)]),
    ...(minimum === undefined || schema.type !== "integer" ? [] : [minimum + 0.5]),
    ...(maximum === undefined ? [] : [maximum + 1, String(maximum + 1)]),
    ...(Array.isArray(schema.enum) ? ["x", `${schema.enum[0]} `] : []),
    ...(schema.format === undefined ? [] : ["x", "@", "2026-02-31T00:00:00Z", "2026-02-31"]),
    ...(schema.format === "date-time" ? ["2026-01-01"] : []),
    ...(isText ? [1, { a: 1 }, [1]] : [{ a: 1 }, [1], "x"]),
    ...(schema.type === "boolean" ? [2] : [true]),
  ];
}
