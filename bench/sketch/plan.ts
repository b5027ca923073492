/**
 * From the rows that a few payments wrote, statements that write the same rows for many at once.
 *
 * What was inserted is inserted, in the last state it was seen in, also if it was removed later. A
 * row of the payment's own that a later step changed is updated. A row that all payments change,
 * such as a balance, is written once for all that are together. Columns in an index get values of
 * their own; all others are written as they were seen.
 */

import { type Mark, markOf } from "./marks.ts";
import type { Column } from "./read-columns.ts";
import type { SeenRow, Values } from "./watch-rows.ts";

const ALIKE_MIN = 2;

export interface Plan {
  readonly marks: readonly Mark[];
  readonly steps: readonly {
    readonly text: string;
    /** Which marks are its parameters, as an array each. */
    readonly marks: readonly number[];
  }[];
}

type Columns = ReadonlyMap<string, readonly Column[]>;

interface WrittenRow {
  readonly table: string;
  readonly isNew: boolean;
  values: Values;
  readonly changed: Set<string>;
}

/** Of each payment the rows of each of its steps. */
export function planOf(payments: readonly (readonly SeenRow[][])[], columns: Columns): Plan {
  const written = payments.map((steps) => steps.map((seen) => rowsOf(seen, columns)));
  const byShape = [...Map.groupBy(written, shapeOf).values()];
  const alike = byShape.toSorted((a, b) => b.length - a.length)[0] ?? [];
  if (alike.length < ALIKE_MIN)
    throw new Error(`no two payments wrote the same rows:\n${written.map(shapeOf).join("\n\n")}`);
  const marks = new Map<string, { readonly at: number; readonly mark: Mark }>();
  const markAt = (type: string, values: readonly unknown[]): number => {
    const name = JSON.stringify([type, values]);
    const known = marks.get(name) ?? { at: marks.size, mark: markOf(type, values) };
    marks.set(name, known);
    return known.at;
  };
  const steps = (alike[0] ?? []).map((rows, step) =>
    stepOf(
      rows.map((_, at) => alike.map((one) => one[step]?.[at] as WrittenRow)),
      columns,
      markAt,
    ),
  );
  return { marks: [...marks.values()].map(({ mark }) => mark), steps };
}

/** Sorted by table, and within each as they came. */
function rowsOf(seen: readonly SeenRow[], columns: Columns): WrittenRow[] {
  const rows = new Map<string, WrittenRow>();
  for (const [at, { table, what, before, after }] of seen.entries()) {
    const key = columns.get(table)?.filter((one) => one.isInKey) ?? [];
    const values = after ?? {};
    const name = key.length === 0 ? at : key.map((one) => values[one.name]);
    const id = JSON.stringify([table, name]);
    const known = rows.get(id);
    if (what === "INSERT") rows.set(id, { table, isNew: true, values, changed: new Set() });
    if (what !== "UPDATE" || key.length === 0) continue;
    const row = known ?? { table, isNew: false, values, changed: new Set() };
    row.values = values;
    for (const { name: column } of columns.get(table) ?? [])
      if (JSON.stringify(before?.[column]) !== JSON.stringify(values[column]))
        row.changed.add(column);
    rows.set(id, row);
  }
  return [...rows.values()]
    .filter(({ isNew, changed }) => isNew || changed.size > 0)
    .toSorted((a, b) => (a.table < b.table ? -1 : a.table > b.table ? 1 : 0));
}

function shapeOf(steps: readonly WrittenRow[][]): string {
  return steps
    .map((rows) =>
      rows
        .map(({ table, isNew, changed }) => (isNew ? `+ ${table}` : `${table} ${[...changed]}`))
        .join("\n"),
    )
    .join("\n--\n");
}

type MarkAt = (type: string, values: readonly unknown[]) => number;

/** `rows`: each as it was written by each of the payments. */
function stepOf(rows: readonly WrittenRow[][], columns: Columns, markAt: MarkAt) {
  const used = new Map<number, string>();
  const cellOf = (row: readonly WrittenRow[], { name, type, isIndexed }: Column): string => {
    const values = row.map((one) => one.values[name] ?? null);
    const isSame = new Set(values.map((value) => JSON.stringify(value))).size === 1;
    if (isSame || !isIndexed || values.includes(null)) return literal(values.at(-1), type);
    const at = markAt(type, values);
    used.set(at, type);
    return `each.m${at}`;
  };
  const parts = rows.map((row) => writing(row, columns, cellOf));
  const marks = [...used.keys()];
  const arrays = marks.map((at, place) => `$${place + 1}::${used.get(at)}[]`).join(", ");
  const each = `select * from unnest(${arrays}) as one (${marks.map((at) => `m${at}`).join(", ")})`;
  const all = parts.map((part, place) => `w${place} as (${part})`);
  return { text: `with each as materialized (${each}),\n${all.join(",\n")}\nselect`, marks };
}

function writing(
  row: readonly WrittenRow[],
  columns: Columns,
  cellOf: (row: readonly WrittenRow[], column: Column) => string,
): string {
  const last = row.at(-1) as WrittenRow;
  const all = columns.get(last.table) ?? [];
  if (last.isNew)
    return (
      `insert into ${last.table} (${all.map(({ name }) => `"${name}"`).join(", ")}) ` +
      `overriding system value select ${all.map((one) => cellOf(row, one)).join(", ")} from each`
    );
  const key = all.filter(({ isInKey }) => isInKey).map((one) => [one, cellOf(row, one)] as const);
  const isOwn = key.some(([, value]) => value.startsWith("each."));
  const changed = all.filter(({ name }) => last.changed.has(name));
  // All payments write it: as it was seen last.
  const values = isOwn ? row : [last];
  const set = changed.map((one) => `"${one.name}" = ${cellOf(values, one)}`).join(", ");
  const where = key.map(([{ name }, value]) => `there."${name}" = ${value}`).join(" and ");
  return `update ${last.table} as there set ${set} ${isOwn ? "from each " : ""}where ${where}`;
}

function literal(value: unknown, type: string): string {
  if (value === null || value === undefined) return `null::${type}`;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const quoted = `'${text.replaceAll("'", "''")}'`;
  if (type.endsWith("[]")) return `array(select jsonb_array_elements_text(${quoted}))::${type}`;
  return `${quoted}::${type}`;
}
