/**
 * The newest results of the bench that docs/capacity.md is made of: the budget (`npm run bench --
 * --budget`) and the cost against size (`-- --only size`).
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Cost } from "../../bench/budget/cost.ts";
import type { SizeResults } from "../../bench/size/size-results.ts";

const RESULTS = new URL("../../bench/results/", import.meta.url);

/** Undefined: not measured yet. */
export interface Measured {
  readonly budget: (BudgetResults & Dated) | undefined;
  readonly size: (SizeResults & Dated) | undefined;
}

interface Dated {
  /** The day of the run. */
  readonly at: string;
}

interface BudgetResults {
  readonly about: SizeResults["machine"];
  readonly costs: readonly Cost[];
}

export function readMeasured(): Measured {
  return { budget: newest<BudgetResults>("budget/"), size: newest<SizeResults>("size/") };
}

/** Their names are the times at which they were written. */
function newest<Results extends object>(folder: string): (Results & Dated) | undefined {
  const place = new URL(folder, RESULTS);
  const files = existsSync(place) ? readdirSync(place) : [];
  const file = files
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .at(-1);
  if (file === undefined) return undefined;
  const results: Results = JSON.parse(readFileSync(new URL(file, place), "utf8"));
  return { ...results, at: file.slice(0, "2026-11-19".length) };
}
