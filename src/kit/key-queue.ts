/** Runs work that has the same key one after the other, in the order in which it was given. */

import { Unavailable } from "./errors.ts";

export interface KeyQueue {
  /** Whether work with this key runs or waits. */
  isBusy(key: string): boolean;
  /** Throws 503 when too many wait for this key already. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

interface Line {
  last: Promise<void>;
  count: number;
}

export function createKeyQueue({ perKeyMax }: { readonly perKeyMax: number }): KeyQueue {
  const lines = new Map<string, Line>();
  return {
    isBusy: (key) => lines.has(key),
    async run(key, work) {
      const line = lines.get(key) ?? { last: Promise.resolve(), count: 0 };
      if (line.count >= perKeyMax) throw new Unavailable({ cause: `too many wait for ${key}` });
      const before = line.last;
      const { promise, resolve } = Promise.withResolvers<void>();
      line.last = promise;
      line.count += 1;
      lines.set(key, line);
      try {
        await before;
        return await work();
      } finally {
        line.count -= 1;
        // The map keeps no key that has no work.
        if (line.count === 0) lines.delete(key);
        resolve();
      }
    },
  };
}
