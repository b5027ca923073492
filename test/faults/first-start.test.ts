/** The first start after an install is as quick and as small as every later one. */

import assert from "node:assert/strict";
import { execSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { NOTHING_COMPILED, REPORT_COMPILER_USE } from "../../testkit/compiler-use.ts";
import { freshDatabase } from "../../testkit/database.ts";
import { makeDataDir } from "../../testkit/database-owners.ts";
import { KEPT_SETTINGS } from "../../testkit/kept-settings.ts";
import { endAll, makeFolder, start, startArguments, UNHINDERED } from "../../testkit/processes.ts";
import { projectRoot } from "../house/project-files.ts";

const { scripts } = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8"));
const POSTINSTALL: string = scripts.postinstall;

after(endAll);

/** The folder beside the dependencies. */
const OUR_OWN = "";

/** As `npm ci` does after everything else. */
function install(cache: string): void {
  const PATH = `${path.dirname(process.execPath)}:${KEPT_SETTINGS.PATH}`;
  execSync(POSTINSTALL, { cwd: projectRoot, env: { PATH, NODE_COMPILE_CACHE: cache } });
}

async function startAndStop(cache: string): Promise<string> {
  const database = await freshDatabase();
  const settings = { ...UNHINDERED, DATABASE_URL: database.url, NODE_COMPILE_CACHE: cache };
  const service = await start({ settings, flags: [REPORT_COMPILER_USE] });
  // Loaded on its first use.
  assert.equal((await service.ask("/docs/start")).status, 200);
  const { stderr, code } = await service.stop();
  await database.drop();
  assert.equal(code, 0);
  return stderr;
}

for (const [where, cache] of [
  ["beside the dependencies", OUR_OWN],
  ["in another folder", makeFolder()],
] as const)
  test(`an install has compiled, ${where}, all that a start loads`, async () => {
    install(cache);
    assert.equal(await startAndStop(cache), NOTHING_COMPILED);
  });

test("and all that the operator's commands and our own database load", async () => {
  const cache = makeFolder();
  install(cache);
  const env = { ...KEPT_SETTINGS, NODE_COMPILE_CACHE: cache };
  const { stderr } = spawnSync(
    process.execPath,
    [REPORT_COMPILER_USE, startArguments().script, "operator"],
    {
      env,
      encoding: "utf8",
    },
  );
  assert(stderr.endsWith(NOTHING_COMPILED), stderr);
  const settings = { ...UNHINDERED, DATA_DIR: await makeDataDir(), NODE_COMPILE_CACHE: cache };
  const service = await start({ settings, flags: [REPORT_COMPILER_USE] });
  assert.match(
    service.stdout(),
    /^\n {2}Making the database in \S+\. This takes some seconds, once\.\n/,
  );
  assert.equal((await service.stop()).stderr, NOTHING_COMPILED);
});

test("an install that cannot compile is an install all the same", () => {
  const { stdout, stderr, status } = spawnSync(POSTINSTALL, {
    cwd: makeFolder(),
    env: KEPT_SETTINGS,
    shell: true,
    encoding: "utf8",
  });
  assert.deepEqual([status, stdout, stderr], [0, "", ""]);
});

test("without it the start compiles, and goes well", async () => {
  assert.match(await startAndStop(makeFolder()), /^compiler: [1-9]/);
});
