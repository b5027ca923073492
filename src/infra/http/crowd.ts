/**
 * How many requests are being worked on: those that began within the last two seconds. Whoever has
 * been under way for longer waits for somebody outside, such as the card's bank, and takes little
 * of ours; and one that got lost on its way out is forgotten with its time, so that no mistake in
 * the counting closes the door for good (Decision 0056).
 */

import assert from "node:assert/strict";
import { SECOND_MS } from "../../kit/clock.ts";

const STEP_MS = 100;
const STEPS = (2 * SECOND_MS) / STEP_MS;

export interface Crowd {
  /** How many there are now. */
  size(): number;
  /** Gives the step in which it began, by which it leaves. */
  enter(): number;
  /**
   * By the step alone: whoever was forgotten has one that is too old. A look at the clock with
   * every answer would tell nothing more.
   */
  leave(step: number): void;
}

/** `now` in milliseconds that never go back. */
export function createCrowd(now: () => number = () => performance.now()): Crowd {
  /** How many of each of the latest steps are still there. */
  const began = new Int32Array(STEPS);
  let latest = stepAt(now());
  let size = 0;

  function catchUp(): void {
    const step = stepAt(now());
    // Of steps that are all gone by now, each place is emptied once.
    latest = Math.max(latest, step - STEPS);
    while (latest < step) {
      latest += 1;
      size -= began[latest % STEPS] ?? 0;
      began[latest % STEPS] = 0;
    }
  }

  return {
    size() {
      catchUp();
      return size;
    },
    enter() {
      catchUp();
      began[latest % STEPS] = (began[latest % STEPS] ?? 0) + 1;
      size += 1;
      return latest;
    },
    leave(step) {
      if (step <= latest - STEPS) return;
      const left = (began[step % STEPS] ?? 0) - 1;
      assert(left >= 0, "nobody leaves twice");
      began[step % STEPS] = left;
      size -= 1;
    },
  };
}

function stepAt(ms: number): number {
  return Math.floor(ms / STEP_MS);
}
