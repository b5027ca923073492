/** The parameters and bodies of a route in OpenAPI, each with an example. */

import type { RequestExample, Route, UploadRules } from "../../infra/http/route.ts";
import { environmentPlace } from "../../infra/http/serve/environment-field.ts";
import { exampleOfFields } from "../../kit/fields/example.ts";
import { described, type Shape, schemaOf } from "../../kit/fields/field.ts";
import type { JsonSchema } from "../../kit/schema.ts";

const HEADER = { in: "header", required: false };
const IDEMPOTENCY_KEY = {
  ...HEADER,
  name: "Idempotency-Key",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
  description:
    "Chosen by you, a new one for each operation, such as a UUID. Send the same key again to get " +
    "the first answer again instead of a second effect.",
  example: "order-1-attempt-1",
};

const IF_NONE_MATCH = {
  ...HEADER,
  name: "If-None-Match",
  schema: { type: "string" },
  description: "The ETag of an answer that you have: 304 when it has not changed.",
  example: '"kZ0mP4fV1s3QxYb7Tn9a2w"',
};

export function parametersOf(route: Route<never>): JsonSchema[] {
  const takesBody = route.method !== "GET" && environmentPlace(route) === "query";
  const query = route.query && takesBody ? mentionOtherPlace(route.query, "body") : route.query;
  return [
    ...fieldsOf(route.params, "path"),
    ...fieldsOf(query, "query"),
    ...(route.idempotent ? [IDEMPOTENCY_KEY] : []),
    ...(route.answers[304] === undefined ? [] : [IF_NONE_MATCH]),
  ];
}

function fieldsOf(shape: Shape | undefined, place: "path" | "query"): JsonSchema[] {
  return Object.entries(shape ?? {}).map(([name, { schema, required }]) => {
    const { description, examples, ...rules } = schema as { examples?: unknown[] } & JsonSchema;
    const [example] = examples ?? [];
    return {
      name,
      in: place,
      required: place === "path" || required,
      ...(description !== undefined && { description }),
      schema: rules,
      ...(example !== undefined && { example }),
    };
  });
}

/** `environment` is shown in one place, with a sentence about the other. */
function mentionOtherPlace(shape: Shape, other: "query" | "body"): Shape {
  const { environment } = shape;
  if (environment === undefined) return shape;
  const about = `${environment.schema.description} May be given in the ${other} instead.`;
  return { ...shape, environment: described(environment, about) };
}

/** The same fields in JSON and in a form. */
export function bodyOf(route: Route<never>, shape: Shape): JsonSchema {
  const isElsewhereToo = environmentPlace(route) === "body";
  const schema = schemaOf(isElsewhereToo ? mentionOtherPlace(shape, "query") : shape);
  const only = { whole: { about: route.summary, body: exampleOfFields(shape) } };
  const examples = Object.entries(route.examples ?? only);
  const content = (as: (body: RequestExample["body"]) => JsonSchema) => ({
    schema,
    examples: Object.fromEntries(
      examples.map(([name, { about, body }]) => [name, { summary: about, value: as(body) }]),
    ),
  });
  return {
    required: Object.values(shape).some((field) => field.required),
    content: {
      "application/json": content((body) => body),
      "application/x-www-form-urlencoded": content(asForm),
    },
  };
}

/** A form has no lists: their items are joined by spaces. */
function asForm(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(body).map(([name, value]) => [
    name,
    Array.isArray(value) ? listText(value) : value,
  ]);
  return Object.fromEntries(entries);
}

export function uploadOf(
  { overridableBy }: Route<never>,
  { field, bytesMax }: UploadRules,
): JsonSchema {
  const file = {
    type: "string",
    format: "binary",
    maxLength: bytesMax,
    description: `The file, of at most ${bytesMax / 1024 / 1024} MB.`,
  };
  const method = {
    const: overridableBy,
    description: `For clients that cannot send a file with ${overridableBy}.`,
  };
  const properties = { [field]: file, ...(overridableBy && { _method: method }) };
  const schema = { type: "object", properties, required: [field] };
  return { required: true, content: { "multipart/form-data": { schema } } };
}

/** Words by spaces; a list of objects as its JSON text. */
function listText(list: readonly unknown[]): string {
  return list.some((one) => typeof one === "object") ? JSON.stringify(list) : list.join(" ");
}
