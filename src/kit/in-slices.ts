/**
 * Long work on the event loop, cut into slices: a generator yields where it may pause, and other
 * requests are served between two slices (Decision 0103).
 */

import { setImmediate } from "node:timers/promises";

/** Short beside what a request takes anyway. */
const SLICE_MS = 8;

export async function inSlices<Made>(steps: Generator<void, Made>): Promise<Made> {
  let beganAt = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - beganAt < SLICE_MS) continue;
    await setImmediate();
    beganAt = performance.now();
  }
}

/** The same at once, where nobody waits. */
export function atOnce<Made>(steps: Generator<void, Made>): Made {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
