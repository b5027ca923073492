/**
 * The one way out of a running process: stops in order, and by force when the order takes too long.
 */

import process from "node:process";
import type { Log } from "../log.ts";
import type { Stop } from "./stop-list.ts";

export type StopOnce = (why: string, exitCode?: 0 | 1) => void;

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

/**
 * What nobody caught leaves the process in a state nobody knows: it finishes what it can, ends, and
 * whoever watches over it starts a new one.
 */
export function stopOnMistake(log: Log, stop: StopOnce): void {
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "an error that nobody caught; stopping");
    stop("an error that nobody caught", 1);
  });
}
