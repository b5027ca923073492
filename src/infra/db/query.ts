/**
 * Statements and the four ways to run one. SQL is written as SQL (Decision 0001); `sql` turns every
 * interpolated value into a parameter.
 */

import type { QueryResult, QueryResultRow } from "pg";
import type { Sql } from "sql-template-tag";

export { default as sql, type Sql } from "sql-template-tag";

/** A statement whose plan each connection soon keeps, under this name: for the hot paths. */
export interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

export type Statement = Sql | Prepared;

export interface Queryable {
  rows<Row extends QueryResultRow>(statement: Statement): Promise<Row[]>;
  maybeOne<Row extends QueryResultRow>(statement: Statement): Promise<Row | undefined>;
  one<Row extends QueryResultRow>(statement: Statement): Promise<Row>;
  /** Runs a statement for its effect and tells how many rows it touched. */
  run(statement: Statement): Promise<number>;
}

/** Of an outer join: a row that was not found is all null. */
export type OrNull<Row> = { readonly [Column in keyof Row]: Row[Column] | null };

export function prepared(name: string, statement: Sql): Prepared {
  return { name, text: statement.text, values: statement.values };
}

export function queryable(
  send: (statement: Statement) => Promise<QueryResult<QueryResultRow>>,
): Queryable {
  async function rows<Row extends QueryResultRow>(statement: Statement): Promise<Row[]> {
    return (await send(statement)).rows as Row[];
  }
  async function maybeOne<Row extends QueryResultRow>(statement: Statement) {
    const found = await rows<Row>(statement);
    if (found.length > 1) throw new Error("a statement meant for one row found several");
    return found[0];
  }
  return {
    rows,
    maybeOne,
    async one<Row extends QueryResultRow>(statement: Statement): Promise<Row> {
      const row = await maybeOne<Row>(statement);
      if (row === undefined) throw new Error("a statement meant for one row found none");
      return row;
    },
    async run(statement) {
      return (await send(statement)).rowCount ?? 0;
    },
  };
}
