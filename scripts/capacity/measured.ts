/**
 * The newest results of the bench that docs/capacity.md is made of: the budget (`npm run bench --
 * --budget`) and the cost against size (`-- --only size`).
 */

import { readdirSync, readFileSync } from "node:fs";
import type { Cost } from "../../bench/budget/cost.ts";
import type { SizeResults } from "../../bench/size/size-results.ts";

const RESULTS = new URL("../../bench/results/", import.meta.url);

export interface Measured {
  readonly budget: {
    readonly at: string;
    readonly about: SizeResults["machine"];
    readonly costs: readonly Cost[];
  };
  readonly size: SizeResults & { readonly at: string };
}

export function readMeasured(): Measured {
  return {
    budget: newest<Omit<Measured["budget"], "at">>("budget/"),
    size: newest<Omit<Measured["size"], "at">>("size/"),
  };
}

/** Their names are the times at which they were written. */
function newest<Results extends object>(folder: string): Results & { at: string } {
  const files = readdirSync(new URL(folder, RESULTS)).filter((name) => name.endsWith(".json"));
  const file = files.toSorted().at(-1);
  if (file === undefined) throw new Error(`bench/results/${folder} has no results yet.`);
  const results: Results = JSON.parse(readFileSync(new URL(folder + file, RESULTS), "utf8"));
  return { ...results, at: file.slice(0, "2026-11-19".length) };
}
