/**
 * The rate of attempts to one endpoint, and the rest of a failing one (Decision 0034), both as one
 * time before which no attempt begins.
 *
 * A healthy endpoint gets a burst and then a fixed rate. A failing one rests after each failure for
 * a tenth of the time it has been failing, at most a minute: it costs at most an attempt a minute,
 * and recovers within a minute. Between claims the endpoint's row keeps it, as a wait from now, so
 * that no two clocks are compared.
 */

import { MINUTE_SECONDS, SECOND_MS } from "../../kit/clock.ts";

const ATTEMPTS_PER_SECOND = 20;
/** The longest wait of a healthy endpoint. */
export const TURN_SECONDS = 1 / ATTEMPTS_PER_SECOND;
const BURST_MS = 1_000;
const REST_FRACTION = 0.1;
const REST_SECONDS_MAX = MINUTE_SECONDS;

export interface Pace {
  /** How long until the next attempt may begin; 0 or less: now. */
  waitMs(): number;
  begin(): void;
  rest(seconds: number): void;
}

export function createPace(restSeconds: number, now: () => number = () => performance.now()): Pace {
  // When the attempts made so far would have ended, had they been spread evenly.
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
  return Math.min(REST_SECONDS_MAX, failingSeconds * REST_FRACTION);
}
