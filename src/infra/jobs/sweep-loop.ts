/** A loop that claims what is due every so often and works on it, a few at a time. */

import { createLoop, type Loop, pause } from "./loop.ts";

export interface Sweeping {
  readonly pauseMs: number;
  /** One that hangs holds up so many, and no more than the pool of connections can bear. */
  readonly underWayMax: number;
  /** Claims at most so many, each as the work that is left to do on it. */
  claim(countMax: number): Promise<readonly (() => Promise<void>)[]>;
  /** One that cannot be worked on must not keep the others waiting. */
  onError(error: unknown): void;
}

/**
 * Claims one after the other; one that cannot be claimed, or worked on, must not keep the others
 * waiting, and is told of by its name.
 */
export async function claimEach<T>(
  due: readonly T[],
  claim: (one: T) => Promise<(() => Promise<void>) | undefined>,
  onError: (error: unknown, one: T) => void,
): Promise<(() => Promise<void>)[]> {
  const claimed: (() => Promise<void>)[] = [];
  for (const one of due) {
    const complain = (error: unknown) => {
      onError(error, one);
    };
    const work = await claim(one).catch(complain);
    if (work !== undefined) claimed.push(() => work().catch(complain));
  }
  return claimed;
}

/** Claims and works until nothing can be claimed, for tests, which cannot wait; tells how many. */
export async function sweepAll(of: Pick<Sweeping, "underWayMax" | "claim">): Promise<number> {
  for (let count = 0; ; ) {
    const claimed = await of.claim(of.underWayMax);
    if (claimed.length === 0) return count;
    await Promise.all(claimed.map((work) => work()));
    count += claimed.length;
  }
}

export function createSweepLoop(of: Sweeping): Loop {
  const underWay = new Set<Promise<void>>();

  /** Tells whether there may be more than could be claimed. */
  async function claim(): Promise<boolean> {
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

  const loop = createLoop(async (stopping) => {
    const isMore = await claim().catch((error: unknown) => {
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
