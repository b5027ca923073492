/**
 * Puts one bug after another into a copy of the tree and runs the tests that must notice it:
 * `npm run mutants`, or `npm run mutants -- --only <name>` (a part of a name will do, and several
 * may be given). It fails when a bug goes unnoticed, or when a test is red without one, because
 * such a test tells nothing.
 */

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { MUTANTS } from "../test/mutants/all.ts";
import type { Mutant, TextChange } from "../test/mutants/mutant.ts";
import { databaseUrl, TEMPLATE } from "../test/support/database.ts";
import { globalSetup, globalTeardown, makeTemplate } from "../test/support/setup.ts";
import { copyTree, removeTree } from "./mutants/copy-tree.ts";
import { runTests, type TestRun } from "./mutants/run-tests.ts";

const { values } = parseArgs({
  options: { only: { type: "string", multiple: true, default: [""] } },
});
const GREEN_SECONDS_MAX = 900;
const say = (line: string) => void process.stdout.write(`${line}\n`);
const chosen = MUTANTS.filter(({ name }) => values.only.some((part) => name.includes(part)));
const failures: string[] = [];
if (chosen.length === 0) {
  say(`No mutant is called ${values.only.join(" or ")}. There are:`);
  for (const { name } of MUTANTS) say(`  ${name}`);
  process.exit(2);
}

await globalSetup();
const tree = await copyTree(path.resolve(import.meta.dirname, ".."));
try {
  const beganAt = performance.now();
  await expectGreen([...new Set(chosen.flatMap(({ caughtBy }) => caughtBy))]);
  for (const mutant of chosen) report(mutant, await withBug(mutant, () => tried(mutant)));
  const minutes = (performance.now() - beganAt) / 60_000;
  say(`\n${chosen.length} mutants in ${minutes.toFixed(1)} minutes`);
} finally {
  await removeTree(tree);
  await globalTeardown();
}
for (const failure of failures) say(`✖ ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** The tests themselves, without a bug: all that follows stands on this. */
async function expectGreen(files: readonly string[]): Promise<void> {
  say(`${chosen.length} mutants; first their ${files.length} test files without one`);
  const { failed, isCutShort, seconds } = await runTests(tree, files, GREEN_SECONDS_MAX);
  const trouble = isCutShort ? "they do not run, or too long" : failed;
  say(`${trouble === undefined ? "✔ green" : `✖ ${trouble}`} after ${seconds.toFixed(0)} s\n`);
  if (trouble !== undefined) failures.push(`without a mutant: ${trouble}`);
}

function tried({ caughtBy }: Mutant): Promise<TestRun> {
  return runTests(tree, caughtBy);
}

function report({ name, breaks }: Mutant, { failed, seconds }: TestRun): void {
  const mark = failed === undefined ? "✖" : "✔";
  say(`${mark} ${name.padEnd(42)} ${seconds.toFixed(1).padStart(5)} s  ${failed ?? "survives"}`);
  if (failed === undefined) failures.push(`${name} survives: ${breaks}`);
}

async function withBug<T>({ change }: Mutant, work: () => Promise<T>): Promise<T> {
  if ("sql" in change) {
    await changeTemplate(change.sql);
    return work().finally(makeTemplate);
  }
  const restore = await changeText(change);
  return work().finally(restore);
}

async function changeText({ file, find, replace }: TextChange): Promise<() => Promise<void>> {
  const absolute = path.join(tree, file);
  const text = await readFile(absolute, "utf8");
  const pieces = text.split(find);
  if (pieces.length !== 2) throw new Error(`the change of ${file} fits ${pieces.length - 1} times`);
  await writeFile(absolute, pieces.join(replace));
  return () => writeFile(absolute, text);
}

async function changeTemplate(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl(TEMPLATE) });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
