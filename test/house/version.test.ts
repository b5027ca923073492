// The guarantee: a version is written alike everywhere, and the changelog tells it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { projectRoot } from "./project-files.ts";

const read = (file: string) => readFileSync(path.join(projectRoot, file), "utf8");
const { version, engines } = JSON.parse(read("package.json"));

test("the newest section of the changelog is this version, with the day of its release", () => {
  const [newest = ""] = read("CHANGELOG.md").match(/^## .*$/m) ?? [];
  assert.match(newest, /^## \d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)$/);
  assert.equal(newest.slice(3, newest.indexOf(" (")), version);
});

test("the SDK and the lockfile have the same version", () => {
  const { packages } = JSON.parse(read("package-lock.json"));
  assert.equal(JSON.parse(read("sdk/package.json")).version, version);
  assert.deepEqual([packages[""].version, packages.sdk.version], [version, version]);
  assert.deepEqual(packages[""].engines, engines);
});
