/** The guarantee: each house rule complains about what it forbids, and about nothing else. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { banComplaints } from "./ban-list.ts";
import { withoutExceptions } from "./complaints.ts";
import { shapeComplaints } from "./shape-rules.ts";
import { sourceFacts } from "./source-facts.ts";

const rulesBroken = (texts: Record<string, string>) => {
  const files = new Map(Object.entries(texts));
  const complaints = [...shapeComplaints(files, sourceFacts(files)), ...banComplaints(files)];
  return complaints.map(({ file, line, rule }) => `${file}:${line} ${rule}`);
};

describe("the shape of a file", () => {
  test("a line of 101 columns is too wide, one of 100 is not", () => {
    const wide = `// ${"é".repeat(98)}`;
    assert.deepEqual(rulesBroken({ "src/a.ts": `${wide}\n` }), ["src/a.ts:1 columns"]);
    assert.deepEqual(rulesBroken({ "src/a.ts": `${wide.slice(0, 100)}\n` }), []);
  });

  test("an import and the name of a test may have 120 columns, no more", () => {
    const named = (length: number) => `// Header\ntest("${"a".repeat(length - 7)}"\n`;
    assert.deepEqual(rulesBroken({ "test/a.test.ts": named(120) }), []);
    assert.deepEqual(rulesBroken({ "test/a.test.ts": named(121) }), ["test/a.test.ts:2 columns"]);
  });

  test("prose and generated files may be as wide and long as they like", () => {
    const text = `${"a".repeat(200)}\n`.repeat(400);
    assert.deepEqual(rulesBroken({ "docs/interface.md": text, "db/schema.sql": text }), []);
  });

  test("a file of 301 lines is too long", () => {
    const text = "-- one\n".repeat(301);
    assert.deepEqual(rulesBroken({ "db/a.sql": text }), ["db/a.sql:301 file lines"]);
  });

  test("a function of 61 lines is too long, braces in strings notwithstanding", () => {
    const body = (lines: number) => `\n${'  call("}");\n'.repeat(lines - 2)}`;
    const text = (lines: number) => `// Header\nexport function story() {${body(lines)}}\n`;
    assert.deepEqual(rulesBroken({ "src/a.ts": text(61) }), ["src/a.ts:2 function lines"]);
    assert.deepEqual(rulesBroken({ "src/a.ts": text(60) }), []);
  });

  test("a long test callback passes as a list of promises, a long helper in it does not", () => {
    const long = `{\n${"  call();\n".repeat(70)}}`;
    const text = `// Header\ndescribe("all", () => {\n  test("one", async () => ${long});\n});\n`;
    assert.deepEqual(rulesBroken({ "src/a.test.ts": text }), []);
    const helper = `// Header\ntest("one", () => {\n  const help = () => ${long};\n});\n`;
    assert.deepEqual(rulesBroken({ "test/a.test.ts": helper }), [
      "test/a.test.ts:3 function lines",
    ]);
  });

  test("files and folders are written in kebab-case, migrations with their number first", () => {
    const names = ["src/fooBar.ts", "src/Kit/a.ts", "src/a_b.ts", "docs/decisions/README.md"];
    const good = ["src/cancel-withdrawal.test.ts", "db/migrations/0001_ledger_accounts.sql"];
    const files = Object.fromEntries([...names, ...good].map((name) => [name, "-- why\n"]));
    const broken = names.slice(0, 3).map((name) => `${name}:1 file name`);
    assert.deepEqual(rulesBroken({ ...files, LICENSE: "", "CHANGELOG.md": "" }), broken);
  });

  test("a test, a migration and a source file of 61 lines need a header", () => {
    const lines = "call();\n";
    const files = {
      "src/long.ts": lines.repeat(61),
      "src/short.ts": lines.repeat(60),
      "src/short.test.ts": lines,
      "src/linted.test.ts": `// biome-ignore lint: because\n${lines}`,
      "db/migrations/0001_first.sql": "select 1;\n",
      "src/start.mjs": `#!/usr/bin/env node\n\n/** Starts. */\n${lines.repeat(80)}`,
    };
    const broken = ["src/long.ts", "src/short.test.ts", "src/linted.test.ts"];
    const expected = [...broken, "db/migrations/0001_first.sql"].map((file) => `${file}:1 header`);
    assert.deepEqual(rulesBroken(files), expected);
  });
});

describe("the ban list", () => {
  // Halves are joined here so that this file does not write what it bans.
  const banned: [string, string, string][] = [
    ["src/a.ts", "const at = Date.now();", "Date.now("],
    ["src/a.ts", "const at = new Date();", "new Date()"],
    ["src/a.ts", "parseFloat(total)", "parseFloat("],
    ["src/a.ts", "process.env.PORT", "process.env"],
    ["src/a.ts", "console.log(1)", "console."],
    ["src/a.ts", "Math.random()", "Math.random("],
    ["src/a.ts", "await db.rows<Row>(statement)", "a row without a shape"],
    ["src/a.ts", "await tx.one(sql`select 1`)", "a row without a shape"],
    ["sdk/src/a.ts", 'import { hash } from "node:crypto";', "what only Node has"],
    ["src/a.test.ts", `test${".only"}("a", run)`, "a test switched off or singled out"],
    [
      "test/api/a.test.ts",
      `test("a", { ${"skip"}: true }, run)`,
      "a test switched off or singled out",
    ],
    ["test/api/a.test.ts", "await sleep(100)", "sleeping in a test"],
    ["test/people/a.test.ts", "await sleep(100)", "a test that waits by the clock"],
    ["db/migrations/0001_a.sql", `-- ${"TO"}${"DO"} index`, "a reminder"],
    ["README.md", `see /${"home"}/notes.md`, "a path of one machine"],
    ["package-lock.json", `"${"resolved"}": "https://example.com/a.tgz"`, "a package registry"],
    [".npmrc", `${"registry"}=https://example.com/`, "a package registry"],
  ];
  for (const [file, line, rule] of banned) {
    test(`${rule} is refused in ${file}`, () => {
      assert.deepEqual(rulesBroken({ [file]: `// Header\n${line}\n` }), [`${file}:2 ${rule}`]);
    });
  }

  test("what is banned from src may be explained in a comment, and used outside of src", () => {
    const files = {
      "src/a.ts": "/**\n * Never Date.now() here.\n */\n// nor new Date()\nnew Date(at);\n",
      "bench/a.ts": "console.log(Math.random());\n",
      "src/a.test.ts": "// Guarantee\nDate.now();\n",
      "README.md": "open https://example.com/home/1\n",
    };
    assert.deepEqual(rulesBroken(files), []);
  });
});

describe("an exception", () => {
  const complaint = { file: "src/a.ts", line: 3, rule: "columns", advice: "break it" };

  test("silences its rule in its file and nothing else", () => {
    const exceptions = [{ file: "src/a.ts", rule: "columns", reason: "a table" }];
    const other = { ...complaint, file: "src/b.ts" };
    const left = withoutExceptions([complaint, other], exceptions);
    assert.deepEqual(left, ["src/b.ts:3 columns → break it"]);
  });

  test("is refused once nothing needs it", () => {
    const exceptions = [{ file: "src/a.ts", rule: "header", reason: "old" }];
    assert.deepEqual(withoutExceptions([], exceptions), [
      'The exception of src/a.ts from "header" is not needed: drop it',
    ]);
  });
});
