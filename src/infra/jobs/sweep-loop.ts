/**
 * A loop of one process: every so often it claims what is due and works on it, a few at a time. It
 * runs in every process that does work in the background; any of them may die at any moment, the
 * others go on.
 */

import { setTimeout as sleep } from "node:timers/promises";

export interface SweepLoop {
  start(): void;
  /** What is under way ends; what is due is left to another one or to the next start. */
  stop(): Promise<void>;
}

export interface Sweeping {
  readonly pauseMs: number;
  /** One that hangs holds up so many, and no more than the pool of connections can bear. */
  readonly underWayMax: number;
  /** Claims at most so many, each as the work that is left to do on it. */
  claim(countMax: number): Promise<readonly (() => Promise<void>)[]>;
  /** One that cannot be worked on must not keep the others waiting. */
  onError(error: unknown): void;
}

export function createSweepLoop(of: Sweeping): SweepLoop {
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  let running: Promise<void> | undefined;

  /** Tells whether there may be more than could be claimed. */
  async function look(): Promise<boolean> {
    const places = of.underWayMax - underWay.size;
    const claimed = places > 0 ? await of.claim(places) : [];
    for (const work of claimed) {
      const working = work()
        .catch(of.onError)
        .finally(() => {
          underWay.delete(working);
        });
      underWay.add(working);
    }
    return claimed.length === places;
  }

  async function run(): Promise<void> {
    const { signal } = stopping;
    while (!signal.aborted) {
      const isMore = await look().catch((error: unknown) => {
        of.onError(error);
        return false;
      });
      const pause = sleep(of.pauseMs, undefined, { signal }).catch(() => {});
      // With the pause: what was claimed may have ended already, and a race of none never ends.
      await (isMore ? Promise.race([pause, ...underWay]) : pause);
    }
  }

  return {
    start() {
      running ??= run();
    },
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(underWay);
    },
  };
}
