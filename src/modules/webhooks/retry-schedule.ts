/**
 * When a failed delivery is retried, and when it is given up (Interface §6, Decision 0034): ten
 * attempts over three days, with jitter in every wait, so that what failed together is not retried
 * together.
 */

import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS, SECOND_MS } from "../../kit/clock.ts";

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
const JITTER = 0.2;
const RETRY_AFTER_SECONDS_MAX = DAY_SECONDS;

/** Statuses whose `Retry-After` counts. */
const RETRY_AFTER_STATUSES: ReadonlySet<number | undefined> = new Set([429, 503]);

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
 * longer, up to a day, never shorter: a failing receiver must not use up its attempts in a minute.
 */
export function retryAfterSeconds(failure: Failure, random = Math.random): number | undefined {
  const wait = WAITS_SECONDS[failure.attemptsMade];
  if (wait === undefined) return undefined;
  const spread = wait * (1 + JITTER * (2 * random() - 1));
  return Math.max(spread, requestedSeconds(failure));
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** By `Retry-After`, in seconds or as a date; 0 for anything else. */
function requestedSeconds({ status, retryAfter = "", at }: Failure): number {
  if (!RETRY_AFTER_STATUSES.has(status)) return 0;
  const text = retryAfter.trim();
  const until = HTTP_DATE.test(text) ? (Date.parse(text) - at.getTime()) / SECOND_MS : Number.NaN;
  const seconds = /^\d+$/.test(text) ? Number(text) : until;
  return Number.isNaN(seconds) ? 0 : Math.min(seconds, RETRY_AFTER_SECONDS_MAX);
}
