#!/usr/bin/env node
/**
 * `npx windward verify …`. Plain JavaScript, so that Node 20 reads it: a published package has its
 * code built in dist; in a clone it runs from the sources, by a Node that takes TypeScript as it
 * is, which comes along with `npm ci`. So there is no step to forget.
 */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const SOURCES = new URL("../src/verify/", import.meta.url);
const BUILT = new URL("../dist/verify/", import.meta.url);
const OWN_NODE = fileURLToPath(new URL("../../node_modules/node/bin/node", import.meta.url));
const CALLED_WRONGLY = 2;

const isClone = existsSync(SOURCES);
const runsTypeScript = Boolean(process.features.typescript);
if (isClone && !runsTypeScript && existsSync(OWN_NODE)) {
  const self = fileURLToPath(import.meta.url);
  const { status } = spawnSync(OWN_NODE, [self, ...process.argv.slice(2)], { stdio: "inherit" });
  process.exit(status ?? CALLED_WRONGLY);
}
if (!existsSync(BUILT) && !(isClone && runsTypeScript)) {
  process.stderr.write("Run npm ci first: it brings along the Node that this needs.\n");
  process.exit(CALLED_WRONGLY);
}
const { runVerify } = await import("./run-verify.mjs");
const from =
  isClone && runsTypeScript ? { folder: SOURCES, ending: ".ts" } : { folder: BUILT, ending: ".js" };
process.exitCode = await runVerify(
  process.argv.slice(2),
  (name) => import(new URL(`${name}${from.ending}`, from.folder).href),
);
