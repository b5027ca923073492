/**
 * The circuit breaker before the standby (Decision 0125). After trouble nothing is asked of it for
 * a while; then a probe that no caller waits for finds out whether it is well.
 */

import { SECOND_MS } from "../../kit/clock.ts";
import type { Log } from "../log.ts";
import type { Miss, StandbyMissed } from "./standby-position.ts";

/** For how long nothing is asked. What is about one statement, or the primary, opens nothing. */
const OPEN_MS: Readonly<Record<Miss, number>> = {
  behind: SECOND_MS / 4,
  unreachable: 5 * SECOND_MS,
  unrelated: SECOND_MS,
  failed: 5 * SECOND_MS,
  slow: 5 * SECOND_MS,
  busy: 5 * SECOND_MS,
  conflict: 0,
  refused: 0,
  primary: 0,
};
/** One long search or a burst of readers says nothing of the next read. */
const IN_A_ROW_MAX = 20;
const MAY_BE_ONE_READ: ReadonlySet<Miss> = new Set(["slow", "busy"]);

export interface Breaker {
  /** Whether the standby is to be asked. Starts the probe once the time is over. */
  admit(): boolean;
  noteServed(): void;
  noteMiss(missed: StandbyMissed): void;
}

/** The probe fails with a `StandbyMissed`. */
export function createBreaker(probe: () => Promise<void>, log: Log): Breaker {
  let openUntil: number | undefined;
  let isProbing = false;
  let inARow = 0;
  let lastLogged: Miss | undefined;

  function noteMiss(err: StandbyMissed): void {
    const { miss } = err;
    if (MAY_BE_ONE_READ.has(miss) && ++inARow < IN_A_ROW_MAX) return;
    if (OPEN_MS[miss] === 0) return;
    openUntil = performance.now() + OPEN_MS[miss];
    // A standby that is behind now and then is as it should be; the metric counts it.
    if (miss === lastLogged || miss === "behind") return;
    lastLogged = miss;
    log.warn({ err }, "nothing is read from the standby until it is fine again");
  }

  async function tryAgain(): Promise<void> {
    isProbing = true;
    try {
      await probe();
      openUntil = undefined;
      inARow = 0;
      if (lastLogged !== undefined) log.info("the standby is read from again");
      lastLogged = undefined;
    } catch (error) {
      noteMiss(error as StandbyMissed);
    } finally {
      isProbing = false;
    }
  }

  return {
    admit() {
      if (openUntil === undefined) return true;
      if (performance.now() >= openUntil && !isProbing) void tryAgain();
      return false;
    },
    noteServed() {
      inARow = 0;
    },
    noteMiss,
  };
}
