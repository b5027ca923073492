/** Waits for the thing itself: asks again and again until it is so, within a limit. */

import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

const PAUSE_MS = 10;
/** Only what never happens takes this long: a busy machine must not look like an error. */
const SECONDS_MAX = 120;

export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  seconds = SECONDS_MAX,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`after ${seconds} s, still not so: ${what}`);
    await sleep(PAUSE_MS);
  }
}

/** Keeps this thread, and so the service in it, from doing anything else. */
export function blockTheLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Writes one text again and again, as slowly as asked, until the socket is closed. */
export function dripping(socket: Writable, everyMs: number, text: string): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.once("close", () => clearInterval(timer));
}
