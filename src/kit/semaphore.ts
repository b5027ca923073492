/**
 * Lets a few through at once and a bounded number wait a bounded time: for work that is dear (a
 * password hash costs 64 MiB and 100 ms), where an unbounded queue would be the cheapest attack on
 * the service.
 */

export class SemaphoreFull extends Error {}

export interface Semaphore {
  pass<T>(work: () => Promise<T>): Promise<T>;
  /** Whether one more would be turned away at once. */
  isFull(): boolean;
}

export function createSemaphore(rules: {
  atOnce: number;
  waitingMax: number;
  waitMsMax: number;
}): Semaphore {
  const waiting: { enter(): void }[] = [];
  let inside = 0;

  function enter(): Promise<void> {
    if (inside < rules.atOnce) {
      inside++;
      return Promise.resolve();
    }
    if (waiting.length >= rules.waitingMax)
      return Promise.reject(new SemaphoreFull("queue is full"));
    return new Promise((resolve, reject) => {
      const place = {
        enter() {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(place), 1);
        reject(new SemaphoreFull("waited too long"));
      }, rules.waitMsMax);
      waiting.push(place);
    });
  }

  /** The place goes straight to the next in line, so nobody can slip in between. */
  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) inside--;
    else next.enter();
  }

  return {
    async pass(work) {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
    isFull: () => inside >= rules.atOnce && waiting.length >= rules.waitingMax,
  };
}
