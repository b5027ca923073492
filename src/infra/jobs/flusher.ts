/**
 * Writes once a second what was gathered in memory, and once more when the process stops. What
 * cannot be written is logged and dropped: it is about use, never the only trace of something.
 */

import { SECOND_MS } from "../../kit/clock.ts";

const FLUSH_MS = SECOND_MS;

export interface Flusher {
  stop(): Promise<void>;
}

export function createFlusher(
  flush: () => Promise<void>,
  onError: (error: unknown) => void,
): Flusher {
  let underWay: Promise<void> = Promise.resolve();
  // One after the other: a slow database must not be asked the same thing twice at once.
  const next = () => {
    underWay = underWay.then(flush).catch(onError);
    return underWay;
  };
  const timer = setInterval(next, FLUSH_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await next();
    },
  };
}
