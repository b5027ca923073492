/**
 * Reads CSV as RFC 4180 has it: cells in quotes where they need them, a quote inside doubled. Lines
 * may end with CRLF or LF, a byte order mark is skipped, and empty lines are left out.
 */

export interface CsvLine {
  /** In the file, from 1; of a cell with line breaks, where it begins. */
  readonly number: number;
  readonly cells: readonly string[];
}

/** Two alternatives for a cell, and what ends it: a comma, a line's end or the end of the text. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** Undefined: a quote is open, or stands inside a plain cell. */
export function readCsv(text: string): readonly CsvLine[] | undefined {
  const input = text.replace(/^\uFEFF/, "");
  const lines: CsvLine[] = [];
  const pattern = new RegExp(CELL);
  let cells: string[] = [];
  let [number, begin] = [1, 1];
  while (pattern.lastIndex < input.length || cells.length > 0) {
    const found = pattern.exec(input);
    if (found === null) return undefined;
    const [whole, quoted, plain = "", end] = found;
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    number += whole.split("\n").length - 1;
    if (end === ",") continue;
    if (cells.length > 1 || cells[0] !== "") lines.push({ number: begin, cells });
    [cells, begin] = [[], number];
  }
  return lines;
}
