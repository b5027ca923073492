/** Figures as a table to read and a file to compare with later ones. */

import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const RESULTS = fileURLToPath(new URL("../results/", import.meta.url));
/** Not kept by git: figures of a moment, which would pass for those of a whole run. */
const PARTIAL = `${RESULTS}partial/`;

/** One promise of speed, beside what was measured. */
export interface Goal {
  /** Its number among the goals of speed; none for what was promised elsewhere. */
  readonly number?: `P${number}`;
  readonly what: string;
  readonly measured: number;
  /** Where contenders took turns: what each round showed. Their median is what was measured. */
  readonly rounds?: readonly number[] | undefined;
  readonly unit: string;
  readonly goal: { readonly atLeast: number } | { readonly below: number };
}

/** A goal in the middle of what the rounds showed is neither met nor missed. */
type Verdict = "pass" | "SHORT" | "unsure";

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** The median of each figure over the rounds. */
export function medians<Figure extends string>(
  rounds: readonly Readonly<Record<Figure, number>>[],
): Record<Figure, number> {
  const names = Object.keys(rounds[0] ?? {}) as Figure[];
  const all = names.map((name) => [name, median(rounds.map((figures) => figures[name]))]);
  return Object.fromEntries(all);
}

/** One figure of each round, whose median is kept beside it. */
export function eachOf<Figure extends string>(
  rounds: readonly Readonly<Record<Figure, number>>[],
  figure: Figure,
): number[] {
  return rounds.map((figures) => figures[figure]);
}

/** The least figure that so large a part of them does not exceed. */
export function quantile(figures: readonly number[], part: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN;
}

export function verdictOf({ measured, rounds = [measured], goal }: Goal): Verdict {
  const meets = (figure: number) =>
    "atLeast" in goal ? figure >= goal.atLeast : figure < goal.below;
  if (rounds.every(meets)) return "pass";
  return rounds.some(meets) ? "unsure" : "SHORT";
}

export function goalRow(one: Goal): string[] {
  const { goal, unit, rounds = [] } = one;
  const wanted = "atLeast" in goal ? `≥ ${goal.atLeast}` : `< ${goal.below}`;
  const spread =
    rounds.length > 1 ? ` (${round(Math.min(...rounds))} to ${round(Math.max(...rounds))})` : "";
  return [
    one.number ?? "",
    one.what,
    `${round(one.measured)}${spread} ${unit}`,
    `${wanted} ${unit}`,
    verdictOf(one),
  ];
}

/** Columns as wide as their widest cell: the first two to the left, the others to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows];
  const widths = head.map((_, column) =>
    Math.max(...lines.map((cells) => [...(cells[column] ?? "")].length)),
  );
  const text = lines.map((cells) =>
    cells
      .map((cell, column) => {
        const gap = " ".repeat((widths[column] ?? 0) - [...cell].length);
        return column < 2 ? cell + gap : gap + cell;
      })
      .join("  "),
  );
  return text.map((line) => `  ${line}`.trimEnd()).join("\n");
}

/** Three digits are all that such figures carry. */
export function round(figure: number): string {
  if (Math.abs(figure) >= 100) return String(Math.round(figure));
  return String(Number(figure.toPrecision(3)));
}

/** Gives the file; a folder in that of whole runs, for what is measured apart from them. */
export function writeResults(
  results: object,
  { isWhole = true, folder = "" }: { isWhole?: boolean; folder?: string },
): string {
  const stamp = new Date().toISOString().slice(0, 16).replace(/[T:]/g, "-");
  const place = `${isWhole ? RESULTS : PARTIAL}${folder}`;
  const file = `${place}${stamp}.json`;
  mkdirSync(place, { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, neverInWords, 2)}\n`);
  return file;
}

/** JSON would write what never came to its end as nothing at all. */
function neverInWords(_name: string, value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? "never" : value;
}
