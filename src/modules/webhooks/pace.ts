/**
 * How fast one endpoint is sent to, and how long one in trouble is left alone (Decision 0034).
 *
 * One number tells both: the time before which no attempt begins. A healthy endpoint takes a burst
 * and then so many a second. One that fails rests after each failure for a tenth of the time it has
 * been failing, a minute at most: dead for an hour it costs an attempt a minute, and it is back
 * within a minute of being well. It is kept in the endpoint's row between claims, as a wait from
 * now, so that no two clocks are compared.
 */

import { MINUTE_SECONDS, SECOND_MS } from "../../kit/clock.ts";

const ATTEMPTS_PER_SECOND = 20;
/** A healthy endpoint never has to wait longer than for its next attempt's turn. */
export const TURN_SECONDS = 1 / ATTEMPTS_PER_SECOND;
const BURST_MS = 1_000;
const REST_PART = 0.1;
const REST_SECONDS_MAX = MINUTE_SECONDS;

export interface Pace {
  /** How long until the next attempt may begin; 0 or less: now. */
  waitMs(): number;
  begin(): void;
  rest(seconds: number): void;
}

export function createPace(restSeconds: number, now: () => number = () => performance.now()): Pace {
  // The time at which all that has begun would have begun, had it been spread evenly.
  let evenAt = now() + restSeconds * SECOND_MS + BURST_MS;
  return {
    waitMs: () => evenAt - BURST_MS - now(),
    begin() {
      evenAt = Math.max(evenAt, now()) + TURN_SECONDS * SECOND_MS;
    },
    rest(seconds) {
      evenAt = Math.max(evenAt, now() + seconds * SECOND_MS + BURST_MS);
    },
  };
}

export function restAfterFailure(failingSeconds: number): number {
  return Math.min(REST_SECONDS_MAX, failingSeconds * REST_PART);
}
