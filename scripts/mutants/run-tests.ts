/**
 * Runs test files in a tree until the first one fails: which it was is all that is asked for, and
 * the rest would only take time. Whoever neither fails nor ends counts as not having noticed.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

const RUN_MS_MAX = 150_000;
const FAILED = /^\s*not ok \d+ - (.*)$/;
/** Files are tests, too, and fail with what is in them. */
const IS_FILE = /\.test\.ts$/;

export interface TestRun {
  /** The name of the first test that failed; undefined: none did. */
  readonly failed: string | undefined;
  readonly seconds: number;
}

export async function runTests(tree: string, files: readonly string[]): Promise<TestRun> {
  const beganAt = performance.now();
  const args = ["--disable-proto=delete", "--test", "--test-concurrency=2", "--test-reporter=tap"];
  const child = spawn(process.execPath, [...args, ...files], {
    cwd: tree,
    // A group of its own, because a test that is cut short leaves its processes behind.
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const timer = setTimeout(() => end(child), RUN_MS_MAX);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  try {
    const failed = await firstFailure(child);
    if (failed !== undefined) return { failed, seconds: since(beganAt) };
    const code = await ended;
    if (code === null) return { failed: undefined, seconds: since(beganAt) };
    return { failed: code === 0 ? undefined : "a test file", seconds: since(beganAt) };
  } finally {
    clearTimeout(timer);
    end(child);
    await ended;
  }
}

async function firstFailure({ stdout }: ChildProcess): Promise<string | undefined> {
  if (stdout === null) return undefined;
  for await (const line of createInterface({ input: stdout })) {
    const name = FAILED.exec(line)?.[1];
    if (name !== undefined && !IS_FILE.test(name)) return name;
  }
  return undefined;
}

function end({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

function since(beganAt: number): number {
  return (performance.now() - beganAt) / 1_000;
}
