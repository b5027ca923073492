/** The file that starts tracing costs a process neither its start nor its end in order. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { startTracing, TracingNotStarted } from "../../src/infra/process/start-tracing.ts";

const folder = mkdtempSync(path.join(tmpdir(), "windward-tracing-"));
after(() => rmSync(folder, { recursive: true }));

function start(name: string, source: string) {
  const file = path.join(folder, name);
  writeFileSync(file, source);
  const warned: object[] = [];
  const log = { warn: (about: object) => void warned.push(about) };
  return { warned, stopping: startTracing({ file, oneOf: 100 }, log) };
}

for (const [what, name, source] of [
  ["refuses", "refuses.mjs", `export const stop = async () => { throw new Error("404"); };`],
  ["breaks", "breaks.mjs", `export const stop = () => { throw new Error("broken"); };`],
] as const)
  test(`a collector that ${what} at the end is told of in the log, and nothing else`, async () => {
    const { warned, stopping } = start(name, source);
    await (await stopping)();
    assert.equal(warned.length, 1);
  });

for (const [what, name, source] of [
  ["without stop()", "without.mjs", "export const other = 1;"],
  ["that is no code", "no-code.mjs", "export const = 1;"],
] as const)
  test(`a file ${what} keeps the service from starting, and is named`, async () => {
    await assert.rejects(start(name, source).stopping, (error: Error) => {
      assert(error instanceof TracingNotStarted);
      return error.message.includes(name);
    });
  });

test("a file that never ends to load is given up, with a sentence", async () => {
  const file = path.join(folder, "never.mjs");
  writeFileSync(file, "await new Promise(() => {});\nexport const stop = () => {};");
  await assert.rejects(startTracing({ file, oneOf: 100 }, { warn() {} }, 200), {
    message: `TRACING: ${file} was not loaded within 0.2 seconds.`,
  });
});

test("a pipe and a folder are no files", async () => {
  const pipe = path.join(folder, "pipe.mjs");
  execFileSync("mkfifo", [pipe]);
  for (const file of [pipe, folder])
    await assert.rejects(startTracing({ file, oneOf: 100 }, { warn() {} }), {
      message: `TRACING: ${file} is not a file.`,
    });
});
