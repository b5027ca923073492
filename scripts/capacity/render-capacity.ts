/** docs/capacity.md with each of its tables as it must be: measured ones and the one of keys. */

import type { KeyFacts } from "../distribution/key-facts.ts";
import type { Places } from "../distribution/place.ts";
import { distributionTable } from "../distribution/render-distribution.ts";
import type { Measured } from "./measured.ts";
import { renderCores, renderCosts } from "./render-costs.ts";
import { renderSize, renderYears } from "./render-size.ts";
import { replacePart } from "./tables-of-markdown.ts";

const NONE = "Not measured yet.";

export function renderMeasured(page: string, { budget, size }: Measured): string {
  const parts = {
    costs: budget === undefined ? NONE : renderCosts(budget),
    cores: budget === undefined ? NONE : renderCores(budget.costs),
    size: size === undefined ? NONE : renderSize(size),
    years: size === undefined ? NONE : renderYears(size.sizes),
  };
  return Object.entries(parts).reduce((text, [name, part]) => replacePart(text, name, part), page);
}

export function renderDistribution(page: string, facts: readonly KeyFacts[], places: Places) {
  return replacePart(page, "tables", distributionTable(facts, places));
}
