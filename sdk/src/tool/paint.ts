/** Colours of a terminal, and columns. What is painted is printed through `textForTerminal`. */

import process from "node:process";
import { NO_PAINT } from "../verify/explanation-text.ts";
import { MARK } from "./for-terminal.ts";

type Painter = (words: string) => string;

export interface Paint {
  readonly good: Painter;
  readonly bad: Painter;
  readonly soft: Painter;
  readonly strong: Painter;
  readonly mark: Painter;
}

const code =
  (number: string): Painter =>
  (words) =>
    `${MARK}${number}m${words}${MARK}0m`;

const COLOURS: Paint = {
  good: code("32"),
  bad: code("31"),
  soft: code("2"),
  strong: code("1"),
  mark: code("1;7"),
};
const NONE: Paint = { ...NO_PAINT, strong: (words) => words };

/** Colours for a terminal only, and never where NO_COLOR is set (no-color.org). */
export function paintFor(stream: { readonly isTTY?: boolean }): Paint {
  const isUnwanted = (process.env.NO_COLOR ?? "") !== "" || process.env.TERM === "dumb";
  return stream.isTTY === true && !isUnwanted ? COLOURS : NONE;
}

/** Rows as aligned columns; the last one is as long as it is. */
export function columnsOf(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (most, row) => row.map((cell, at) => Math.max(most[at] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
