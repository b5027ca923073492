/** The tables as the code knows them: `src/infra/db/tables.ts`, from what the catalogs said. */

import type { Column, Table } from "./read-tables.ts";

const HEADER = `\
/**
 * The columns of every table, as the driver gives them.
 * Generated from the schema (npm run generate); a test compares it with the migrations.
 */

import {
  bigint,
  bool,
  bytes,
  int,
  json,
  nullable,
  text,
  texts,
  timestamp,
  uuid,
  word,
} from "./row.ts";
`;

/** By the catalog's names, without what stands in brackets. */
const KINDS: Readonly<Record<string, string>> = {
  text: "text",
  inet: "text",
  uuid: "uuid",
  integer: "int",
  smallint: "int",
  bigint: "bigint",
  boolean: "bool",
  bytea: "bytes",
  jsonb: "json<unknown>()",
  "text[]": "texts",
  "cidr[]": "texts",
  "timestamp with time zone": "timestamp",
};

/** What the driver makes of these is misleading: a statement that needs one casts it. */
const LEFT_OUT = new Set(["date", "interval", "bigint[]", "integer[]"]);

const ONE_OF = /^CHECK \((\w+) = ANY \(ARRAY\[(.*)\]\)\)$/;

export function renderTables(tables: readonly Table[]): string {
  return `${HEADER}\nexport const tables = {\n${tables.map(renderTable).join("")}};\n`;
}

function renderTable({ name, columns, constraints }: Table): string {
  const words = new Map(
    constraints.flatMap(({ definition }) => {
      const [, column = "", list] = ONE_OF.exec(definition) ?? [];
      return list === undefined ? [] : [[column, list.replaceAll("::text", "")] as const];
    }),
  );
  const lines = columns
    .filter(({ type }) => !LEFT_OUT.has(type))
    .flatMap((column) => renderColumn(column, words.get(column.name)));
  return `  ${name}: {\n${lines.map((line) => `    ${line}\n`).join("")}  },\n`;
}

function renderColumn({ name, type, notNull, comment }: Column, words: string | undefined) {
  const kind = KINDS[type.replace(/\(\d+\)/, "")];
  if (kind === undefined) throw new Error(`no kind for ${type}: teach render-tables.ts`);
  const one = words === undefined ? kind : `word(${words.replaceAll("'", '"')})`;
  const line = `${name}: ${notNull ? one : `nullable(${one})`},`;
  return comment === null ? [line] : [`/** ${comment.replaceAll(/\s+/g, " ")} */`, line];
}
