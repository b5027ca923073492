/**
 * The guarantee: where Node takes no TypeScript, the tool of a clone runs by the Node that came
 * along, with its exit code, and trouble with that Node is told apart from wrong usage.
 */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { after, test } from "node:test";
import { childrenOf } from "../../testkit/process-facts.ts";
import { until } from "../../testkit/until.ts";
import { WINDWARD } from "../../testkit/windward-tool.ts";

/** As if this Node took no TypeScript. */
const OLD_NODE = [process.execPath, "--no-experimental-strip-types"] as const;

const folder = mkdtempSync(path.join(tmpdir(), "windward-clone-"));
const ownNode = path.join(folder, "node_modules/node/bin/node");
const program = path.join(folder, "sdk/bin/windward.mjs");
for (const file of [ownNode, program, path.join(folder, "sdk/src/tool/program.ts")]) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "");
}
copyFileSync(WINDWARD, program);
after(() => rmSync(folder, { recursive: true }));

function begin(file: string, ...args: readonly string[]) {
  const [node, flag] = OLD_NODE;
  const child = spawn(node, [flag, file, ...args], { env: { XDG_CONFIG_HOME: folder } });
  const ended = Promise.all([once(child, "close"), text(child.stderr)]);
  return { child, ended: ended.then(([[code], stderr]) => ({ code, stderr })) };
}

test("the exit code is that of the other Node", async () => {
  const { code } = await begin(WINDWARD, "no-such-command").ended;
  assert.equal(code, 2);
});

test("a run that was killed has failed, and was not called wrongly", async () => {
  const { child, ended } = begin(WINDWARD, "login");
  const children = () => childrenOf(child.pid ?? 0);
  await until(() => children().length === 1, "the other Node runs");
  for (const pid of children()) process.kill(pid, "SIGKILL");
  assert.equal((await ended).code, 1);
});

test("a Node that cannot be run, or is not there, is said to be missing", async () => {
  const told = { code: 1, stderr: "Run npm ci first: it brings along the Node that this needs.\n" };
  assert.deepEqual(await begin(program, "--version").ended, told);
  rmSync(ownNode);
  assert.deepEqual(await begin(program, "--version").ended, told);
});
