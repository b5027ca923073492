/** `npm run sbom` lists every package of a production install, with the hash of the lock file. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { projectRoot } from "./project-files.ts";

interface Component {
  readonly name: string;
  readonly version: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

const read = (file: string) => JSON.parse(readFileSync(path.join(projectRoot, file), "utf8"));

test("the SBOM has each package that production needs, as it is locked, and no tool of development", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "windward-sbom-test-"));
  const file = path.join(folder, "sbom.json");
  execFileSync(process.execPath, ["scripts/sbom.ts", file], { cwd: projectRoot, stdio: "pipe" });
  const { bomFormat, specVersion, metadata, components } = JSON.parse(readFileSync(file, "utf8"));
  rmSync(folder, { recursive: true });
  assert.equal(`${bomFormat} ${specVersion}`, "CycloneDX 1.5");
  const { name, version, dependencies, devDependencies } = read("package.json");
  assert.equal(`${metadata.component.name} ${metadata.component.version}`, `${name} ${version}`);

  const listed = new Map<string, Component>(
    components.map((each: Component) => [`${each.name}@${each.version}`, each]),
  );
  for (const [needed, at] of Object.entries(dependencies)) assert(listed.has(`${needed}@${at}`));
  const { packages } = read("package-lock.json");
  for (const own of Object.keys(dependencies)) {
    const { version: at, integrity } = packages[`node_modules/${own}`];
    const [hash] = listed.get(`${own}@${at}`)?.hashes ?? [];
    const content = Buffer.from(hash?.content ?? "", "hex").toString("base64");
    assert.equal(`sha512-${content}`, integrity, own);
  }
  const names = new Set(components.map((each: Component) => each.name));
  for (const transitive of ["pg-types", "pg-pool", "cosmiconfig", "sonic-boom"])
    assert(names.has(transitive), transitive);
  assert.deepEqual(
    Object.keys(devDependencies).filter((each) => names.has(each) && !isShared(packages, each)),
    [],
  );
});

/** A tool of development that a dependency needs, or may use, as well. */
function isShared(packages: Record<string, { dev?: boolean }>, name: string) {
  return !packages[`node_modules/${name}`]?.dev;
}
