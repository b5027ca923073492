/** The first start after an install is as quick and as small as every later one. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { freshDatabase } from "../support/database.ts";
import { KEPT_SETTINGS } from "../support/kept-settings.ts";
import { endAll, makeFolder, start, UNHINDERED } from "../support/processes.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
/** At its end a process says which parts of Node's compiler of TypeScript it has loaded. */
const TELLS = `--import=data:text/javascript,${encodeURIComponent(`
  process.on("exit", () => {
    const loaded = process.moduleLoadList.filter((name) => name.includes("amaro"));
    process.stderr.write("compiler: " + loaded.length);
  });`)}`;

after(endAll);

/** As `npm ci` does after everything else. */
function install(cache: string): void {
  const { scripts } = JSON.parse(readFileSync(path.join(PROJECT, "package.json"), "utf8"));
  const [node, ...rest] = String(scripts.postinstall).split(" ");
  assert.equal(node, "node");
  const env = { ...KEPT_SETTINGS, NODE_COMPILE_CACHE: cache };
  execFileSync(process.execPath, rest, { cwd: PROJECT, env });
}

async function startAndStop(cache: string): Promise<string> {
  const database = await freshDatabase();
  const settings = { ...UNHINDERED, DATABASE_URL: database.url, NODE_COMPILE_CACHE: cache };
  const service = await start({ settings, flags: [TELLS] });
  const { stderr, code } = await service.stop();
  await database.drop();
  assert.equal(code, 0);
  return stderr;
}

test("an install has compiled all that a start loads, for the flags it is started with", async () => {
  const cache = makeFolder();
  install(cache);
  assert.equal(await startAndStop(cache), "compiler: 0");
});

test("without it the start compiles, and goes well", async () => {
  assert.match(await startAndStop(makeFolder()), /^compiler: [1-9]/);
});
