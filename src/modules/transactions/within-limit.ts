/**
 * How long a call to a gateway or a bank may take, and the lease around it. An order cannot be
 * recalled, so an answer that comes after the limit is passed on and not dropped: the money may
 * have moved.
 */

import { SECOND_MS } from "../../kit/clock.ts";

const GATEWAY_SECONDS_MAX = 20;
/** What is left of a lease when the limit is reached. */
export const LEASE_SECONDS_LEFT = 10;
/** Longer than all calls made under one lease. */
export const LEASE_SECONDS = GATEWAY_SECONDS_MAX + LEASE_SECONDS_LEFT;
const SENT_WITHIN_MS = 5 * SECOND_MS;

/** A process that slept after its claim must not send: its lease might end before the answer. */
export function isTooLateToSend(beganAt: number): boolean {
  return performance.now() - beganAt > SENT_WITHIN_MS;
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
