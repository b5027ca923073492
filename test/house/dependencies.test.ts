/**
 * docs/dependencies.md speaks of the packages that are here, each has our verdict, and none has a
 * licence that we did not judge. What it measured is of its day and is not measured again.
 */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { tellSignatures, tellVulnerabilities } from "../../scripts/dependencies/audits.ts";
import {
  broughtBy,
  directOf,
  duplicates,
  type Lock,
  productionPackages,
  readLock,
} from "../../scripts/dependencies/lock-file.ts";
import { readDocument } from "../../scripts/dependencies/registry.ts";
import { DEVELOPMENT, LICENCES, PRODUCTION } from "../../scripts/dependencies/verdicts.ts";
import { freePort } from "../../testkit/free-port.ts";
import { projectRoot } from "./project-files.ts";

const PAGE = "docs/dependencies.md";
const ASK_AGAIN = `${PAGE} is older than package-lock.json: npm run deps writes it anew`;
const lock = readLock(projectRoot);
const production = directOf(lock, "dependencies");
const development = directOf(lock, "devDependencies");

/** "name version" of each row below a heading of the page. */
function rowsBelow(heading: string): string[] {
  const page = readFileSync(path.join(projectRoot, PAGE), "utf8");
  const [, part = ""] = page.split(`\n## ${heading}\n`);
  const [own = ""] = part.split("\n## ");
  return [...own.matchAll(/^\| `(\S+)` \| (\S+) \|/gm)].map(([, name, at]) => `${name} ${at}`);
}

const named = (all: typeof production) => all.map(({ name, version }) => `${name} ${version}`);

test("the page names each direct dependency as it is locked, and no other", () => {
  assert.deepEqual(rowsBelow("In production").toSorted(), named(production).toSorted(), ASK_AGAIN);
  assert.deepEqual(
    rowsBelow("In development").toSorted(),
    named(development).toSorted(),
    ASK_AGAIN,
  );
});

test("each direct dependency has a verdict, and each verdict a dependency", () => {
  const names = (all: typeof production) => [...new Set(all.map(({ name }) => name))].toSorted();
  const where = "scripts/dependencies/verdicts.ts";
  assert.deepEqual(Object.keys(PRODUCTION).toSorted(), names(production), where);
  assert.deepEqual(Object.keys(DEVELOPMENT).toSorted(), names(development), where);
});

test("each direct dependency is asked for in one version, so that upgrades are decided", () => {
  const loose = [...production, ...development].filter(({ range, version }) => range !== version);
  assert.deepEqual(loose, []);
});

test("every licence in production was judged", () => {
  const licences = new Set(productionPackages(lock).map(({ license }) => license ?? "none"));
  assert.deepEqual([...licences].toSorted(), Object.keys(LICENCES).toSorted());
});

test("TypeScript is not in production because a dependency could use it (Decision 0134)", () => {
  const names = new Set(productionPackages(lock).map(({ name }) => name));
  assert(names.has("cosmiconfig") && !names.has("typescript"));
});

describe("what follows from a lock file", () => {
  const small: Lock = {
    "": { dependencies: { a: "1.0.0", b: "1.0.0" }, devDependencies: { d: "1.0.0" } },
    sdk: { dependencies: { s: "2.0.0" } },
    "node_modules/a": { version: "1.0.0", dependencies: { own: "1", shared: "1" } },
    "node_modules/a/node_modules/shared": { version: "2.0.0" },
    "node_modules/b": { version: "1.0.0", dependencies: { shared: "1", deep: "1" } },
    "node_modules/own": { version: "1.0.0", dependencies: { deep: "1" } },
    "node_modules/deep": { version: "1.0.0", optionalDependencies: { absent: "1" } },
    "node_modules/shared": { version: "1.0.0" },
    "node_modules/d": { version: "1.0.0", dev: true },
    "node_modules/sdk": { link: true },
    "sdk/node_modules/s": { version: "2.0.0" },
  };
  const direct = directOf(small, "dependencies");

  test("dependencies of the workspace are direct ones, too", () => {
    assert.deepEqual(named(direct), ["a 1.0.0", "b 1.0.0", "s 2.0.0"]);
  });

  test("a package brings what nothing else needs, in the version that it finds", () => {
    const [a, b] = direct;
    assert(a && b);
    const nested = "node_modules/a/node_modules/shared";
    assert.deepEqual([...broughtBy(small, a, direct)], [a.place, "node_modules/own", nested]);
    assert.deepEqual([...broughtBy(small, b, direct)], [b.place, "node_modules/shared"]);
  });

  test("production is all but tools and our own workspace", () => {
    const packages = productionPackages(small);
    assert.equal(packages.length, 7);
    assert.deepEqual(duplicates(packages), [{ name: "shared", versions: ["2.0.0", "1.0.0"] }]);
  });
});

