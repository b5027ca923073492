/** What docs/capacity.md says of costs is what the newest results of the bench say. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { readMeasured } from "../../scripts/capacity/measured.ts";
import { renderMeasured } from "../../scripts/capacity/render-capacity.ts";
import { projectRoot } from "./project-files.ts";

test("the tables of what was measured are those of the newest results", () => {
  const page = readFileSync(path.join(projectRoot, "docs/capacity.md"), "utf8");
  assert.equal(page, renderMeasured(page, readMeasured()), "Run: npm run generate");
});
