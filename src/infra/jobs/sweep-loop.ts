/**
 * A loop that claims what is due every so often and works on it, a few at a time.
 *
 * Work begins when it is claimed, not when the others are. A claim is a lease that runs, and one
 * that has to wait for a lock must not use up that of another.
 */

import { inTrace } from "../../kit/trace.ts";
import { createLoop, type Loop, pause } from "./loop.ts";

type Work = () => Promise<void>;

export interface Sweeping {
  /** In traces. */
  readonly name: string;
  readonly pauseMs: number;
  /** One that hangs holds up so many, and no more than the pool of connections can bear. */
  readonly underWayMax: number;
  /** Claims one after the other, each as the work that is left to do on it. */
  claim(): AsyncIterable<Work>;
  /** One that cannot be worked on must not keep the others waiting. */
  onError(error: unknown): void;
}

/** One that cannot be claimed, or worked on, is reported by its name, and the others go on. */
export async function* claimEach<T>(
  due: readonly T[],
  claim: (one: T) => Promise<Work | undefined>,
  onError: (error: unknown, one: T) => void,
): AsyncIterable<Work> {
  for (const one of due) {
    const complain = (error: unknown) => {
      onError(error, one);
    };
    const work = await claim(one).catch(complain);
    if (work !== undefined) yield () => work().catch(complain);
  }
}

export function createSweepLoop(of: Sweeping): Loop {
  const underWay = new Set<Promise<void>>();
  const isFull = () => underWay.size >= of.underWayMax;

  function begin(work: Work): void {
    const working = inTrace(of.name, {}, work)
      .catch(of.onError)
      .finally(() => {
        underWay.delete(working);
      });
    underWay.add(working);
  }

  /** Tells whether there may be more than could be claimed. */
  async function claim(stopping: AbortSignal): Promise<boolean> {
    if (isFull()) return true;
    for await (const work of of.claim()) {
      begin(work);
      if (isFull() || stopping.aborted) return true;
    }
    return false;
  }

  const loop = createLoop(async (stopping) => {
    const isMore = await claim(stopping).catch((error: unknown) => {
      of.onError(error);
      return false;
    });
    if (!isMore) return of.pauseMs;
    // With the pause: what was claimed may have ended already, and a race of none never ends.
    await Promise.race([pause(of.pauseMs, stopping), ...underWay]);
    return 0;
  });

  return {
    start: loop.start,
    async stop() {
      await loop.stop();
      await Promise.all(underWay);
    },
  };
}
