/**
 * The PostgreSQL server of a cluster as its lock file `postmaster.pid` and the operating system
 * show it, and the removal of what an earlier one left: a server whose Windward was killed, its
 * backends, its lock file. Called by the owner of the folder only (`owner-lock`).
 */
import { execFile } from "node:child_process";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { CannotStartDatabase } from "./cannot-start-database.ts";

export interface PostmasterFile {
  /** The server's process id; 0 when the file is empty or holds something else. */
  readonly pid: number;
  /** 0 as long as the server has not written it. */
  readonly port: number;
  readonly isReady: boolean;
}

/**
 * Fast shutdown first (clients are cut, everything is written), then the immediate one (recovery at
 * the next start), at last SIGKILL. None of them loses what was committed.
 */
const STOP_STEPS = [
  { signal: "SIGINT", msMax: 20_000 },
  { signal: "SIGQUIT", msMax: 8_000 },
  { signal: "SIGKILL", msMax: 2_000 },
] as const;
const BACKENDS_MS_MAX = 2_000;
const POLL_MS = 20;

export async function readPostmasterFile(folder: string): Promise<PostmasterFile | undefined> {
  try {
    return parsePostmasterFile(await readFile(join(folder, "postmaster.pid"), "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export function parsePostmasterFile(text: string): PostmasterFile {
  const lines = text.split("\n");
  const positive = (line = "") => (/^[1-9]\d{0,9}$/.test(line) ? Number(line) : 0);
  return {
    pid: positive(lines[0]),
    port: positive(lines[3]),
    isReady: lines[7]?.trim() === "ready",
  };
}

/** What the lock file says, when its process is a living server of this cluster. */
export async function findServer(folder: string): Promise<PostmasterFile | undefined> {
  const file = await readPostmasterFile(folder);
  return file && (await isPostgresIn(file.pid, folder)) ? file : undefined;
}

/** False when the process is still there after all of it. */
export async function stopServer(
  pid: number,
  endsWithin: (ms: number) => Promise<boolean>,
): Promise<boolean> {
  for (const { signal, msMax } of STOP_STEPS) {
    sendSignal(pid, signal);
    if (await endsWithin(msMax)) return true;
  }
  return false;
}

/** Leaves the cluster without a server, without backends of one and without a stale lock file. */
export async function clearLeftOvers(folder: string): Promise<void> {
  const left = await findServer(folder);
  const isGone = (ms: number) =>
    becomesTrue(ms, async () => !(await isPostgresIn(left?.pid ?? 0, folder)));
  if (left && !(await stopServer(left.pid, isGone)))
    throw new CannotStartDatabase(
      `PostgreSQL process ${left.pid}, left in ${folder} by an earlier Windward, ` +
        "does not stop. End it by hand or restart the machine, then start again.",
    );
  await endBackends(folder);
  const file = await readPostmasterFile(folder);
  // PostgreSQL replaces the file of a dead process by itself, but takes a zombie or a stranger with
  // its process id for a living server, and an empty file for one that is starting.
  if (file && (file.pid === 0 || sendSignal(file.pid, 0)))
    await rm(join(folder, "postmaster.pid"), { force: true });
}

/**
 * Backends whose postmaster was killed leave by themselves when idle, but one in the middle of a
 * long query goes on, and PostgreSQL refuses to start as long as one is attached to the old shared
 * memory.
 */
async function endBackends(folder: string): Promise<void> {
  if (process.platform !== "linux") return;
  await becomesTrue(BACKENDS_MS_MAX, async () => {
    const pids = (await readdir("/proc")).map(Number).filter(Number.isInteger);
    const isBackend = await Promise.all(pids.map((pid) => isPostgresIn(pid, folder)));
    const backends = pids.filter((_, index) => isBackend[index]);
    for (const pid of backends) sendSignal(pid, "SIGKILL");
    return backends.length === 0;
  });
}

/** A zombie is none: it has no working directory any more. */
async function isPostgresIn(pid: number, folder: string): Promise<boolean> {
  if (pid === 0) return false;
  if (process.platform !== "linux") return isPostgresByPs(pid);
  try {
    const name = await readFile(`/proc/${pid}/comm`, "utf8");
    if (name.trim() !== "postgres") return false;
    // A server's working directory is its cluster. Inodes, because paths may differ by links.
    const [theirs, ours] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(folder)]);
    return theirs.dev === ours.dev && theirs.ino === ours.ino;
  } catch {
    // It has ended, or is another user's: PostgreSQL runs only as the owner of its folder.
    return false;
  }
}

async function isPostgresByPs(pid: number): Promise<boolean> {
  try {
    const args = ["-o", "state=", "-o", "comm=", "-p", String(pid)];
    const { stdout } = await promisify(execFile)("ps", args);
    return /^[^Z].*postgres\s*$/.test(stdout);
  } catch {
    return false;
  }
}

/** Sends a signal; false when there is no such process any more. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ESRCH") return false;
    if (code === "EPERM" && signal === 0) return true;
    throw error;
  }
}

async function becomesTrue(msMax: number, check: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + msMax;
  while (!(await check())) {
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}
