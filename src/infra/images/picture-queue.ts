/**
 * One picture at a time; the lightest of those that wait goes next (Decision 0069). When too many
 * wait, the heaviest is refused, which need not be the one that came last: so heavy pictures,
 * however many there are, delay a light one by no more than the one that is being drawn.
 */

import { SemaphoreFull } from "../../kit/semaphore.ts";

interface Waiting {
  readonly load: number;
  enter(): void;
  refuse(why: string): void;
}

export interface PictureQueue {
  /** Of equal loads the first to come goes first. Rejects with `SemaphoreFull`. */
  pass<T>(load: number, work: () => Promise<T>): Promise<T>;
}

export function createPictureQueue(rules: { waitingMax: number; waitMsMax: number }): PictureQueue {
  const waiting: Waiting[] = [];
  let isBusy = false;

  function wait(load: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        clearTimeout(timer);
        settle();
      };
      const one: Waiting = {
        load,
        enter: () => end(resolve),
        refuse: (why) => end(() => reject(new SemaphoreFull(why))),
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(one), 1);
        one.refuse("waited too long");
      }, rules.waitMsMax);
      const heavier = waiting.findIndex((other) => other.load > load);
      waiting.splice(heavier === -1 ? waiting.length : heavier, 0, one);
      if (waiting.length > rules.waitingMax) waiting.pop()?.refuse("queue is full");
    });
  }

  return {
    async pass(load, work) {
      if (isBusy) await wait(load);
      isBusy = true;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        // The turn goes straight to the next one, so that nobody comes in between.
        if (next === undefined) isBusy = false;
        else next.enter();
      }
    },
  };
}
