/**
 * SIGTERM and Ctrl-C: the first asks to stop in order, a second one means now. Ctrl-C through npm
 * can arrive twice within a moment, which is still one wish.
 */

import process from "node:process";
import type { StopOnce } from "./stop-once.ts";

const SAME_WISH_MS = 500;
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

export function onStopSignal(stop: StopOnce): void {
  let firstAt: number | undefined;
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (firstAt === undefined) {
        firstAt = performance.now();
        stop(signal);
      } else if (performance.now() - firstAt > SAME_WISH_MS) process.exit(1);
    });
}
