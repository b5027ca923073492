/**
 * Statements and the four ways to run one. SQL is written as SQL (Decision 0001); `sql` turns every
 * interpolated value into a parameter.
 */

import type { QueryResult, QueryResultRow } from "pg";
import sql, { type Sql } from "sql-template-tag";
import { currentSpan, inSpan, SpanKind } from "../../kit/trace.ts";
import type { Row, Shape } from "./row.ts";

export { type Sql, sql };

/** A statement whose plan each connection soon keeps, under this name: for the hot paths. */
export interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

export type Statement = Sql | Prepared;

/** Of a statement: what its rows are. */
export interface Returns<S extends Shape> {
  readonly shape: S;
}

export interface Queryable {
  rows<S extends Shape>(statement: Statement & Returns<S>): Promise<Row<S>[]>;
  /** Without a shape the type is unchecked: a house rule allows it in tests only. */
  rows<Believed extends QueryResultRow = never>(statement: Statement): Promise<Believed[]>;
  maybeOne<S extends Shape>(statement: Statement & Returns<S>): Promise<Row<S> | undefined>;
  maybeOne<Believed extends QueryResultRow = never>(
    statement: Statement,
  ): Promise<Believed | undefined>;
  one<S extends Shape>(statement: Statement & Returns<S>): Promise<Row<S>>;
  one<Believed extends QueryResultRow = never>(statement: Statement): Promise<Believed>;
  /** Runs a statement for its effect and tells how many rows it touched. */
  run(statement: Statement): Promise<number>;
}

/** Compares a result with the shape of its statement. Only tests have one (Decision 0079). */
export type RowCheck = (statement: Statement & Returns<Shape>, result: QueryResult) => void;

/** `sql` for a statement that returns rows of this shape. */
export function sqlOf<S extends Shape>(shape: S) {
  return (strings: readonly string[], ...values: readonly unknown[]): Sql & Returns<S> =>
    Object.assign(sql(strings, ...values), { shape });
}

export function prepared<S extends Shape>(
  name: string,
  statement: Sql & Returns<S>,
): Prepared & Returns<S>;
export function prepared(name: string, statement: Sql): Prepared;
export function prepared(name: string, { text, values, shape }: Sql & Partial<Returns<Shape>>) {
  return shape === undefined ? { name, text, values } : { name, text, values, shape };
}

export const DATABASE_CALL = {
  kind: SpanKind.CLIENT,
  attributes: { "db.system.name": "postgresql" },
} as const;

const VERB = /^\s*(\w{1,16})\b/;
/** Not a function, as in `from unnest(`. */
const TABLE = /\b(?:from|into|update|join)\s+([a-z_.]{1,64})\b(?!\()/;

/** Its name, or its verb and first table: never its text (Decision 0131). */
function spanNameOf(statement: Statement): string {
  if ("name" in statement) return statement.name;
  const { text } = statement;
  return [VERB, TABLE].flatMap((part) => part.exec(text)?.[1] ?? []).join(" ");
}

export function queryable(
  send: (statement: Statement) => Promise<QueryResult<QueryResultRow>>,
  check?: RowCheck,
): Queryable {
  async function rows(statement: Statement) {
    const result = await sendTraced(statement);
    if (check !== undefined && "shape" in statement)
      check(statement as Statement & Returns<Shape>, result);
    return result.rows;
  }
  async function maybeOne(statement: Statement) {
    const found = await rows(statement);
    if (found.length > 1) throw new Error("a statement meant for one row found several");
    return found[0];
  }
  async function one(statement: Statement) {
    const row = await maybeOne(statement);
    if (row === undefined) throw new Error("a statement meant for one row found none");
    return row;
  }
  async function run(statement: Statement) {
    return (await sendTraced(statement)).rowCount ?? 0;
  }
  function sendTraced(statement: Statement) {
    if (currentSpan() === undefined) return send(statement);
    return inSpan(spanNameOf(statement), DATABASE_CALL, () => send(statement));
  }
  return { rows, maybeOne, one, run } as Queryable;
}
