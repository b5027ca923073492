/**
 * What a request may contain, field by field.
 *
 * Why not a JSON-schema validator: the interface wants *one* sentence for the *first* field that
 * fails, in the order of its tables, the same for JSON and form bodies, with numbers as numeric
 * strings in either and empty text counting as absent. Ajv reports missing fields before bad ones
 * and cannot read "12.50" as money. So a field reads and checks its own value, and its JSON schema,
 * which OpenAPI shows, stands beside the code that enforces it. Unknown fields are ignored
 * (Decision 0002).
 */

import { FieldRefused } from "../errors.ts";
import type { JsonSchema } from "../schema.ts";
import { fieldHint } from "./field-hint.ts";

export interface Field<T> {
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** Null or empty text is no absent field but takes away what is there: it is read as null. */
  readonly isClearable?: true;
  /** In a query, may be given several times. */
  readonly repeatable?: boolean;
  /**
   * Reads a value that is present; throws `FieldRefused` with its sentence. `earlier` holds the
   * values of the fields before it, for rules between two fields.
   */
  read(value: unknown, name: string, earlier?: Readonly<Record<string, unknown>>): T;
  /** What an absent field means; throws when it is required. */
  absent(name: string, earlier?: Readonly<Record<string, unknown>>): T;
  /** Belongs to some choices of an earlier field only (`variant.ts`). */
  readonly variant?: Variant;
}

interface Variant {
  /** The earlier field. */
  readonly of: string;
  readonly choices: readonly string[];
  readonly isRequired: boolean;
}

export type Shape = Readonly<Record<string, Field<unknown>>>;
export type Values<S extends Shape> = {
  readonly [Name in keyof S]: S[Name] extends Field<infer T> ? T : never;
};

/** Builds a required field from the function that reads a present value. */
export function field<T>(schema: JsonSchema, read: Field<T>["read"]): Field<T> {
  return {
    schema,
    required: true,
    read,
    absent(name) {
      throw fieldRefused(name, "field is required", { code: "field_required" });
    },
  };
}

export function optional<T>(inner: Field<T>): Field<T | undefined> {
  return { ...inner, required: false, absent: () => undefined };
}

/** A field of a change: left out it stays, null or empty it is cleared. */
export function clearable<T>(inner: Field<T>): Field<T | null | undefined> {
  const { type } = inner.schema;
  const schema = { ...inner.schema, ...(type === undefined ? {} : { type: [type, "null"] }) };
  return { ...inner, schema, required: false, isClearable: true, absent: () => undefined };
}

/** The fields of a change: any of them may be left out. */
export function eachOptional<S extends Shape>(shape: S) {
  const fields = Object.entries(shape).map(([name, one]) => [name, optional(one)]);
  return Object.fromEntries(fields) as { [Name in keyof S]: Field<Values<S>[Name] | undefined> };
}

/** The same, and null or empty text clears any of them. */
export function eachClearable<S extends Shape>(shape: S) {
  const fields = Object.entries(shape).map(([name, one]) => [name, clearable(one)]);
  return Object.fromEntries(fields) as {
    [Name in keyof S]: Field<Values<S>[Name] | null | undefined>;
  };
}

export function withDefault<T>(inner: Field<T>, value: T): Field<T> {
  return {
    ...inner,
    schema: { ...inner.schema, default: value },
    required: false,
    absent: () => value,
  };
}

/** Adds a rule; `check` throws when a value that was read breaks it. */
export function checked<T>(
  inner: Field<T>,
  check: (value: T, name: string, earlier?: Readonly<Record<string, unknown>>) => void,
): Field<T> {
  return {
    ...inner,
    read(raw, name, earlier) {
      const value = inner.read(raw, name, earlier);
      check(value, name, earlier);
      return value;
    },
  };
}

/** As if those had been read before it. */
export function after<T>(inner: Field<T>, earlier: Readonly<Record<string, unknown>>): Field<T> {
  return { ...inner, read: (value, name) => inner.read(value, name, earlier) };
}

/** Adds the description and the example that OpenAPI shows. */
export function described<T>(inner: Field<T>, about: string, example?: unknown): Field<T> {
  const shown = example === undefined ? {} : { examples: [example] };
  return { ...inner, schema: { ...inner.schema, description: about, ...shown } };
}

/** Reads every field in the order of declaration and throws at the first that fails. */
export function readFields<S extends Shape>(
  shape: S,
  raw: Readonly<Record<string, unknown>>,
): Values<S> {
  const values: Record<string, unknown> = {};
  let failing = "";
  try {
    for (const name in shape) {
      failing = name;
      const one = shape[name] as Field<unknown>;
      const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
      if (one.isClearable && (value === null || value === "")) values[name] = null;
      else
        values[name] = isAbsent(value) ? one.absent(name, values) : one.read(value, name, values);
    }
  } catch (error) {
    if (error instanceof FieldRefused) explain(error, failing, { shape, raw });
    throw error;
  }
  return values as Values<S>;
}

function explain(
  error: FieldRefused,
  name: string,
  { shape, raw }: { shape: Shape; raw: Readonly<Record<string, unknown>> },
): void {
  const schema = shape[name]?.schema ?? {};
  const names = Object.keys(shape);
  error.addContext(name, () => fieldHint(name, { names, schema, raw }));
}

/** The object schema of a set of fields for OpenAPI. */
export function schemaOf(shape: Shape): JsonSchema {
  const of = Object.values(shape).find(({ variant }) => variant !== undefined)?.variant?.of;
  return of === undefined ? objectOf(shape) : variantsOf(shape, of);
}

function objectOf(shape: Shape): JsonSchema {
  const names = Object.keys(shape);
  const required = names.filter((name) => shape[name]?.required);
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, shape[name]?.schema])),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** One complete schema for each choice, distinguished by the field that chooses. */
function variantsOf(shape: Shape, of: string): JsonSchema {
  const choices = shape[of]?.schema.enum as readonly string[];
  const titleOf = (choice: string) => `${of}.${choice}`;
  const links = choices.map((choice) => [choice, `#/components/schemas/${titleOf(choice)}`]);
  return {
    type: "object",
    discriminator: { propertyName: of, mapping: Object.fromEntries(links) },
    oneOf: choices.map((choice) => ({
      title: titleOf(choice),
      ...objectOf(shapeOf(shape, of, choice)),
    })),
  };
}

/** The fields of one choice. */
function shapeOf(shape: Shape, of: string, choice: string): Shape {
  const own = Object.entries(shape).flatMap(([name, one]) => {
    const { variant, schema } = one;
    if (name === of) {
      const { enum: _, ...rest } = schema;
      return [[name, { ...one, schema: { ...rest, const: choice, examples: [choice] } }]];
    }
    if (variant === undefined) return [[name, one]];
    return variant.choices.includes(choice)
      ? [[name, { ...one, required: variant.isRequired }]]
      : [];
  });
  return Object.fromEntries(own);
}

/** `rule` completes the sentence that begins with the name of the field. */
export function fieldRefused(
  name: string,
  rule: string,
  about?: ConstructorParameters<typeof FieldRefused>[1],
): FieldRefused {
  return new FieldRefused(`The ${labelOf(name)} ${rule}.`, about);
}

/** The name of a field in a sentence: `refresh_token` is "the refresh token". */
export function labelOf(name: string): string {
  return name.replaceAll("_", " ");
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}
