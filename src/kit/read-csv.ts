/**
 * Reads CSV as RFC 4180 has it: cells in quotes where they need them, a quote inside doubled. Lines
 * may end with CRLF or LF, a byte order mark is skipped, and empty lines are left out.
 */

export interface CsvLine {
  /** In the file, from 1; of a cell with line breaks, where it begins. */
  readonly number: number;
  readonly cells: readonly string[];
}

interface Cell {
  readonly text: string;
  /** Behind it. */
  readonly end: number;
}

/** What ends a cell: a comma, a line's end or the end of the text. */
const END = /,|\r?\n|$/y;
const PLAIN = /[^",\r\n]*/y;

/** Undefined: a quote is open, or stands inside a plain cell. */
export function readCsv(text: string): readonly CsvLine[] | undefined {
  const input = text.replace(/^\uFEFF/, "");
  const lines: CsvLine[] = [];
  let cells: string[] = [];
  let [number, begin] = [1, 1];
  for (let at = 0; at < input.length || cells.length > 0; ) {
    const cell = input[at] === '"' ? quotedCell(input, at + 1) : plainCell(input, at);
    END.lastIndex = cell?.end ?? 0;
    const [end] = (cell && END.exec(input)) ?? [];
    if (cell === undefined || end === undefined) return undefined;
    cells.push(cell.text);
    at = cell.end + end.length;
    number += cell.text.split("\n").length - 1;
    if (end === ",") continue;
    if (cells.length > 1 || cells[0] !== "") lines.push({ number: begin, cells });
    number += end === "" ? 0 : 1;
    [cells, begin] = [[], number];
  }
  return lines;
}

function plainCell(input: string, start: number): Cell {
  PLAIN.lastIndex = start;
  const [text = ""] = PLAIN.exec(input) ?? [];
  return { text, end: start + text.length };
}

/** Not by a pattern: one that repeats a choice runs out of stack in a long cell. */
function quotedCell(input: string, start: number): Cell | undefined {
  for (let at = input.indexOf('"', start); at !== -1; at = input.indexOf('"', at + 2)) {
    if (input[at + 1] === '"') continue;
    return { text: input.slice(start, at).replaceAll('""', '"'), end: at + 1 };
  }
  return undefined;
}
