/** Runs work that has the same key one after the other, in the order in which it was given. */

export interface KeyQueue {
  /** Whether work with this key runs or waits. */
  isBusy(key: string): boolean;
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export function createKeyQueue(): KeyQueue {
  const last = new Map<string, Promise<void>>();
  return {
    isBusy: (key) => last.has(key),
    async run(key, work) {
      const before = last.get(key);
      const { promise, resolve } = Promise.withResolvers<void>();
      last.set(key, promise);
      try {
        await before;
        return await work();
      } finally {
        // Nothing waits behind it: the map keeps no key that has no work.
        if (last.get(key) === promise) last.delete(key);
        resolve();
      }
    },
  };
}
