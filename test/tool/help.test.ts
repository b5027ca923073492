/**
 * The guarantee: each of the long tools tells its options when asked, refuses in one sentence what
 * it does not know, and has started and made nothing by then.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import manifest from "../../package.json" with { type: "json" };

type Name = keyof typeof manifest.scripts;

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const TOOLS: readonly (readonly [name: Name, options: readonly string[]])[] = [
  ["soak", ["minutes", "operations", "kills", "clients", "seed"]],
  ["soak:ledger", ["postings", "seed"]],
  ["soak:webhooks", ["events"]],
  ["soak:listen", ["events", "kills", "seed"]],
  ["soak:live", ["payments", "faults", "seed"]],
  ["drill", ["cluster", "only", "from", "seed"]],
  ["rehearse-split", ["operations", "seed"]],
  ["fuzz", ["requests", "seed"]],
  ["mutants", ["only"]],
  ["bench", ["quick", "only", "largest", "budget"]],
  ["powertranz-fake", ["port"]],
  ["screenshots", ["only"]],
];

const outside = mkdtempSync(path.join(tmpdir(), "windward-help-"));
const folder = path.join(outside, "theirs");
mkdirSync(folder);
after(() => rmSync(outside, { recursive: true }));

interface Ended {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Without npm, which takes longer than the tool. */
function ask(name: Name, option: string): Promise<Ended> {
  const [, file = ""] = manifest.scripts[name].split(" ");
  // Most of the time goes into reading the same files: what one has read, the next one need not.
  const cache = path.join(outside, "cache");
  const env = { ...process.env, TMPDIR: folder, NODE_COMPILE_CACHE: cache };
  return new Promise((resolve) => {
    execFile(process.execPath, [file, option], { cwd: PROJECT, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

const expectNothingMade = () => assert.deepEqual(readdirSync(folder), []);

describe("a long tool", { concurrency: 2 }, () => {
  for (const [name, options] of TOOLS)
    test(`tells its options and exits with 0 for ${name} --help`, async () => {
      const { code, stdout, stderr } = await ask(name, "--help");
      assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
      assert(stdout.startsWith(`npm run ${name} -- [options]\n`), stdout);
      const told = [...stdout.matchAll(/^ {2}--(\w+)/gm)].map(([, option]) => option);
      assert.deepEqual(told, [...options, "help"]);
      expectNothingMade();
    });

  for (const [name] of TOOLS)
    test(`says one sentence and exits with 2 for ${name} --nonsense`, async () => {
      const stderr = `There is no --nonsense; npm run ${name} -- --help tells what there is.\n`;
      assert.deepEqual(await ask(name, "--nonsense"), { code: 2, stdout: "", stderr });
      expectNothingMade();
    });
});
