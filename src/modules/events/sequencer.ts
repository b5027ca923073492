/**
 * The sequencer: numbers events as they come, in every process that does work in the background
 * (Decision 0032). Any of them may die at any moment; the others go on.
 *
 * It looks, instead of being called: a NOTIFY would make the commits of all writers queue up behind
 * one lock. While there is work it looks often, otherwise less and less.
 */

import type { Infra } from "../../infra/context.ts";
import { createLoop, type Loop } from "../../infra/jobs/loop.ts";
import type { AfterNumbering } from "./event.ts";
import { EVENTS_AT_ONCE_MAX, isAnyWaiting, numberEvents } from "./number-events.ts";

const PAUSE_MS = { busy: 3, idle: 250, trouble: 1_000 };

export function createSequencer(
  { db, log }: Pick<Infra, "db" | "log">,
  { afterNumbering }: { afterNumbering: AfterNumbering },
): Loop {
  let pauseMs = PAUSE_MS.busy;

  /** Tells how long to wait before the next look. */
  async function look(lastPauseMs: number): Promise<number> {
    try {
      const count = (await isAnyWaiting(db)) ? await numberEvents(db, afterNumbering) : 0;
      if (count === EVENTS_AT_ONCE_MAX) return 0;
      if (count > 0) return PAUSE_MS.busy;
      return Math.min(PAUSE_MS.idle, Math.max(PAUSE_MS.busy, 2 * lastPauseMs));
    } catch (err) {
      log.error({ err }, "events could not be numbered; they wait");
      return PAUSE_MS.trouble;
    }
  }

  return createLoop(async () => {
    pauseMs = await look(pauseMs);
    return pauseMs;
  });
}
