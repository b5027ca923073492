/**
 * The last broom: ends every process that a tool still has, unmounts what is in its folder, and
 * removes it. Which those are is asked of Linux; elsewhere only the folder goes.
 *
 * All of it happens in one turn of the loop, so that work which was cut
 * short cannot start another process in between.
 */

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import process from "node:process";

const WAIT_MS = 20;
const WAITS_MAX = 150;

export function sweep(folder: string): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let turn = 0; turn < WAITS_MAX; turn++) {
    const left = processesOf(folder);
    if (left.length === 0) break;
    for (const pid of left) kill(pid);
    Atomics.wait(pause, 0, 0, WAIT_MS);
  }
  for (const place of mountsIn(folder)) execFileSync("umount", ["-l", place], { stdio: "ignore" });
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly isInFolder: boolean;
}

/** Those that stand in the folder, and those that descend from this one. */
function processesOf(folder: string): number[] {
  const all = listProcesses(folder);
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && (parents.get(pid) === process.pid || isOurs(parents.get(pid)));
  return all
    .filter(({ pid, isInFolder }) => pid !== process.pid && (isInFolder || isOurs(pid)))
    .map(({ pid }) => pid);
}

function listProcesses(folder: string): Process[] {
  return namesIn("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      // Behind the program's name, which may hold anything.
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state === "Z" || state === "X") return [];
      return [{ pid: Number(name), parent: Number(parent), isInFolder: standsIn(folder, name) }];
    } catch {
      // It has gone by itself.
      return [];
    }
  });
}

function standsIn(folder: string, name: string): boolean {
  try {
    return `${readlinkSync(`/proc/${name}/cwd`)}/`.startsWith(`${folder}/`);
  } catch {
    // It belongs to somebody else.
    return false;
  }
}

function mountsIn(folder: string): string[] {
  try {
    const places = readFileSync("/proc/mounts", "utf8").split("\n");
    return places
      .map((line) => line.split(" ")[1] ?? "")
      .filter((place) => place.startsWith(`${folder}/`));
  } catch {
    return [];
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has gone by itself.
  }
}
