/**
 * Reports as text and JSON.
 *
 * Names, order ids and messages come from outside, and a terminal obeys control characters: all
 * that is not plain text is written as its code.
 */

import type { AmountCell } from "./amount-cell.ts";

const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

type Cell = string | number | bigint | boolean | Date | null | undefined;

/** Headings, each with the member of the record that stands under it, or what is made of it. */
type Columns<R> = Readonly<Record<string, CellName<R> | ((record: R) => Cell | AmountCell)>>;

type CellName<R> = { [Name in keyof R]-?: R[Name] extends Cell ? Name : never }[keyof R];

export function plain(value: Cell): string {
  if (value === null || value === undefined || value === "") return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value instanceof Date) return value.toISOString().replace(/T(.{8}).*/, " $1Z");
  return String(value).replace(UNSEEN, code);
}

/** What stands in a list or a table of a report. */
export type BlockCell = string | AmountCell;

/** A part of what a command shows: a terminal has it as text, a page as a list or a table. */
export type Block =
  /** One a line: heading and value. */
  | { readonly kind: "facts"; readonly rows: readonly (readonly [string, BlockCell])[] }
  | {
      readonly kind: "table";
      readonly title: string;
      readonly headings: readonly string[];
      readonly rows: readonly (readonly BlockCell[])[];
      /** How to see what is not shown, where there is more. */
      readonly more?: string | undefined;
      /** What a page asks for next, where the list goes on. */
      readonly next?: Readonly<Record<string, string>> | undefined;
    }
  /** Quoted: with words of somebody else, which are shown as they are. */
  | { readonly kind: "words"; readonly text: string; readonly isQuoted?: true };

export function factsBlock<R>(record: R, facts: Columns<NoInfer<R>>): Block {
  const values = cellsOf(record, facts);
  return { kind: "facts", rows: Object.keys(facts).map((name, at) => [name, values[at] ?? ""]) };
}

export function tableBlock<R>(
  title: string,
  rows: readonly R[],
  columns: Columns<NoInfer<R>>,
): Block {
  const cells = rows.map((row) => cellsOf(row, columns));
  return { kind: "table", title, headings: Object.keys(columns), rows: cells };
}

export function words(text: string): Block {
  return { kind: "words", text };
}

export function quotedWords(text: string): Block {
  return { kind: "words", text, isQuoted: true };
}

/** The same for both: words stand right below what they are about. */
type Data = Readonly<Record<string, unknown>>;

interface BlockReport {
  readonly data: Data;
  readonly text: string;
  readonly blocks: readonly Block[];
}

export function reportBlocks(data: Data, blocks: readonly Block[]): BlockReport {
  const text = blocks
    .map((block, at) => `${at === 0 ? "" : block.kind === "words" ? "\n" : "\n\n"}${textOf(block)}`)
    .join("");
  return { data, text, blocks };
}

function textOf(block: Block): string {
  if (block.kind === "words") return block.text;
  if (block.kind === "facts") return align(block.rows);
  const { title, headings, rows, more } = block;
  const body = rows.length === 0 ? "none" : align([headings, ...rows]);
  const shown = `${title}\n${body.replace(/^/gm, "  ")}`;
  return more === undefined ? shown : `${shown}\n  and more: ${more}`;
}

/** A list of at most `max` rows, of which one more was read to know whether it is complete. */
export function reportList<R>(
  list: {
    readonly title: string;
    readonly name: string;
    readonly rows: readonly R[];
    readonly max: number;
    readonly more?: string | undefined;
    readonly next?: Readonly<Record<string, string>> | undefined;
  },
  columns: Columns<NoInfer<R>>,
): ReturnType<typeof reportBlocks> {
  const { title, name, max, next } = list;
  const rows = list.rows.slice(0, max);
  const more = list.more ?? (list.rows.length > max ? `${max} are shown` : undefined);
  const block = tableBlock(title, rows, columns);
  return reportBlocks({ [name]: rows, is_complete: more === undefined }, [
    { ...block, more, next } as Block,
  ]);
}

/** A bigint is an id or a count here; JSON has no such number, so it is text. */
export function renderJson(data: unknown): string {
  const text = JSON.stringify(
    data,
    (_, value) => (typeof value === "bigint" ? String(value) : value),
    2,
  );
  // Its own line ends are outside of texts; inside, JSON has escaped the rest of ASCII already.
  return text.replace(UNSEEN, (found) => (found === "\n" ? found : code(found)));
}

function cellsOf<R>(record: R, columns: Columns<R>): BlockCell[] {
  return Object.values(columns).map((of) => {
    const cell = typeof of === "function" ? of(record) : (record[of] as Cell);
    return isAmount(cell) ? cell : plain(cell);
  });
}

function isAmount(cell: Cell | AmountCell): cell is AmountCell {
  return typeof cell === "object" && cell !== null && "money" in cell;
}

function align(shown: readonly (readonly BlockCell[])[]): string {
  const rows = shown.map((row) => row.map((cell) => (typeof cell === "string" ? cell : cell.text)));
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  const lineOf = (row: readonly string[]) =>
    row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ");
  return rows.map((row) => lineOf(row).trimEnd()).join("\n");
}

function code(found: string): string {
  return `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}
