/**
 * The guarantee: help and docs/operator.md describe every command and no other. That each example
 * shows what the program says is proven in `examples.test.ts`.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { renderOperatorPage } from "../../scripts/operator-page.ts";
import { COMMANDS } from "../../src/modules/operator/commands.ts";
import { helpOf } from "../../src/modules/operator/help.ts";
import { readStatusReport } from "../../src/modules/withdrawals/bank-files/status-report.ts";
import { operator } from "../../testkit/operator.ts";
import { projectRoot } from "../house/project-files.ts";

describe("docs/operator.md", () => {
  const page = readFileSync(path.join(projectRoot, "docs/operator.md"), "utf8");

  test("has the section of every command, and no other", () => {
    const named = [...page.matchAll(/^### (.+)$/gm)].map(([, name]) => name);
    assert.deepEqual(
      named,
      COMMANDS.map(({ name }) => name),
    );
    assert.equal(page, renderOperatorPage(page, COMMANDS), "run npm run generate");
  });

  test("shows an answer of a bank that is read", () => {
    const [, sample = ""] = /```xml\n([\s\S]+?)```/.exec(page) ?? [];
    const { originalMessageId, parts } = readStatusReport(Buffer.from(sample));
    const [part] = parts;
    assert.equal(part?.partId, `${originalMessageId}-T`);
    assert.deepEqual(
      part.payments.map(({ status, endToEndId }) => [status, endToEndId.length]),
      [["ACSC", 32]],
    );
  });
});

describe("help", () => {
  test("without a command lists all of them", async () => {
    const [asked, nothing] = await Promise.all([
      operator(undefined, ["--help"]),
      operator(undefined, []),
    ]);
    for (const { name, about } of COMMANDS) assert.match(asked.stdout, listed(name, about));
    assert.deepEqual([asked.code, asked.stderr], [0, ""]);
    assert.deepEqual(nothing, { code: 2, stdout: "", stderr: asked.stdout });
  });

  test("of each command names what it takes", () => {
    for (const command of COMMANDS) {
      const { name, kind, fields, subject } = command;
      const help = helpOf(command);
      for (const field of Object.keys(fields))
        if (field !== subject) assert.ok(help.includes(`--${field.replaceAll("_", "-")}`), field);
      assert.equal(help.includes("--by <name> --why <reason>"), kind === "action", name);
    }
  });

  test("of a command is told without a database, whatever else is typed", async () => {
    const command = COMMANDS.find(({ name }) => name === "freeze-account");
    assert(command !== undefined);
    const said = await operator(undefined, ["freeze-account", "--nonsense", "--help"]);
    assert.deepEqual(said, { code: 0, stdout: `${helpOf(command)}\n`, stderr: "" });
  });

  function listed(name: string, about: string): RegExp {
    const escaped = about.replace(/[^\w ]/g, "\\$&");
    return new RegExp(`^ +${name} +${escaped}$`, "m");
  }
});
