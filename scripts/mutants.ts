/**
 * Puts one bug after another into a copy of the tree and runs the tests that must notice it:
 * `npm run mutants`, or `npm run mutants -- --only <names>` (parts of names will do). It fails when
 * a bug goes unnoticed, or when a test is red without one, because such a test tells nothing.
 */

import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { databaseUrl, TEMPLATE } from "../testkit/database.ts";
import { MUTANTS } from "../testkit/mutants/all.ts";
import type { Mutant, TextChange } from "../testkit/mutants/mutant.ts";
import { globalSetup, globalTeardown, makeTemplate } from "../testkit/setup.ts";
import { readCommand } from "../testkit/tool/command.ts";
import { names } from "../testkit/tool/options.ts";
import { runTool } from "../testkit/tool/run-tool.ts";
import { say, whenQuiet } from "../testkit/tool/say.ts";
import { copyTree } from "./mutants/copy-tree.ts";
import { runTests, type TestRun } from "./mutants/run-tests.ts";

const { only } = readCommand({
  name: "mutants",
  about:
    "Puts one bug after another into a copy of the tree and runs the tests that must notice it. " +
    "It fails when a bug goes unnoticed, or when a test is red without one.",
  takes: "Takes twenty minutes with all of them, one or two with a few.",
  options: {
    only: names(
      "mutants by name or by a part of one, with commas between",
      MUTANTS.map(({ name }) => name),
    ),
  },
});
const GREEN_SECONDS_MAX = 900;
const chosen = MUTANTS.filter(({ name }) => only?.includes(name) ?? true);
const failures: string[] = [];

await runTool("mutants", async (tool) => {
  const beganAt = performance.now();
  await tool.keep(globalSetup, globalTeardown);
  const tree = await copyTree(path.resolve(import.meta.dirname, ".."), tool.folder);
  await expectGreen(tree, [...new Set(chosen.flatMap(({ caughtBy }) => caughtBy))]);
  for (const [index, mutant] of chosen.entries()) {
    whenQuiet(() => `  mutant ${index + 1} of ${chosen.length}: ${mutant.name}`);
    report(mutant, await withBug(tree, mutant, () => runTests(tree, mutant.caughtBy)));
  }
  const minutes = (performance.now() - beganAt) / 60_000;
  say(`\n${chosen.length} mutants in ${minutes.toFixed(1)} minutes`);
  for (const failure of failures) say(`✖ ${failure}`);
  return failures.length === 0;
});

/** The tests themselves, without a bug: all that follows stands on this. */
async function expectGreen(tree: string, files: readonly string[]): Promise<void> {
  say(`${chosen.length} mutants; first their ${files.length} test files without one`);
  let done = 0;
  whenQuiet(() => `  ${done} of ${files.length} test files`);
  const { failed, isCutShort, seconds } = await runTests(tree, files, {
    secondsMax: GREEN_SECONDS_MAX,
    onFile: () => {
      done += 1;
    },
  });
  const trouble = isCutShort ? "they do not run, or too long" : failed;
  say(`${trouble === undefined ? "✔ green" : `✖ ${trouble}`} after ${seconds.toFixed(0)} s\n`);
  if (trouble !== undefined) failures.push(`without a mutant: ${trouble}`);
}

function report({ name, breaks }: Mutant, { failed, seconds }: TestRun): void {
  const mark = failed === undefined ? "✖" : "✔";
  say(`${mark} ${name.padEnd(42)} ${seconds.toFixed(1).padStart(5)} s  ${failed ?? "survives"}`);
  if (failed === undefined) failures.push(`${name} survives: ${breaks}`);
}

async function withBug<T>(tree: string, { change }: Mutant, work: () => Promise<T>): Promise<T> {
  if ("sql" in change) {
    await changeTemplate(change.sql);
    return work().finally(makeTemplate);
  }
  const restore = await changeText(tree, change);
  return work().finally(restore);
}

async function changeText(
  tree: string,
  { file, find, replace }: TextChange,
): Promise<() => Promise<void>> {
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
