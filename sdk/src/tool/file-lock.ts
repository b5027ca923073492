/**
 * One process at a time: a lock file with the number of the process. A killed process leaves it
 * behind; it counts no longer when no process with that number and start exists.
 */

import { link, readFile, rename, rm } from "node:fs/promises";
import process from "node:process";
import { wait } from "../wait.ts";
import { readPrivate, writePrivate } from "./private-file.ts";
import { ToolError } from "./tool-error.ts";

const STALE_MAX = 3;
const POLL_MS = 50;

export type Unlock = () => Promise<void>;

/** The folder exists. Answers with the number of the process that has it, if another one does. */
export async function tryLock(file: string): Promise<Unlock | { readonly holder: string }> {
  for (let tries = 1; ; tries += 1) {
    if (await take(file)) return () => rm(file, { force: true });
    const held = (await readPrivate(file)) ?? "";
    const [pid = "", start = ""] = held.trim().split(" ");
    if (tries === STALE_MAX || (await isRunning(Number(pid), start))) return { holder: pid };
    await setAside(file, held);
  }
}

/** Of several that find a dead lock only one moves it: a new one in its place is put back. */
async function setAside(file: string, held: string): Promise<void> {
  const aside = `${file}.${process.pid}.old`;
  await rename(file, aside).catch(() => {});
  const moved = await readPrivate(aside);
  if (moved !== undefined && moved !== held) await link(aside, file).catch(() => {});
  await rm(aside, { force: true });
}

/** Does the work with the lock, waiting for it while another process has it. */
export async function withLock<T>(
  { file, withinMs }: { file: string; withinMs: number },
  work: () => Promise<T>,
): Promise<T> {
  for (const began = performance.now(); ; await wait(POLL_MS)) {
    const unlock = await tryLock(file);
    if (typeof unlock === "function") return work().finally(unlock);
    if (performance.now() - began > withinMs)
      throw new ToolError(
        `Another windward (process ${unlock.holder}) does not let go of ${file}.`,
        "End it. If there is none, delete that file.",
      );
  }
}

/** Linked when it is whole: an empty lock would look like one that was left behind. */
async function take(file: string): Promise<boolean> {
  const own = `${file}.${process.pid}`;
  await writePrivate(own, `${process.pid} ${await startOf(process.pid)}\n`);
  try {
    await link(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

async function isRunning(pid: number, start: string): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid < 1 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return start === (await startOf(pid));
}

/** When it began, by Linux's own count; a number that is used again is told apart by it. */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const afterName = text.slice(text.lastIndexOf(")") + 2);
  return afterName.split(" ")[19] ?? "unknown";
}
