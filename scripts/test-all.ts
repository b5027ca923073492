/**
 * Runs test files: a suite (`npm run test:all -- check`), files by pattern
 * (`npm run test:all -- "test/api/**\/*.test.ts"`), or everything there is. Prints a line for each
 * file, the failures, the slowest files and the time per folder.
 *
 * Most files share a process with others (testkit/together.ts); those that measure their process,
 * kill others or mostly wait have one of their own.
 */

import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { globalSetup, globalTeardown } from "../testkit/setup.ts";
import { say, whenQuiet } from "../testkit/tool/say.ts";

const PROJECT = path.resolve(import.meta.dirname, "..");
const ENTRIES = mkdtempSync(path.join(tmpdir(), "windward-together-"));
const TOGETHER = pathToFileURL(path.join(PROJECT, "testkit/together.ts")).href;
/** One more than the cores of a small machine: some files wait. */
const LANES = 3;
/** A shared process ends after so many files: what they loaded stays in its memory. */
const TOGETHER_MAX = 25;
/** A failed file may have left something running: the run ends after so long without a result. */
const SILENCE_MINUTES_MAX = 15;
const SLOWEST_SHOWN = 15;
/** Files that need a process of their own. */
const ALONE = [
  // They start and kill processes and wait for them.
  /^test\/(acquirer|alarms\/prometheus|containers|faults|journeys|proxy|browser|docs)\//,
  /^test\/tool\/exam(-hash-shop)?\.test\.ts$/,
  // It measures the memory of its process.
  /^test\/outbound\/misbehaving\.test\.ts$/,
  // It tells from a metric of its process that nothing has looked yet.
  /^test\/api\/http\/readiness\.test\.ts$/,
  // It registers a recorder of spans for its process.
  /^test\/tracing\//,
];
/** Which files belong to which command of package.json; `service` is the rest of `npm test`. */
const isCheck = (file: string) => /^(src|test\/house)\//.test(file);
/** What needs minutes: processes that die, whole journeys, guides and attacks. */
const PROOF = new RegExp(
  `^test/(${[
    ...["acquirer", "alarms/prometheus", "browser", "console/attacks", "containers", "docs"],
    ...["faults", "images", "journeys", "operator-console/attacks", "outbound", "proxy"],
    ...["sdk/verify", "sdk-php", "tool"],
  ].join("|")})/`,
);
const isProof = (file: string) => PROOF.test(file);
const SUITES: Record<string, (file: string) => boolean> = {
  check: isCheck,
  service: (file) => !isCheck(file) && !isProof(file),
  proof: (file) => isProof(file) || drawsAtRandom(file),
};

const given = process.argv.slice(2);
const suite = SUITES[given[0] ?? ""];
const isPatterns = given.length > 0 && suite === undefined;
const patterns = isPatterns ? given : ["src/**/*.test.ts", "test/**/*.test.ts"];
const files = globSync(patterns, { cwd: PROJECT })
  .filter((file) => suite?.(file) ?? true)
  .toSorted();
if (files.length === 0) throw new Error(`no test file is called ${given.join(" or ")}`);

if (given[0] === "proof") process.env.PROOF = "1";

process.on("exit", () => rmSync(ENTRIES, { recursive: true, force: true }));
const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
const silence = setTimeout(() => {
  console.error(`No test has ended for ${SILENCE_MINUTES_MAX} minutes: the run is stopped.`);
  process.exitCode = 1;
  stop.abort();
}, SILENCE_MINUTES_MAX * 60_000);

const done: { file: string; seconds: number }[] = [];
whenQuiet(() => `  ${done.length} of ${files.length} files`);
await globalSetup();
try {
  await runFiles();
} finally {
  clearTimeout(silence);
  await globalTeardown();
}
tellTimes();
// What a file has left running may hold on to our output.
if (stop.signal.aborted) process.exit();

async function runFiles(): Promise<void> {
  const events = run({
    files: writeEntries(),
    cwd: PROJECT,
    concurrency: LANES,
    signal: stop.signal,
  });
  events.on("test:fail", () => {
    process.exitCode = 1;
  });
  // Sent at once, while results come file by file in their order.
  events.on("test:complete", ({ name, nesting, details }) => {
    silence.refresh();
    if (nesting > 0 || !files.includes(name)) return;
    const seconds = details.duration_ms / 1000;
    done.push({ file: name, seconds });
    say(`${details.passed ? "✔" : "✖"} ${seconds.toFixed(1).padStart(6)} s  ${name}`);
  });
  const told = events.filter(({ type }) => !["test:start", "test:pass"].includes(type));
  for await (const text of told.compose(new spec())) process.stdout.write(text);
}

/** One entry for each process: those of one file between those that share a list. */
function writeEntries(): string[] {
  const alone = files.filter((file) => ALONE.some((pattern) => pattern.test(file)));
  const shared = files.filter((file) => !alone.includes(file));
  const processes = Array.from({ length: Math.ceil(shared.length / TOGETHER_MAX) }, () => shared);
  const turns = Math.max(alone.length, processes.length);
  return Array.from({ length: turns }, (_, turn) => [
    ...alone.slice(turn, turn + 1).map((file) => writeEntry(`alone-${turn}`, [file], "alone")),
    ...processes.slice(turn, turn + 1).map((list) => writeEntry(`shared-${turn}`, list, "shared")),
  ]).flat();
}

function writeEntry(name: string, list: readonly string[], kind: "alone" | "shared"): string {
  const claims = path.join(ENTRIES, kind === "alone" ? name : kind);
  mkdirSync(claims, { recursive: true });
  const entry = path.join(ENTRIES, `${name}.test.mjs`);
  const options = JSON.stringify({ claims, filesMax: TOGETHER_MAX });
  writeFileSync(
    entry,
    `import { together } from "${TOGETHER}";\n` +
      `await together(${JSON.stringify(list)}, ${options});\n`,
  );
  return entry;
}

/** It is tried more often in the proof (testkit/proof-counts.ts). */
function drawsAtRandom(file: string): boolean {
  return readFileSync(path.join(PROJECT, file), "utf8").includes("/proof-counts.ts");
}

function tellTimes(): void {
  const folders = new Map<string, number>();
  for (const { file, seconds } of done) {
    const folder = path.dirname(file).split("/").slice(0, 3).join("/");
    folders.set(folder, (folders.get(folder) ?? 0) + seconds);
  }
  const slowest = done.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN);
  const row = (name: string, seconds: number) => `${seconds.toFixed(1).padStart(8)} s  ${name}`;
  say("\nSlowest files");
  for (const { file, seconds } of slowest) say(row(file, seconds));
  say("\nTime by folder, in all lanes together");
  for (const [folder, seconds] of [...folders].toSorted((a, b) => b[1] - a[1]))
    say(row(folder, seconds));
}
