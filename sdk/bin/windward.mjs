#!/usr/bin/env node
/**
 * `npx windward …`. Plain JavaScript, so that Node 20 reads it: a published package has its code
 * built in dist; in a clone it runs from the sources, by a Node that takes TypeScript as it is,
 * which comes along with `npm ci`. So there is no step to forget.
 */

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const SOURCE = new URL("../src/tool/program.ts", import.meta.url);
const BUILT = new URL("../dist/tool/program.js", import.meta.url);
const OWN_NODE = fileURLToPath(new URL("../../node_modules/node/bin/node", import.meta.url));
const FAILED = 1;

const isClone = existsSync(SOURCE);
const runsTypeScript = Boolean(process.features.typescript);
if (isClone && runsTypeScript) await run(SOURCE);
else if (isClone && existsSync(OWN_NODE)) handOver();
else if (existsSync(BUILT)) await run(BUILT);
else failWithoutNode();

async function run(program) {
  const { runProgram } = await import(program.href);
  process.exitCode = await runProgram(process.argv.slice(2));
}

function failWithoutNode() {
  process.stderr.write("Run npm ci first: it brings along the Node that this needs.\n");
  process.exitCode = FAILED;
}

/** The other Node gets the signals, too: it may have work to finish. */
function handOver() {
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(OWN_NODE, args, { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => child.kill(signal));
  // It is there and does not run: an installation that broke off, or of another machine.
  child.on("error", failWithoutNode);
  // Without a code it was killed.
  child.on("exit", (code) => process.exit(code ?? FAILED));
}
