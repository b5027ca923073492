/**
 * When a delivery that failed is tried again, and when it is given up (Interface §6, Decision
 * 0034): ten attempts over three days, with chance in every wait, so that what failed together does
 * not come back together.
 */

import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from "../../kit/clock.ts";

/** The wait before each attempt, from the one before it. */
export const WAITS_SECONDS: readonly number[] = [
  0,
  5,
  5 * MINUTE_SECONDS,
  30 * MINUTE_SECONDS,
  2 * HOUR_SECONDS,
  5 * HOUR_SECONDS,
  10 * HOUR_SECONDS,
  14 * HOUR_SECONDS,
  20 * HOUR_SECONDS,
  24 * HOUR_SECONDS,
];
const CHANCE = 0.2;
const RETRY_AFTER_SECONDS_MAX = DAY_SECONDS;

/** Statuses that may say when to come back. */
const MAY_TELL_WHEN = new Set([429, 503]);

export interface Failure {
  /** Attempts of this round, this one included. */
  readonly attemptsMade: number;
  readonly status?: number;
  /** As it was sent. */
  readonly retryAfter?: string;
  readonly at: Date;
}

/**
 * Seconds until the next attempt; undefined when there is none. `Retry-After` makes the wait
 * longer, up to a day, never shorter: a receiver in trouble may not use up its attempts in a
 * minute.
 */
export function retryAfterSeconds(failure: Failure, chance: () => number): number | undefined {
  const wait = WAITS_SECONDS[failure.attemptsMade];
  if (wait === undefined) return undefined;
  const spread = wait * (1 + CHANCE * (2 * chance() - 1));
  return Math.max(spread, toldSeconds(failure) ?? 0);
}

/** Seconds or a date, as HTTP has it; anything else was not said. */
function toldSeconds({ status, retryAfter, at }: Failure): number | undefined {
  if (status === undefined || !MAY_TELL_WHEN.has(status) || retryAfter === undefined)
    return undefined;
  const text = retryAfter.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : secondsUntil(text, at);
  return seconds === undefined ? undefined : Math.min(seconds, RETRY_AFTER_SECONDS_MAX);
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

function secondsUntil(text: string, at: Date): number | undefined {
  const time = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : Math.max(0, (time - at.getTime()) / 1_000);
}
