/** On what a figure was measured, and what a process costs: figures without these say nothing. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import os from "node:os";
import { cpuMsOf } from "../../src/infra/images/decoder-process.ts";

const SAMPLE_MS = 100;
/** A tick in it is a hundredth of a second, as long as what is measured: one is too many. */
const MOMENT_MS = 250;
/** Until what waited meanwhile is served. */
const AFTERMATH_MS = 250;
/** Of what was measured: when the host took our processors for more of it, it is no measure. */
const COUNTED_PART_MIN = 0.5;
/** What a scene misses then. */
export const QUIET_HOST = "a host that leaves us our processors";
const KIB_PER_MB = 1_000_000 / 1024;

export function describeMachine(): Record<string, string | number> {
  return {
    cpu: os.cpus()[0]?.model ?? "unknown",
    cores: os.availableParallelism(),
    memoryGb: Math.round(os.totalmem() / 1e9),
    system: `${os.platform()} ${os.release()} ${os.arch()}`,
    node: process.version,
    commit: commit(),
  };
}

/**
 * Watches a process while work is under way: the most memory it held, the processor time it took.
 */
export async function watch<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ result: T; residentMbMax: number; cpuSeconds: number }> {
  let residentMbMax = residentMb(pid);
  const cpuBefore = cpuSeconds(pid);
  const timer = setInterval(() => {
    residentMbMax = Math.max(residentMbMax, residentMb(pid));
  }, SAMPLE_MS);
  try {
    const result = await work();
    return { result, residentMbMax, cpuSeconds: cpuSeconds(pid) - cpuBefore };
  } finally {
    clearInterval(timer);
  }
}

/** Begins to count; gives which part of the processors' time the host gave to others since then. */
export function watchHost(): () => number {
  const before = processorTicks();
  return () => {
    const after = processorTicks();
    return (after.stolen - before.stolen) / (after.all - before.all);
  };
}

interface Span {
  /** By the wall clock. */
  readonly from: number;
  readonly to: number;
}

/**
 * Notes moments in which the host gave our processors to others, so that what was measured in them
 * and right after them can be left out: the slowest hundredth of all is soon nothing but those.
 * Gives whether a span of time was ours. What took longer touches more moments and is left out more
 * often: failures are therefore counted over all.
 */
export function noteStolenMoments(): { stop(): (span: Span) => boolean } {
  const stolen: Span[] = [];
  let last = { at: Date.now(), ticks: processorTicks().stolen };
  const look = () => {
    const now = { at: Date.now(), ticks: processorTicks().stolen };
    if (now.ticks > last.ticks) stolen.push({ from: last.at, to: now.at + AFTERMATH_MS });
    last = now;
  };
  const timer = setInterval(look, MOMENT_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      return ({ from, to }) => !stolen.some((moment) => moment.from < to && from < moment.to);
    },
  };
}

/** When a request was sent, by the wall clock, and how long it took. */
interface Timed {
  readonly at: number;
  readonly ms: number;
}

/** The samples of moments in which the host left us our processors; whether they are enough. */
export function undisturbed<T extends Timed>(all: readonly T[], isOurs: (span: Span) => boolean) {
  const samples = all.filter(({ at, ms }) => isOurs({ from: at, to: at + ms }));
  return { samples, isEnough: samples.length >= COUNTED_PART_MIN * all.length };
}

/** The eighth of Linux's figures is what a virtual machine waited for though it had work to do. */
function processorTicks(): { all: number; stolen: number } {
  const [, line = ""] = /^cpu +(.*)$/m.exec(readFileSync("/proc/stat", "utf8")) ?? [];
  // Those behind the eighth are counted among the first already.
  const ticks = line.split(" ").slice(0, 8).map(Number);
  return { all: ticks.reduce((sum, one) => sum + one, 0), stolen: ticks[7] ?? 0 };
}

function residentMb(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kib ?? 0) / KIB_PER_MB;
}

function cpuSeconds(pid: number): number {
  return (cpuMsOf(pid) ?? Number.NaN) / 1_000;
}

function commit(): string {
  try {
    return execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
}
