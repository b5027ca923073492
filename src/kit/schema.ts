/**
 * Builders for the JSON Schema in which routes describe their answers.
 *
 * Not a library, because no value is checked and no type is derived here: the one that does both
 * brought 373 modules into every start.
 */

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A property that may be absent. */
class Optional {
  readonly schema: JsonSchema;

  constructor(schema: JsonSchema) {
    this.schema = schema;
  }
}

interface ObjectSchema<Name extends string> extends JsonSchema {
  readonly properties: Readonly<Record<Name, JsonSchema>>;
}

export const Type = {
  String: (rules: JsonSchema = {}): JsonSchema => ({ type: "string", ...rules }),
  Number: (rules: JsonSchema = {}): JsonSchema => ({ type: "number", ...rules }),
  Integer: (rules: JsonSchema = {}): JsonSchema => ({ type: "integer", ...rules }),
  Boolean: (rules: JsonSchema = {}): JsonSchema => ({ type: "boolean", ...rules }),
  Null: (): JsonSchema => ({ type: "null" }),
  Literal: (value: string | number, rules: JsonSchema = {}): JsonSchema => ({
    type: typeof value,
    const: value,
    ...rules,
  }),
  Array: (items: JsonSchema, rules: JsonSchema = {}): JsonSchema => ({
    type: "array",
    items,
    ...rules,
  }),
  Union: (anyOf: readonly JsonSchema[], rules: JsonSchema = {}): JsonSchema => ({
    anyOf,
    ...rules,
  }),
  /** Arbitrary names, each with a value of the same kind. */
  Record: (value: JsonSchema, rules: JsonSchema = {}): JsonSchema => ({
    type: "object",
    patternProperties: { "^.*$": value },
    ...rules,
  }),
  Optional: (schema: JsonSchema): Optional => new Optional(schema),
  Object: objectOf,
};

function objectOf<Name extends string>(
  properties: Readonly<Record<Name, JsonSchema | Optional>>,
  rules: JsonSchema = {},
): ObjectSchema<Name> {
  const entries = Object.entries<JsonSchema | Optional>(properties);
  const required = entries.flatMap(([name, one]) => (one instanceof Optional ? [] : [name]));
  return {
    type: "object",
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(
      entries.map(([name, one]) => [name, one instanceof Optional ? one.schema : one]),
    ) as Record<Name, JsonSchema>,
    ...rules,
  };
}
