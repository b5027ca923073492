/**
 * The refusals of a field, found by having it read bad values (Decision 0050): the sentences in the
 * document come from the code that refuses, so they are the exact ones.
 */

import { parseForm } from "../../infra/http/body/parse-form.ts";
import { readBody } from "../../infra/http/body/read-body.ts";
import { ServiceError } from "../../kit/errors.ts";
import type { Field, Shape } from "../../kit/fields/field.ts";
import type { JsonSchema } from "../../kit/schema.ts";

/** In the order in which the fields are read; `json`: values may be of any kind. */
export function fieldRefusals(shape: Shape, kinds: "json" | "text"): ServiceError[] {
  const attempts: (() => unknown)[] = [];
  const earlier: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shape)) {
    const before = { ...earlier };
    if (field.variant) before[field.variant.of] = field.variant.choices[0];
    attempts.push(() => field.absent(name, before));
    for (const bad of badValues(field.schema, kinds))
      attempts.push(() => field.read(bad, name, before));
    earlier[name] = goodValue(field, name, before);
  }
  return refusalsOf(attempts);
}

const BAD_FORM = ["a=%zz", "a=%00", "a%00", "a&".repeat(200)];
const BAD_QUERY = ["a=%zz", "a=1&a=2", "__proto__=1", "a=%00", "a%00", "a&".repeat(200)];
const BAD_JSON = [
  "{",
  "[]",
  '{"a":1,"a":2}',
  '{"a":1e999}',
  '{"__proto__":1}',
  '{"a":"\\u0000"}',
  '{"a":"\\ud800"}',
  "[".repeat(100) + "]".repeat(100),
  `[${"1,".repeat(20_000)}1]`,
];

/** The refusals of a body or query as a whole, before any field is read. */
export function bodyRefusals(what: "body" | "query"): ServiceError[] {
  if (what === "query")
    return refusalsOf(
      BAD_QUERY.map((query) => () => parseForm(query, { repeated: "refuse", what })),
    );
  const read = (type: string) => (body: string) => () =>
    readBody(type, Buffer.from(body, "latin1"));
  return refusalsOf([
    ...BAD_JSON.map(read("application/json")),
    ...BAD_FORM.map(read("application/x-www-form-urlencoded")),
  ]);
}

/** One for each sentence. Anything but a ServiceError is a value that the field never gets. */
function refusalsOf(attempts: readonly (() => unknown)[]): ServiceError[] {
  const bySentence = new Map<string, ServiceError>();
  // Thousands are thrown and their stacks are never read.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  for (const attempt of attempts)
    try {
      attempt();
    } catch (error) {
      if (error instanceof ServiceError && !bySentence.has(error.message))
        bySentence.set(error.message, error);
    }
  Error.stackTraceLimit = stackTraceLimit;
  return [...bySentence.values()];
}

function goodValue(field: Field<unknown>, name: string, before: Record<string, unknown>): unknown {
  const [example] = (field.schema.examples as readonly unknown[] | undefined) ?? [];
  try {
    return example === undefined ? field.absent(name, before) : field.read(example, name, before);
  } catch {
    return undefined;
  }
}

const BAD_ADDRESSES = [
  "https://",
  "http://shop.example/",
  "https://10.0.0.1/",
  "https://localhost/",
  "https://shop.example:444/",
  "https://shop.example/#top",
  "https://me:secret@shop.example/",
  `https://shop.example/${"x".repeat(2048)}`,
];
/** Values that break rules which a schema cannot express. */
const BAD_TEXTS =
  "? x -1 0 1.005 9999999999999 4111111111111111 ftp://x \u0007 credit_card live".split(" ");

/** Values beyond each limit of the schema, and the lists above. */
function badValues(schema: JsonSchema, kinds: "json" | "text"): unknown[] {
  const rules = (schema.oneOf ?? [schema]) as readonly JsonSchema[];
  const beyond = rules.flatMap(({ minLength, maxLength, minimum, maximum }) => [
    ...(minLength === undefined ? [] : ["x".repeat(Number(minLength) - 1)]),
    ...(maxLength === undefined ? [] : ["x".repeat(Number(maxLength) + 1)]),
    ...(minimum === undefined ? [] : [String(Number(minimum) - 1), String(minimum)]),
    ...(maximum === undefined ? [] : [String(Number(maximum) + 1), String(maximum)]),
  ]);
  return [
    ...(kinds === "json" ? [{}] : []),
    ...beyond.filter((value) => value !== ""),
    ...BAD_TEXTS,
    ...(schema.format === "uri" ? BAD_ADDRESSES : []),
    ...(schema.format === "email" ? ["4111111111111111@example.com"] : []),
  ];
}
