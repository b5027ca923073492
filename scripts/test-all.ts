/**
 * Runs every test there is: `npm run test:all`, or only those of some patterns,
 * `npm run test:all -- "test/api/**\/*.test.ts"`.
 *
 * Most files share a process with others (testkit/together.ts); those that measure their
 * process, kill others or mostly wait have one of their own.
 */

import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { globalSetup, globalTeardown } from "../testkit/setup.ts";

const PROJECT = path.resolve(import.meta.dirname, "..");
const ENTRIES = mkdtempSync(path.join(tmpdir(), "windward-together-"));
const TOGETHER = pathToFileURL(path.join(PROJECT, "testkit/together.ts")).href;
/** One more than the cores of a small machine: some of them wait. */
const LANES = 3;
const TOGETHER_MAX = 25;
/** A file that failed may have left something running: after so long without a word all ends. */
const SILENCE_MINUTES_MAX = 15;
/** Files that need a process of their own. */
const ALONE = [
  // They start and kill processes and wait for them, each beside the next.
  /^test\/(faults|browser|docs)\//,
  // They measure how much memory the process has.
  /^test\/api\/transactions\/csv\.test\.ts$/,
  /^test\/outbound\/misbehaving\.test\.ts$/,
];

const asked = process.argv.slice(2);
const patterns = asked.length === 0 ? ["src/**/*.test.ts", "test/**/*.test.ts"] : asked;
const files = globSync(patterns, { cwd: PROJECT }).toSorted();
const alone = files.filter((file) => ALONE.some((pattern) => pattern.test(file)));
const entries = parts(files.filter((file) => !alone.includes(file))).map(entryFor);
if (files.length === 0) throw new Error(`no test file is called ${patterns.join(" or ")}`);

process.on("exit", () => rmSync(ENTRIES, { recursive: true, force: true }));
for (const { file, text } of entries) writeFileSync(file, text);

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
const silence = setTimeout(() => {
  console.error(`No test has said anything for ${SILENCE_MINUTES_MAX} minutes: the run is ended.`);
  process.exitCode = 1;
  stop.abort();
}, SILENCE_MINUTES_MAX * 60_000);
await globalSetup();
try {
  const events = run({
    files: inTurns(
      alone.map((file) => path.join(PROJECT, file)),
      entries.map(({ file }) => file),
    ),
    cwd: PROJECT,
    concurrency: LANES,
    signal: stop.signal,
  });
  events.on("test:fail", () => {
    process.exitCode = 1;
  });
  // As they are carried out: what is written comes file by file, in their order.
  events.on("test:complete", () => silence.refresh());
  for await (const text of events.compose(new spec())) process.stdout.write(text);
} finally {
  clearTimeout(silence);
  await globalTeardown();
}
// What a file has left running may hold on to our output.
if (stop.signal.aborted) process.exit();

function parts(all: readonly string[]): string[][] {
  const count = Math.ceil(all.length / TOGETHER_MAX);
  const size = Math.ceil(all.length / count);
  return Array.from({ length: count }, (_, turn) => all.slice(turn * size, (turn + 1) * size));
}

function entryFor(together: readonly string[], turn: number): { file: string; text: string } {
  const text = `import { together } from "${TOGETHER}";\ntogether(${JSON.stringify(together)});\n`;
  return { file: path.join(ENTRIES, `${turn + 1}.test.mjs`), text };
}

/** One of these, one of those: what waits runs beside what computes. */
function inTurns(these: readonly string[], those: readonly string[]): string[] {
  const turns = Math.max(these.length, those.length);
  return Array.from({ length: turns }, (_, turn) => [these[turn], those[turn]])
    .flat()
    .filter((one) => one !== undefined);
}
