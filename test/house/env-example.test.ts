/**
 * The guarantee: `.env.example` lists every setting the service reads, in its order, with the
 * meaning and the default the code holds, so an operator never has to read the source.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { renderEnvExample } from "../../scripts/env-example.ts";
import { SETTINGS } from "../../src/infra/settings.ts";
import { projectRoot } from "./project-files.ts";

test(".env.example is what the declared settings make it", () => {
  const committed = readFileSync(path.join(projectRoot, ".env.example"), "utf8");
  assert.equal(committed, renderEnvExample(SETTINGS), "Run: npm run generate");
});

test("no setting is declared twice", () => {
  const names = SETTINGS.map(({ name }) => name);
  assert.deepEqual(names, [...new Set(names)]);
});

describe("a setting in .env.example", () => {
  const rendered = (setting: { about?: string; default?: string; example?: string }) =>
    renderEnvExample([{ name: "PORT", about: "Where to listen.", ...setting }])
      .split("\n\n")
      .at(-1);

  test("shows its default", () => {
    assert.equal(rendered({ default: "3000" }), "# Where to listen.\n# PORT=3000\n");
  });

  test("shows its example where it has no default", () => {
    assert.equal(rendered({ example: "80" }), "# Where to listen.\n# PORT=80\n");
    assert.equal(rendered({ default: "3000", example: "80" }), rendered({ default: "3000" }));
  });

  test("stands empty where it has neither", () => {
    assert.equal(rendered({}), "# Where to listen.\n# PORT=\n");
  });

  test("has its meaning broken into comment lines of at most 90 columns", () => {
    const about = "seven77 ".repeat(30).trim();
    const lines = rendered({ about })?.trimEnd().split("\n") ?? [];
    assert.ok(lines.every((line) => line.startsWith("# ") && line.length <= 90));
    assert.equal(lines.slice(0, -1).join(" ").replaceAll("# ", ""), about);
  });
});
