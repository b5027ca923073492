/**
 * What a field says to a value that is not good, found out by showing it some (Decision 0050): the
 * sentences in the document are spoken by the code that refuses, so they are the exact ones.
 */

import { ServiceError } from "../../../kit/errors.ts";
import type { Field, JsonSchema, Shape } from "../../../kit/fields/field.ts";
import { parseForm } from "../body/parse-form.ts";
import { readBody } from "../body/read-body.ts";

/** In the order in which the fields are judged; `json`: values may be of any kind. */
export function fieldRefusals(shape: Shape, kinds: "json" | "text"): ServiceError[] {
  const said: Said = new Map();
  const earlier: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shape)) {
    const before = field.variant
      ? { ...earlier, [field.variant.of]: field.variant.choices[0] }
      : { ...earlier };
    hear(said, () => field.absent(name, before));
    for (const bad of unlikely(field.schema, kinds))
      hear(said, () => field.read(bad, name, before));
    earlier[name] = goodValue(field, name, before);
  }
  return [...said.values()];
}

/** By their sentences. */
type Said = Map<string, ServiceError>;

/** What is said of a body or query before any field is looked at. */
export function bodyRefusals(what: "body" | "query"): ServiceError[] {
  const said: Said = new Map();
  if (what === "query") {
    for (const query of ["a=%zz", "a=1&a=2", "__proto__=1", "a=%00", "a%00", "a&".repeat(200)])
      hear(said, () => parseForm(query, { repeated: "refuse", what: "query" }));
    return [...said.values()];
  }
  for (const body of BAD_JSON)
    hear(said, () => readBody("application/json", Buffer.from(body, "latin1")));
  for (const body of ["a=%zz", "a=%00", "a%00", "a&".repeat(200)])
    hear(said, () => readBody("application/x-www-form-urlencoded", Buffer.from(body)));
  return [...said.values()];
}

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

function hear(said: Said, attempt: () => unknown): void {
  // Thousands are heard, and nobody asks where they come from.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    attempt();
  } catch (error) {
    // Anything else is a value that the field never meets, and no sentence of ours.
    if (error instanceof ServiceError && !said.has(error.message)) said.set(error.message, error);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function goodValue(field: Field<unknown>, name: string, before: Record<string, unknown>): unknown {
  const [example] = (field.schema.examples as readonly unknown[] | undefined) ?? [];
  try {
    return example === undefined ? field.absent(name, before) : field.read(example, name, before);
  } catch {
    return undefined;
  }
}

const ODD_ADDRESSES = [
  "https://",
  "http://shop.example/",
  "https://10.0.0.1/",
  "https://localhost/",
  "https://shop.example:444/",
  "https://shop.example/#top",
  "https://me:secret@shop.example/",
  `https://shop.example/${"x".repeat(2048)}`,
];

/** Values beyond each rule of the schema, and some that no rule of a schema can tell. */
function unlikely(schema: JsonSchema, kinds: "json" | "text"): unknown[] {
  const rules = (schema.oneOf ?? [schema]) as readonly JsonSchema[];
  const texts = rules.flatMap(({ minLength, maxLength, minimum, maximum }) => [
    ...(minLength === undefined ? [] : ["x".repeat(Number(minLength) - 1)]),
    ...(maxLength === undefined ? [] : ["x".repeat(Number(maxLength) + 1)]),
    ...(minimum === undefined ? [] : [String(Number(minimum) - 1), String(minimum)]),
    ...(maximum === undefined ? [] : [String(Number(maximum) + 1), String(maximum)]),
  ]);
  const others = [
    "?",
    "x",
    "-1",
    "0",
    "1.005",
    "9999999999999",
    "4111111111111111",
    "ftp://x",
    "\u0007",
    "credit_card",
    "live",
  ];
  return [
    ...(kinds === "json" ? [{}] : []),
    ...texts.filter((one) => one !== ""),
    ...others,
    ...(schema.format === "uri" ? ODD_ADDRESSES : []),
    ...(schema.format === "email" ? ["4111111111111111@example.com"] : []),
  ];
}
