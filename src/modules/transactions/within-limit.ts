/**
 * How long a gateway or a bank may take. The port has no way to call an order back, so what comes
 * after the limit is handed on and not dropped: the money may have moved.
 */

import { SECOND_MS } from "../../kit/clock.ts";

export const GATEWAY_SECONDS_MAX = 20;

class TooSlow extends Error {
  constructor() {
    super(`no answer came for ${GATEWAY_SECONDS_MAX} s`);
  }
}

/**
 * Rejects after the limit. The signal then tells the work to begin nothing more, and `onLate` gets
 * what it comes to, whenever that is.
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
      void onLate(work);
    }, GATEWAY_SECONDS_MAX * SECOND_MS);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
