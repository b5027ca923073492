/**
 * What is looked at in the database for gauges: how long the oldest of something has waited, how
 * many there are, whether it is so. A process that works in the background looks every few seconds,
 * so that a scrape costs no statement, and a database that hangs keeps no scrape waiting.
 */

import { Gauge } from "prom-client";
import { SECOND_MS } from "../../kit/clock.ts";
import type { Infra } from "../context.ts";
import type { Queryable } from "../db/query.ts";
import { createLoop, type Loop } from "./loop.ts";

const LOOK_EVERY_MS = 15 * SECOND_MS;

const watchedAt = new Gauge({
  name: "windward_watched_at_seconds",
  help: "When what waits was last looked at, by what it is. Only workers do.",
  labelNames: ["what"],
  aggregator: "max",
});

export interface Watch {
  readonly what: string;
  look(ctx: Pick<Infra, "db">): Promise<void>;
}

interface Watched<Column extends string, Label extends string> {
  readonly what: string;
  /** By the column that each shows; what is true is 1. */
  readonly gauges: Readonly<Record<Column, { readonly name: string; readonly help: string }>>;
  readonly labels?: readonly Label[];
  /**
   * One row, or one for each combination of labels. Of few rows, or by an index: in a time that
   * does not grow with what is over and done.
   */
  read(db: Queryable): Promise<readonly WatchedRow<NoInfer<Column>, NoInfer<Label>>[]>;
}

type WatchedRow<Column extends string, Label extends string> = Readonly<
  Record<Column, number | boolean> & Record<Label, string>
>;

export function defineWatch<Column extends string, Label extends string = never>(
  watched: Watched<Column, Label>,
): Watch {
  const { what, gauges, labels = [], read } = watched;
  const columns = (Object.keys(gauges) as Column[]).map((column) => ({
    column,
    gauge: new Gauge({ ...gauges[column], labelNames: labels, aggregator: "max" }),
  }));
  return {
    what,
    async look({ db }) {
      const rows = await read(db);
      for (const { column, gauge } of columns) {
        gauge.reset();
        for (const row of rows)
          gauge.labels(...labels.map((label) => row[label])).set(Number(row[column]));
      }
    },
  };
}

export function createWatchLoop(ctx: Infra, all: readonly Watch[]): Loop {
  // So that one which fails from the start has an age, too.
  for (const { what } of all) watchedAt.set({ what }, 0);
  return createLoop(async (stopping) => {
    for (const { what, look } of all) {
      if (stopping.aborted) break;
      try {
        await look(ctx);
        watchedAt.setToCurrentTime({ what });
      } catch (err) {
        ctx.log.warn({ err, what }, "what waits could not be looked at");
      }
    }
    return LOOK_EVERY_MS;
  });
}
