/**
 * The guarantee: the bugs that the tests are tried with (`npm run mutants`) can still be put in.
 * Code moves on; a change that fits nowhere any more would prove nothing and say nothing.
 */

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { MUTANTS } from "../../testkit/mutants/all.ts";
import { projectRoot } from "./project-files.ts";

const LEAST = 40;

test("there are enough of them, each under a name of its own", () => {
  assert(MUTANTS.length >= LEAST, `${MUTANTS.length} mutants are too few`);
  assert.equal(new Set(MUTANTS.map(({ name }) => name)).size, MUTANTS.length);
});

for (const { name, change, caughtBy } of MUTANTS) {
  test(`${name} still fits the code, and its tests are there`, () => {
    assert(caughtBy.length > 0);
    for (const file of caughtBy) assert(existsSync(path.join(projectRoot, file)), file);
    if ("sql" in change) return assert.notEqual(change.sql.trim(), "");
    const text = readFileSync(path.join(projectRoot, change.file), "utf8");
    assert.equal(text.split(change.find).length - 1, 1, `not once in ${change.file}`);
    assert.notEqual(change.find, change.replace);
  });
}
