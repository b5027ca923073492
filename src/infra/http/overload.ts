/**
 * Knows when this process cannot keep up: its event loop runs late, or requests queue for a
 * database connection. Then new requests get a quick 503 instead of a slow answer, and the queue
 * drains.
 */

import { monitorEventLoopDelay } from "node:perf_hooks";
import { SECOND_MS } from "../../kit/clock.ts";

const NANOSECONDS_PER_MS = 1e6;
const CONNECTION_WAITERS_MAX = 50;

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
    const delayMs = histogram.percentile(99) / NANOSECONDS_PER_MS;
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
