/**
 * Makes the threads that hash passwords give way to the one that answers requests: a few sign-ins
 * keep every core busy, and then every request waits for one. On Linux, where a thread has a
 * priority of its own; elsewhere nothing changes.
 *
 * They also read files and sign tokens, so they are lowered and not put last (Decision 0075).
 */

import { readdirSync, readFileSync } from "node:fs";
import os from "node:os";

const TASKS = "/proc/self/task";
const POOL_THREAD = "libuv-worker";
/** Lower than the process by so much: a tenth of the share of a thread that did not give way. */
const LOWER_BY = 10;
const LOWEST = 19;

/** How many threads it found: none until the pool was used for the first time. */
export function lowerHashingThreads(): number | "never" {
  try {
    const threads = readdirSync(TASKS).filter((id) => nameOf(id) === POOL_THREAD);
    const priority = Math.min(os.getPriority() + LOWER_BY, LOWEST);
    for (const id of threads) os.setPriority(Number(id), priority);
    return threads.length;
  } catch {
    // Another system, or one that does not let us: it was only a favour.
    return "never";
  }
}

function nameOf(id: string): string {
  try {
    return readFileSync(`${TASKS}/${id}/comm`, "utf8").trim();
  } catch {
    // It has ended meanwhile.
    return "";
  }
}