test("a release that changes nothing has the same first number that is not 0", () => {
  const alike = (versions: string[], at: string, latest: string) =>
    readDocument(
      {
        "dist-tags": { latest },
        time: { created: "2020-01-01T00:00:00Z", [latest]: "2026-11-05T10:00:00Z" },
        versions: Object.fromEntries(versions.map((each) => [each, {}])),
      },
      at,
    );
  const told = alike(["7.9.0", "7.30.2", "7.31.0-rc.1", "8.0.1"], "7.9.0", "8.0.1");
  assert.deepEqual([told.newestAlike, told.newest], ["7.30.2", "8.0.1"]);
  assert.deepEqual([told.releasedOn, told.isFromCopy], ["2026-11-05", false]);
  assert.equal(alike(["0.17.3", "0.18.0"], "0.17.3", "0.18.0").newestAlike, "0.17.3");
});

test("the audits are told as npm made them, or why it could not", () => {
  const stdout = "audited 3 packages in 1s\n\n3 packages have verified registry signatures\n";
  const told = tellSignatures({ stdout, stderr: "" });
  assert.equal(told, "3 packages have verified registry signatures");
  const stderr =
    "npm error code E404\nnpm error request to https://a.b/keys failed, reason: gone\n";
  assert.match(tellSignatures({ stdout: "", stderr }), /^not made: .*reason: gone$/);

  const counts = { critical: 0, high: 1, moderate: 0, low: 0, info: 0, total: 1 };
  const found = { a: { name: "a", severity: "high" } };
  const audit = (each: object) => tellVulnerabilities({ stdout: JSON.stringify(each) });
  assert.equal(
    audit({ metadata: { vulnerabilities: counts }, vulnerabilities: found }),
    "1 high: `a` (high)",
  );
  const none = { metadata: { vulnerabilities: { ...counts, high: 0, total: 0 } } };
  assert.equal(audit(none), "no known vulnerability");
  const refusal = { message: "405 Method Not Allowed - POST https://a.b/bulk" };
  assert.equal(audit(refusal), "not made: 405 Method Not Allowed");
});

test("without a registry the script says so in one sentence and leaves the page alone", async () => {
  const before = readFileSync(path.join(projectRoot, PAGE), "utf8");
  const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${await freePort()}` };
  const { code, stderr } = await ended("scripts/dependencies.ts", { cwd: projectRoot, env });
  assert.equal(code, 1);
  assert.match(stderr, /^The registry says nothing about \S+: .*ECONNREFUSED.*\.\n$/);
  assert.equal(readFileSync(path.join(projectRoot, PAGE), "utf8"), before);
});

// What graphile-worker looks for is a program, and it would be run when the queue is loaded.
test("the queue runs no file that lies above the folder of the service (Decision 0134)", async () => {
  const above = mkdtempSync(path.join(tmpdir(), "windward-above-"));
  try {
    const cwd = mkdtempSync(path.join(above, "service-"));
    const file = path.join(above, "graphile-worker.config.js");
    writeFileSync(file, 'process.stdout.write("run")');
    const script = path.join(cwd, "load.mjs");
    const queue = import.meta.resolve("graphile-worker");
    writeFileSync(script, `await import(${JSON.stringify(queue)});process.stdout.write("loaded")`);
    const env = { ...process.env, HOME: above };
    assert.deepEqual(await ended(script, { cwd, env }), { code: 0, stdout: "loaded", stderr: "" });
  } finally {
    rmSync(above, { recursive: true });
  }
});

function ended(script: string, options: { cwd: string; env: NodeJS.ProcessEnv }) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [script], options, (_, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr });
    });
  });
}
