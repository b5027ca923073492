/**
 * What is looked at in the database for a gauge: how long the oldest of something has waited. A
 * process that works in the background looks every few seconds, so that a scrape costs no
 * statement, and a database that hangs keeps no scrape waiting.
 */

import { Gauge } from "prom-client";
import { SECOND_MS } from "../../kit/clock.ts";
import type { Infra } from "../context.ts";
import { createLoop, type Loop } from "./loop.ts";

const LOOK_EVERY_MS = 15 * SECOND_MS;

const watchedAt = new Gauge({
  name: "windward_watched_at_seconds",
  help: "When what waits was last looked at, by what it is. Only workers do.",
  labelNames: ["what"],
  aggregator: "max",
});

export interface Watch<Ctx> {
  readonly what: string;
  /** Of few rows, or by an index: in a time that does not grow with what is over and done. */
  look(ctx: Ctx): Promise<void>;
}

export function defineWatch<Ctx>(watch: Watch<Ctx>): Watch<Ctx> {
  return watch;
}

export function createWatchLoop<Ctx extends Infra>(ctx: Ctx, all: readonly Watch<Ctx>[]): Loop {
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
