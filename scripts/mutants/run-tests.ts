/**
 * Runs test files in a tree until the first one fails: which it was is all that is asked for, and
 * the rest would only take time. A run that neither fails nor ends has not noticed.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

const RUN_SECONDS_MAX = 150;
const REPORTER = new URL("tell-tests.ts", import.meta.url).href;
const LINE = /^(failed|done) (.*)$/;
/** Files are tests, too, and fail with what is in them. */
const IS_FILE = /\.test\.ts$/;

export interface TestRun {
  /** The name of the first test that failed; undefined: none did. */
  readonly failed: string | undefined;
  /** It took too long, or did not begin. */
  readonly isCutShort: boolean;
  readonly seconds: number;
}

export async function runTests(
  tree: string,
  files: readonly string[],
  { secondsMax = RUN_SECONDS_MAX, onFile = () => {} } = {},
): Promise<TestRun> {
  const beganAt = performance.now();
  const args = ["--disable-proto=delete", "--test", "--test-concurrency=2"];
  const child = spawn(process.execPath, [...args, `--test-reporter=${REPORTER}`, ...files], {
    cwd: tree,
    env: { ...process.env, PROOF: "1" },
    // A group of its own, because a test that is cut short leaves its processes behind.
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const timer = setTimeout(() => end(child), secondsMax * 1_000);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const told = (failed?: string, isCutShort = false) => {
    return { failed, isCutShort, seconds: (performance.now() - beganAt) / 1_000 };
  };
  try {
    const failed = await firstFailure(child, onFile);
    if (failed !== undefined) return told(failed);
    const code = await ended;
    // A file that does not even load has noticed nothing.
    return told(undefined, code !== 0);
  } finally {
    clearTimeout(timer);
    end(child);
    await ended;
  }
}

async function firstFailure(
  { stdout }: ChildProcess,
  onFile: () => void,
): Promise<string | undefined> {
  if (stdout === null) return undefined;
  for await (const line of createInterface({ input: stdout })) {
    const [, what, name = ""] = LINE.exec(line) ?? [];
    if (what === "done") onFile();
    if (what === "failed" && !IS_FILE.test(name)) return name;
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
