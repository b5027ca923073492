/**
 * Reports as text: facts, tables and JSON.
 *
 * The rule that matters: names, order ids and messages were typed by strangers, and a terminal
 * obeys what it is shown. Whatever is not plain text is written as its code.
 */

const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

type Cell = string | number | bigint | boolean | Date | null | undefined;

export function plain(value: Cell): string {
  if (value === null || value === undefined || value === "") return "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value instanceof Date) return value.toISOString().replace(/T(.{8}).*/, " $1Z");
  return String(value).replace(UNSEEN, code);
}

/** One a line: what it is, and its value. */
export function renderFacts(facts: readonly (readonly [string, Cell])[]): string {
  return align(facts.map(([name, value]) => [name, plain(value)]));
}

/** A heading, and under it the rows or the word that there are none. */
export function renderTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const body = rows.length === 0 ? "none" : align([head, ...rows.map((row) => row.map(plain))]);
  return `${title}\n${body.replace(/^/gm, "  ")}`;
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

function align(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function code(found: string): string {
  return `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}
