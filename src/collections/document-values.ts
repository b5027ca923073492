/** What an OpenAPI document gives as examples, from the places where OpenAPI keeps them. */

import { isDeepStrictEqual } from "node:util";

export interface DocumentSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly DocumentSchema[];
}

interface WithExamples {
  readonly schema?: DocumentSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

export interface DocumentParameter extends WithExamples {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
}

export interface DocumentOperation {
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly security?: readonly object[];
  readonly parameters?: readonly DocumentParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, WithExamples>> };
  readonly responses: Readonly<Record<string, unknown>>;
}

export interface OpenapiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
}

/** The same with everything in the place where it is only referred to. */
export function inlined<T>(document: OpenapiDocument, value: T): T {
  const text = JSON.stringify(value, (_, one: unknown) => {
    const { $ref } = (one ?? {}) as { $ref?: unknown };
    return typeof $ref === "string" ? inlined(document, referred(document, $ref)) : one;
  });
  return JSON.parse(text) as T;
}

function referred(document: OpenapiDocument, reference: string): unknown {
  const steps = reference.replace(/^#\//, "").split("/");
  return steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document);
}

/** What a parameter or a body looks like; undefined when the document does not say. */
export function exampleOf({ example, examples, schema }: WithExamples): unknown {
  const [first] = Object.values(examples ?? {});
  return example ?? first?.value ?? (schema && exampleOfSchema(schema));
}

function exampleOfSchema(schema: DocumentSchema): unknown {
  const given = [schema.example, schema.examples?.[0], schema.const, schema.default];
  const known = given.find((value) => value !== undefined) ?? schema.enum?.[0];
  if (known !== undefined) return known;
  if (schema.properties !== undefined) return exampleOfObject(schema);
  if (schema.oneOf?.[0] !== undefined) return exampleOfSchema(schema.oneOf[0]);
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
  return schema.type === "boolean" ? true : undefined;
}

/** The fields that are required, and where none is, those that have an example of their own. */
function exampleOfObject({ properties = {}, required = [], oneOf }: DocumentSchema) {
  const names = [...required, ...(oneOf?.[0]?.required ?? [])];
  const shown = Object.entries(properties).filter(([name, schema]) =>
    names.length > 0 ? names.includes(name) : exampleOfSchema(schema) !== undefined,
  );
  return Object.fromEntries(shown.map(([name, schema]) => [name, exampleOfSchema(schema)]));
}

/** The lowest of the successes that it lists. */
export function successOf({ responses }: DocumentOperation): number {
  const [lowest = 200] = Object.keys(responses)
    .map(Number)
    .filter((status) => status >= 200 && status < 300)
    .sort((one, other) => one - other);
  return lowest;
}

export function isOpen({ security }: DocumentOperation): boolean {
  return security === undefined || isDeepStrictEqual(security, []);
}
