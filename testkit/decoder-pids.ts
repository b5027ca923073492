/** The decoders of pictures that a process has started, as the system knows them. Linux only. */

import { readdirSync, readFileSync } from "node:fs";

export function decoderPids(parent: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent && /decoder\.ts\0/.test(read(pid, "cmdline")));
}

export function isRunning(pid: number): boolean {
  // A zombie is gone, though nobody has asked after it yet.
  return /^State:\t[^ZX]/m.test(read(pid, "status"));
}

/** Whether its parent has asked after it as well. */
export function isForgotten(pid: number): boolean {
  return read(pid, "status") === "";
}

function parentOf(pid: number): number {
  return Number(/^PPid:\t(\d+)/m.exec(read(pid, "status"))?.[1]);
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
