/**
 * Compares what a statement returned with the shape it declares: the names of its columns, their
 * types, and null only where the shape allows it. `rowCheck` is what test databases are opened
 * with: it fails the test from outside, wherever the statement runs, and lets the code go on.
 */

import pg from "pg";
import type { RowCheck } from "../src/infra/db/query.ts";
import type { Column, Shape } from "../src/infra/db/row.ts";

const { builtins } = pg.types;

const OIDS: Readonly<Record<Column["kind"], readonly number[]>> = {
  text: [builtins.TEXT, builtins.VARCHAR, 19, builtins.INET],
  uuid: [builtins.UUID],
  int: [builtins.INT2, builtins.INT4],
  bigint: [builtins.INT8],
  float: [builtins.FLOAT4, builtins.FLOAT8],
  bool: [builtins.BOOL],
  timestamp: [builtins.TIMESTAMPTZ],
  bytes: [builtins.BYTEA],
  json: [builtins.JSON, builtins.JSONB],
  "text[]": [1009, 651, 2951],
};

export const rowCheck: RowCheck = (statement, result) => {
  try {
    demandShape(statement, result);
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
  }
};

export const demandShape: RowCheck = (statement, result) => {
  const mismatch = findMismatch(statement.shape, result);
  if (mismatch === undefined) return;
  const { text } = statement;
  const name = ("name" in statement && statement.name) || text.trim().replaceAll(/\s+/g, " ");
  throw new Error(`${mismatch}, in the statement: ${name}`);
};

/** What is wrong, in words; undefined: nothing is. */
function findMismatch(
  shape: Shape,
  { fields, rows }: Pick<pg.QueryResult, "fields" | "rows">,
): string | undefined {
  const returned = new Map(fields.map(({ name, dataTypeID }) => [name, dataTypeID]));
  for (const name of returned.keys())
    if (!Object.hasOwn(shape, name)) return `the column ${name} is returned but not declared`;
  for (const [name, column] of Object.entries(shape)) {
    const oid = returned.get(name);
    if (oid === undefined) return `the column ${name} is declared but not returned`;
    if (!OIDS[column.kind].includes(oid))
      return `the column ${name} is declared as ${column.kind} but has the type ${typeName(oid)}`;
    for (const row of rows) {
      const value = row[name];
      if (value === null && !column.isNullable)
        return `the column ${name} is null but not declared as nullable`;
      if (value !== null && column.words?.includes(value) === false)
        return `the column ${name} is not one of its words: ${value}`;
    }
  }
  return undefined;
}

function typeName(oid: number): string {
  const [name = String(oid)] = Object.entries(builtins).find(([, known]) => known === oid) ?? [];
  return name.toLowerCase();
}
