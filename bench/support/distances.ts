/** Ours to the goal's yardstick, the limit of the tables to it, and ours to that limit. */

import { say } from "../../testkit/tool/say.ts";
import { round } from "./report.ts";

interface Rates {
  readonly perSecond: number;
  /** The same rows and no rule. */
  readonly sketchPerSecond: number;
  /** Not a number where there is no pgbench. */
  readonly pgbenchPerSecond: number;
}

export interface Distances extends Rates {
  readonly timesPgbench: number;
  readonly sketchTimesPgbench: number;
  readonly timesSketch: number;
}

export function distances(rates: Rates): Distances {
  const { perSecond, sketchPerSecond, pgbenchPerSecond } = rates;
  return {
    ...rates,
    timesPgbench: perSecond / pgbenchPerSecond,
    sketchTimesPgbench: sketchPerSecond / pgbenchPerSecond,
    timesSketch: perSecond / sketchPerSecond,
  };
}

export function sayDistances(
  what: string,
  { timesPgbench, sketchTimesPgbench, timesSketch }: Omit<Distances, keyof Rates>,
): void {
  say(
    `${what}: ours ${round(timesPgbench)} × pgbench -N, the sketch ` +
      `${round(sketchTimesPgbench)} × pgbench -N, ours ${round(timesSketch)} × the sketch`,
  );
}
