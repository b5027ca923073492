/**
 * How long a call to a gateway or a bank may take, the lease around it, and the delay before the
 * next one. An order cannot be recalled, so an answer that comes after the limit is passed on and
 * not dropped: the money may have moved.
 */

import { randomInt } from "node:crypto";
import { SECOND_MS } from "../../kit/clock.ts";

const GATEWAY_SECONDS_MAX = 20;
/** What is left of a lease when the limit is reached. */
export const LEASE_SECONDS_LEFT = 10;
/** Longer than all calls made under one lease. */
export const LEASE_SECONDS = GATEWAY_SECONDS_MAX + LEASE_SECONDS_LEFT;
const SENT_WITHIN_MS = 5 * SECOND_MS;
const AGAIN_AFTER_SECONDS = { min: 2, max: 3600 };
/** So that orders that failed together are not retried together. */
const JITTER_PERCENT = 20;

/** A process that slept after its claim must not send: its lease might end before the answer. */
export function isTooLateToSend(beganAt: number): boolean {
  return performance.now() - beganAt > SENT_WITHIN_MS;
}

/** The delay after so many tries without an answer, with jitter. */
export function againAfterSeconds(
  tryCount: number,
  percent = randomInt(100 - JITTER_PERCENT, 100 + JITTER_PERCENT + 1),
): number {
  const { min, max } = AGAIN_AFTER_SECONDS;
  return (Math.min(max, min * 2 ** Math.min(tryCount - 1, 20)) * percent) / 100;
}

/** The delay after so many questions by a timetable, whose last entry stays. */
export function scheduledSeconds(schedule: readonly number[], askCount: number): number {
  return schedule[askCount] ?? schedule.at(-1) ?? 0;
}

class TooSlow extends Error {
  constructor() {
    super(`no answer came for ${GATEWAY_SECONDS_MAX} s`);
  }
}

/**
 * Rejects after the limit. The signal then stops the work from starting anything more, and `onLate`
 * gets its result, whenever that is; `onLate` reports its own errors.
 */
export async function withinLimit<T>(
  begin: (signal: AbortSignal) => Promise<T>,
  onLate: (late: Promise<T>) => Promise<void>,
): Promise<T> {
  const over = new AbortController();
  const work = begin(over.signal);
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const slow = new TooSlow();
      over.abort(slow);
      reject(slow);
      // Not awaited: an error that it does not catch itself would end the process.
      onLate(work).catch(() => {});
    }, GATEWAY_SECONDS_MAX * SECOND_MS);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
