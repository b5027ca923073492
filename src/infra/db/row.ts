/**
 * What a statement returns, said once: a shape names each column and how the driver gives it.
 *
 * The columns of tables come from `tables.ts`, which is generated from the schema; a statement's
 * own columns are declared by kind. The type of a row follows from the shape. In production a shape
 * costs nothing; in tests every result is compared with it (Decision 0079).
 */

import sql, { join, raw, type Sql } from "sql-template-tag";

type Kind =
  | "text"
  | "uuid"
  | "int"
  | "bigint"
  | "float"
  | "bool"
  | "timestamp"
  | "bytes"
  | "json"
  | "text[]";

declare const value: unique symbol;

export interface Column<Value = unknown> {
  readonly kind: Kind;
  readonly isNullable: boolean;
  /** All that a CHECK of the table admits. */
  readonly words?: readonly string[];
  /** What a select computes it from; absent: it is a column of a table. */
  readonly from?: Sql;
  /** For the compiler alone. */
  readonly [value]?: Value;
}

export type Shape = Readonly<Record<string, Column>>;

export type Row<S extends Shape> = {
  -readonly [Name in keyof S]: S[Name] extends Column<infer Value> ? Value : never;
};

const columnOf = <Value>(kind: Kind): Column<Value> => ({ kind, isNullable: false });

export const text = columnOf<string>("text");
export const uuid = columnOf<string>("uuid");
export const int = columnOf<number>("int");
export const bigint = columnOf<bigint>("bigint");
export const float = columnOf<number>("float");
export const bool = columnOf<boolean>("bool");
export const timestamp = columnOf<Date>("timestamp");
export const bytes = columnOf<Buffer>("bytes");
export const texts = columnOf<string[]>("text[]");

/** What it holds is for the one who wrote it to say. */
export const json = <Value>(): Column<Value> => columnOf("json");

/** A text that is one of a few words: those given, or by a rule that the schema cannot tell. */
export function word<const Word extends string>(...words: readonly Word[]): Column<Word> {
  return words.length === 0 ? columnOf("text") : { ...columnOf("text"), words };
}

/** An array of such words. */
export const list = <Word extends string>(): Column<Word[]> => columnOf("text[]");

export function nullable<Value>(column: Column<Value>): Column<Value | null> {
  return { ...column, isNullable: true } as Column<Value | null>;
}

/** A column that the list of a select computes. */
export function computed<Value>(column: Column<Value>, from: Sql): Column<Value> {
  return { ...column, from };
}

/** Of an outer join: a row that was not found is all null. */
export function outer<S extends Shape>(shape: S) {
  const columns = Object.entries(shape).map(([name, column]) => [name, nullable(column)]);
  return Object.fromEntries(columns) as { [Name in keyof S]: Column<Row<S>[Name] | null> };
}

export function pick<S extends Shape, Name extends keyof S & string>(
  shape: S,
  ...names: readonly Name[]
): Pick<S, Name> {
  return Object.fromEntries(names.map((name) => [name, shape[name]])) as Pick<S, Name>;
}

export function omit<S extends Shape, Name extends keyof S & string>(
  shape: S,
  ...names: readonly Name[]
): Omit<S, Name> {
  const isKept = ([name]: [string, unknown]) => !names.includes(name as Name);
  return Object.fromEntries(Object.entries(shape).filter(isKept)) as Omit<S, Name>;
}

/** Of each shape, so that a statement of a hot path does not make its list anew. */
const lists = new WeakMap<Shape, Sql>();

/** The list of a select or a returning; `of` is the table's name in the statement. */
export function columns(shape: Shape, of?: string): Sql {
  if (of !== undefined) return listOf(shape, `${of}.`);
  const known = lists.get(shape) ?? listOf(shape, "");
  lists.set(shape, known);
  return known;
}

function listOf(shape: Shape, prefix: string): Sql {
  const parts = Object.entries(shape).map(([name, { from }]) =>
    from === undefined ? raw(prefix + name) : sql`${from} as ${raw(name)}`,
  );
  return join(parts, ", ");
}
