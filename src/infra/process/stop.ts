/**
 * How a process ends: what was started is stopped in reverse order, once, and by force when that
 * takes too long.
 */

import process from "node:process";
import type { Log } from "../log.ts";

export type Stop = () => Promise<void>;
export type StopOnce = (why: string, exitCode?: 0 | 1) => void;

export interface StopList {
  add(stop: Stop): void;
  /** Backwards; one that fails holds up no other. */
  stopAll(): Promise<void>;
}

/** Ctrl-C through npm can arrive twice within a moment, which is still one request to stop. */
const SAME_SIGNAL_MS = 500;
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

export function createStopList(): StopList {
  const stops: Stop[] = [];
  return {
    add: (stop) => void stops.push(stop),
    async stopAll() {
      const failures: unknown[] = [];
      for (let stop = stops.pop(); stop !== undefined; stop = stops.pop())
        await stop().catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw new AggregateError(failures, "something did not stop");
    },
  };
}

export function createStopOnce(options: { log: Log; stop: Stop; forceMs: number }): StopOnce {
  const { log, stop, forceMs } = options;
  let begun = false;
  return (why, exitCode = 0) => {
    if (begun) return;
    begun = true;
    log.info({ why }, "stopping");
    setTimeout(() => process.exit(1), forceMs).unref();
    stop().then(
      () => process.exit(exitCode),
      (error: unknown) => {
        log.error({ err: error }, "stopping went wrong");
        process.exit(1);
      },
    );
  };
}

/** The first signal stops in order, a second one means now. */
export function onStopSignal(stop: StopOnce): void {
  let firstAt: number | undefined;
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (firstAt === undefined) {
        firstAt = performance.now();
        stop(signal);
      } else if (performance.now() - firstAt > SAME_SIGNAL_MS) process.exit(1);
    });
}

/** After an uncaught error the state is unknown: the process finishes what it can and ends. */
export function stopOnMistake(log: Log, stop: StopOnce): void {
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "an error that nobody caught; stopping");
    stop("an error that nobody caught", 1);
  });
}
