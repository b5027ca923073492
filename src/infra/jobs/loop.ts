/**
 * A loop of one process: it looks, pauses, and looks again until it is stopped. It runs in every
 * process that does work in the background; any of them may die at any moment, the others go on.
 */

import { setTimeout as sleep } from "node:timers/promises";

export interface Loop {
  start(): void;
  /** Ends the look that is under way; what is due is left to another one or to the next start. */
  stop(): Promise<void>;
}

export interface HurriedLoop extends Loop {
  /** Ends the pause, if there is one; a look that is under way is followed by another at once. */
  hurry(): void;
}

/** `look` tells how long to pause until the next one, and sees to its own trouble. */
export function createLoop(look: (stopping: AbortSignal) => Promise<number>): HurriedLoop {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let isHurried = false;
  let endPause = () => {};

  async function run(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      isHurried = false;
      const ms = await look(signal);
      if (!isHurried && !signal.aborted) await pauseOrHurry(ms);
    }
  }

  function pauseOrHurry(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    endPause = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }

  return {
    start() {
      running ??= run();
    },
    hurry() {
      isHurried = true;
      endPause();
    },
    async stop() {
      stopping.abort();
      endPause();
      await running;
    },
  };
}

/** Several as one, each at its own pace. */
export function together(loops: readonly Loop[]): Loop {
  return {
    start() {
      for (const loop of loops) loop.start();
    },
    // Each waits for what it has begun, and none begins more while another waits.
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** Shorter when it is stopped meanwhile. */
export async function pause(ms: number, stopping: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stopping }).catch(() => {});
}
