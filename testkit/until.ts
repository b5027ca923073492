/** Waits for the thing itself: asks again and again until it is so, within a limit. */

import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { Unavailable } from "../src/kit/errors.ts";

const PAUSE_MS = 10;
/** Only what never happens takes this long: a busy machine must not look like an error. */
const SECONDS_MAX = 120;

interface Pause {
  readonly pauseMs?: number;
}

export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  seconds = SECONDS_MAX,
  { pauseMs = PAUSE_MS }: Pause = {},
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`after ${seconds} s, still not so: ${what}`);
    await sleep(pauseMs);
  }
}

/** Does again what fails in a way that passes; at the end of the time it fails as the last did. */
export async function patiently<T>(
  work: () => Promise<T>,
  isPassing: (error: unknown) => boolean = (error) => error instanceof Unavailable,
  seconds = SECONDS_MAX,
  { pauseMs = PAUSE_MS }: Pause = {},
): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || performance.now() > deadline) throw error;
      await sleep(pauseMs);
    }
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
