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
  await run(process.execPath, [TSC, "-p", SDK, "--outDir", path.join(installed, "dist")]);
  for (const file of ["package.json", "README.md", "bin"])
    await cp(path.join(SDK, file), path.join(installed, file), { recursive: true });
  for (const name of ["openapi-fetch", "openapi-typescript-helpers"])
    await symlink(
      path.join(projectRoot, "node_modules", name),
      path.join(folder, `node_modules/${name}`),
    );
});
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

test("what is built needs nothing but openapi-fetch, and nothing of Node", async () => {
  const dist = path.join(installed, "dist");
  const files = (await readdir(dist, { recursive: true })).filter((file) => file.endsWith(".js"));
  const texts = await Promise.all(files.map((file) => readFile(path.join(dist, file), "utf8")));
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/(?:from|import) ?\(?"([^"]+)"/g)].map(([, name]) => name ?? ""),
  );
  const others = new Set(
    imported.filter((name) => !name.startsWith("./") && !name.startsWith("../")),
  );
  assert.deepEqual([...others], ["openapi-fetch"]);
});

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
