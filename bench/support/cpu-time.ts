/**
 * The processor time of a process with everything below it, also of children that have ended: what
 * a service of several processes, or PostgreSQL with all its backends, has cost.
 */

import { readFileSync } from "node:fs";
import os from "node:os";
import { childrenOf } from "../../testkit/process-facts.ts";

/** Linux counts in these, whatever its own clock does. */
const TICKS_PER_SECOND = 100;

/** Its own, then its children's that have ended; columns are those behind the name. */
function secondsOf(pid: number): { own: number; ended: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const columns = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = columns.slice(11, 15).map(Number);
  return {
    own: (user + system) / TICKS_PER_SECOND,
    ended: (endedUser + endedSystem) / TICKS_PER_SECOND,
  };
}

export function cpuSecondsBelow(pid: number): number {
  const { own, ended } = secondsOf(pid);
  return childrenOf(pid).reduce((sum, child) => sum + secondsBelowChild(child), own + ended);
}

/** One that ended after it was listed counts among its parent's, the next time. */
function secondsBelowChild(pid: number): number {
  try {
    return cpuSecondsBelow(pid);
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as { code?: string }).code ?? "")) return 0;
    throw error;
  }
}

/** Of this process's children that have ended: of a load that ran apart. */
export function cpuSecondsOfEndedChildren(): number {
  return secondsOf(process.pid).ended;
}

export function parentOf(pid: number): number {
  const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(parent);
}

/** Of all processors together, and of all programs. */
export function busyCpuSeconds(): number {
  const times = os.cpus().map((cpu) => cpu.times);
  const busyMs = times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, 0);
  return busyMs / 1_000;
}
