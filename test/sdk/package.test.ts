/**
 * The SDK as it is published: its types are those of the routes, it builds, it holds what its
 * package.json says, and a project that only has the package can compile against it and run it.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { renderSdkApi } from "../../scripts/sdk-api.ts";
import { publintMessages } from "../../sdk/scripts/publint-messages.ts";
import { projectRoot } from "../house/project-files.ts";

const run = promisify(execFile);
const SDK = path.join(projectRoot, "sdk");
const TSC = path.join(projectRoot, "node_modules/typescript/bin/tsc");

let folder: string;
let installed: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "windward-sdk-"));
  installed = path.join(folder, "node_modules/@windward/sdk");
  await mkdir(installed, { recursive: true });
  for (const project of [SDK, path.join(SDK, "tsconfig.tool.json")])
    await run(process.execPath, [TSC, "-p", project, "--outDir", path.join(installed, "dist")]);
  for (const file of ["package.json", "README.md", "bin"])
    await cp(path.join(SDK, file), path.join(installed, file), { recursive: true });
  for (const name of ["openapi-fetch", "openapi-typescript-helpers", "sdk/commander"])
    await symlink(moduleAt(name), path.join(folder, "node_modules", path.basename(name)));
});
/** The root has another commander, of other packages. */
function moduleAt(name: string): string {
  const own = name.startsWith("sdk/") ? SDK : projectRoot;
  return path.join(own, "node_modules", path.basename(name));
}

after(() => rm(folder, { recursive: true, force: true }));

test("the types of the SDK are those of the routes", async () => {
  for (const [file, text] of Object.entries(await renderSdkApi())) {
    const committed = await readFile(path.join(projectRoot, file), "utf8");
    assert(committed === text, `${file} is not current: run npm run generate`);
  }
});

test("publint finds nothing to say about the package", async () => {
  assert.deepEqual(await publintMessages(installed), []);
});

const TOOL = /^(tool|exam)\//;

test("what is built needs nothing but openapi-fetch, and nothing of Node", async () => {
  assert.deepEqual(await importedBy((file) => !TOOL.test(file)), ["openapi-fetch"]);
});

test("the tool in it needs commander besides, and runs as a program", async () => {
  const others = (await importedBy((file) => TOOL.test(file))).filter(
    (name) => !name.startsWith("node:"),
  );
  assert.deepEqual(others, ["commander"]);
  const bin = path.join(installed, "bin/windward.mjs");
  const { stdout } = await run(process.execPath, [bin, "--version"]);
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
});

/** The packages that these built files import. */
async function importedBy(isMeant: (file: string) => boolean): Promise<string[]> {
  const dist = path.join(installed, "dist");
  const files = (await readdir(dist, { recursive: true })).filter(
    (file) => file.endsWith(".js") && isMeant(file),
  );
  const texts = await Promise.all(files.map((file) => readFile(path.join(dist, file), "utf8")));
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/(?:from|import) ?\(?"([^\s"]+)"/g)].map(([, name]) => name ?? ""),
  );
  const others = new Set(
    imported.filter((name) => !name.startsWith("./") && !name.startsWith("../")),
  );
  return [...others];
}

const PROJECT = `
import { createConsumer, createMemoryStore, createWindward, WindwardError } from "@windward/sdk";

const options = { baseUrl: "http://127.0.0.1:1", apiKey: "svc_test_x", retries: 0 };
const windward = createWindward(options);
try {
  for await (const { transaction_id, status } of windward.transactions({ status: "success" })) {
    const paid: "incomplete" | "success" | "failed" | "error" = status;
    await windward.POST("/transactions/{transaction_id}/refund", {
      params: { path: { transaction_id } },
      body: { amount: paid === "success" ? 25 : 10 },
    });
  }
} catch (error) {
  if (!(error instanceof WindwardError) || error.status !== 0) throw error;
  console.log("no answer");
}
// @ts-expect-error no such path
await windward.GET("/nothing").catch(() => {});
// @ts-expect-error the path has a parameter
await windward.GET("/transactions/{transaction_id}").catch(() => {});
export const consumer = createConsumer({
  windward,
  accountNumber: "1234567890",
  environment: "sandbox",
  store: createMemoryStore(),
  handle: (event) => console.log(event.sequence, event.meta.transaction_id),
});
`;

test("a project compiles against the package, strictly, and runs it", async () => {
  await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(path.join(folder, "project.ts"), PROJECT);
  const compilerOptions = {
    strict: true,
    target: "es2022",
    module: "nodenext",
    lib: ["es2022", "dom", "dom.iterable"],
    types: [],
  };
  const config = { compilerOptions, files: ["project.ts"] };
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify(config));
  await run(process.execPath, [TSC, "-p", folder]).catch((error) => assert.fail(error.stdout));
  const { stdout } = await run(process.execPath, [path.join(folder, "project.js")]);
  assert.equal(stdout, "no answer\n");
});
