/**
 * What a tool says while it works. Nobody should have to wonder whether it still does: when it has
 * said nothing for ten seconds, it says how far it is.
 */

import process from "node:process";

const QUIET_MS_MAX = 9_500;
const LOOK_MS = 500;

let saidAt = performance.now();
let howFar = () => "";
let isWatched = false;
let stampOf = () => "";

/** What stands before every line from now on, as it is when the line is said. */
export function stampLines(stamp: () => string): void {
  stampOf = stamp;
}

export function say(line: string): void {
  saidAt = performance.now();
  process.stdout.write(`${stampOf()}${line}\n`);
}

/** How far it is from now on, with a count: what is done, and of how much. */
export function whenQuiet(tell: () => string): void {
  howFar = tell;
  if (isWatched) return;
  isWatched = true;
  setInterval(() => {
    if (performance.now() - saidAt >= QUIET_MS_MAX) say(howFar());
  }, LOOK_MS).unref();
}
