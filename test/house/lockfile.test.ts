/**
 * The guarantee: `npm ci` works on every platform and with every npm, because each package that the
 * lock file names as optional has its own entry. Newer versions of npm refuse a lock with holes.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { projectRoot } from "./project-files.ts";

interface Entry {
  readonly version?: string;
  readonly optionalDependencies?: Record<string, string>;
}

function holesIn(packages: Readonly<Record<string, Entry>>): string[] {
  return Object.entries(packages).flatMap(([at, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => {
      const nested = at === "" ? undefined : packages[`${at}/node_modules/${name}`];
      return (nested ?? packages[`node_modules/${name}`])?.version === undefined;
    }),
  );
}

test("every optional package of the lock file has its entry", () => {
  const text = readFileSync(path.join(projectRoot, "package-lock.json"), "utf8");
  assert.deepEqual(holesIn(JSON.parse(text).packages), []);
});

test("an optional package without an entry is found", () => {
  const packages = { "node_modules/a": { version: "1.0.0", optionalDependencies: { b: "1" } } };
  assert.deepEqual(holesIn(packages), ["b"]);
});
