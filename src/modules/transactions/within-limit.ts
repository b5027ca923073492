/**
 * How long a gateway or a bank may take, and how long whoever talks to it has it for itself. The
 * port has no way to call an order back, so what comes after the limit is handed on and not
 * dropped: the money may have moved.
 */

import { SECOND_MS } from "../../kit/clock.ts";

const GATEWAY_SECONDS_MAX = 20;
/** What of a lease is left, when whoever has it is told that nobody has answered. */
export const LEASE_SECONDS_LEFT = 10;
/** Longer than all that is said to a gateway, or to a bank, in one go. */
export const LEASE_SECONDS = GATEWAY_SECONDS_MAX + LEASE_SECONDS_LEFT;
const SENT_WITHIN_MS = 5 * SECOND_MS;

/** A process that slept after its claim sends nothing: its lease might end before the answer. */
export function isTooLateToSend(beganAt: number): boolean {
  return performance.now() - beganAt > SENT_WITHIN_MS;
}

class TooSlow extends Error {
  constructor() {
    super(`no answer came for ${GATEWAY_SECONDS_MAX} s`);
  }
}

/**
 * Rejects after the limit. The signal then tells the work to begin nothing more, and `onLate` gets
 * what it comes to, whenever that is; what goes wrong there is for it to tell.
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
      // Nobody waits for it, so what it does not catch itself would end the process.
      onLate(work).catch(() => {});
    }, GATEWAY_SECONDS_MAX * SECOND_MS);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
