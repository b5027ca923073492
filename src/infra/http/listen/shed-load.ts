/**
 * Knows when this process cannot keep up: its event loop runs late, or requests queue for a
 * database connection. Then new requests get a quick 503 instead of a slow answer, and the queue
 * drains (Decision 0056).
 */

import { monitorEventLoopDelay } from "node:perf_hooks";
import { SECOND_MS } from "../../../kit/clock.ts";

const NANOSECONDS_PER_MS = 1e6;
const CONNECTION_WAITERS_MAX = 50;
/**
 * Of the turns of a second, one in ten must be late: a single long one, such as a full collection
 * of garbage, is over when it is noticed, and is no reason to refuse everybody for a second.
 */
const LATE_PERCENTILE = 90;

export interface OverloadWatch {
  /** Why new requests should be refused; undefined when all is well. */
  reason(): string | undefined;
  stop(): void;
}

export function watchOverload(options: {
  loopDelayMsMax: number;
  waiting: () => number;
}): OverloadWatch {
  const histogram = monitorEventLoopDelay({ resolution: 10 });
  histogram.enable();
  let isLate = false;
  const timer = setInterval(() => {
    const delayMs = histogram.percentile(LATE_PERCENTILE) / NANOSECONDS_PER_MS;
    isLate = options.loopDelayMsMax > 0 && delayMs > options.loopDelayMsMax;
    histogram.reset();
  }, SECOND_MS);
  timer.unref();
  return {
    reason() {
      if (isLate) return "the event loop runs late";
      return options.waiting() > CONNECTION_WAITERS_MAX
        ? "no database connection is free"
        : undefined;
    },
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
