/**
 * The guarantee: a decision record can be trusted. What it names exists, the code cites it back,
 * the test that proves it is there, and the register leads to every one of them.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { expectNone } from "./complaints.ts";
import { decisionComplaints } from "./decision-rules.ts";
import { projectFiles } from "./project-files.ts";

describe("the decisions of this project", () => {
  const files = projectFiles();

  test("records, code, tests and register agree", () => {
    expectNone(decisionComplaints(files));
  });

  test("there is a register", () => {
    assert.ok(files.has("docs/decisions/README.md"), "docs/decisions/README.md is missing");
  });
});

describe("the check itself", () => {
  // The word and its number are kept apart below: this file must not cite what does not exist.
  const PAGE = "docs/decisions/0001-hash-inputs.md";
  const record = `# 0001 What goes into the hash
Interface: §2.5, "not shown"
Status: accepted · Area: checkout
Decision: Hash the total.
Why: Because a client does,
and because it is short.
Instead of: hashing everything.
Costs: little.
Lives in: \`src/hash.ts\` · proven by: \`test/hash.test.ts\` "the hash covers
the total", \`test/other.test.ts\`
`;
  const ORDER = "Interface, Status, Decision, Why, Instead of, Costs, Lives in";
  const register = "| gap | record |\n|---|---|\n| §2.5 | [0001](0001-hash-inputs.md) |\n";
  const agreeing = {
    [PAGE]: record,
    "docs/decisions/README.md": register,
    "src/hash.ts": `// Decision ${"0001"}: the total alone.`,
    "test/hash.test.ts": 'test("the hash covers the total", run);',
    "test/other.test.ts": "",
  };
  const complaintsWith = (changes: Record<string, string>) =>
    decisionComplaints(new Map(Object.entries({ ...agreeing, ...changes })));
  const edited = (from: string | RegExp, to: string) => ({ [PAGE]: record.replace(from, to) });

  test("a record that code, test and register agree with passes", () => {
    assert.deepEqual(complaintsWith({}), []);
  });

  test("a citation may be broken over two lines of a comment", () => {
    const broken = `/**\n * So says Decision\n * ${"0001"}.\n */`;
    assert.deepEqual(complaintsWith({ "src/hash.ts": broken }), []);
  });

  test("a superseded record may name what is gone", () => {
    const second = "docs/decisions/0002-hash-less.md";
    const changes = {
      ...edited("Status: accepted", "Status: superseded by 0002"),
      [second]: record.replace("# 0001", "# 0002"),
      "docs/decisions/README.md": `${register}| §2.5 | [0002](./0002-hash-less.md) |\n`,
      "src/hash.ts": `// Decisions ${"0002"} and ${"0001"}`,
    };
    assert.deepEqual(complaintsWith(changes), []);
    const gone = { [PAGE]: changes[PAGE]?.replace("src/hash.ts", "src/gone.ts") ?? "" };
    assert.deepEqual(complaintsWith({ ...changes, ...gone }), []);
  });

  const refused: [string, Record<string, string>, string][] = [
    [
      "a title with another number than the file",
      edited("# 0001", "# 0002"),
      `${PAGE}:1 does not begin with "# 0001 " and a title`,
    ],
    ["an empty field", edited("Costs: little.", "Costs:"), `${PAGE} says nothing under "Costs:"`],
    [
      "a field out of order",
      edited("Why: Because", "Costs: little.\nWhy: Because"),
      `${PAGE} has its fields in another order than ${ORDER}`,
    ],
    [
      "a page and a half",
      edited("little.", `little.${"\n".repeat(51)}`),
      `${PAGE} has 61 lines: one page is 60`,
    ],
    [
      "more than 300 words",
      edited("little.", `little.${" word".repeat(252)}`),
      `${PAGE} has 301 words: a record has at most 300`,
    ],
    [
      "a file that does not exist",
      edited("src/hash.ts", "src/gone.ts"),
      `${PAGE} lives in src/gone.ts, which does not exist`,
    ],
    [
      "code that does not cite its decision",
      { "src/hash.ts": "// none" },
      `src/hash.ts holds ${PAGE} but does not cite Decision ${"0001"}`,
    ],
    ["no proof", edited(/ · proven by.*$/s, ""), `${PAGE} names no test after "· proven by:"`],
    [
      "a test file that does not exist",
      edited("other.test", "gone.test"),
      `${PAGE} is proven by test/gone.test.ts, which does not exist`,
    ],
    [
      "a test that was renamed",
      { "test/hash.test.ts": 'test("the hash", run);' },
      `${PAGE} is proven by "the hash covers the total", which test/hash.test.ts does not contain`,
    ],
    [
      "a successor that does not exist",
      edited("accepted", "superseded by 0007"),
      `${PAGE} is superseded by 0007, which does not exist`,
    ],
    [
      "a citation of nothing",
      { "db/a.sql": `\n-- Decisions ${"0001"} and 0009` },
      `db/a.sql:2 cites Decision ${"0009"}, which does not exist`,
    ],
    [
      "a record without a row",
      { "docs/decisions/README.md": "none" },
      `docs/decisions/README.md has no row that links to ${PAGE}`,
    ],
    [
      "a row that leads nowhere",
      { "docs/decisions/README.md": `${register}| [0002](0002-gone.md) |` },
      "docs/decisions/README.md links to docs/decisions/0002-gone.md, which does not exist",
    ],
  ];
  for (const [what, changes, complaint] of refused) {
    test(`${what} is named`, () => assert.deepEqual(complaintsWith(changes), [complaint]));
  }

  test("a gap in the numbers is named once, where it begins", () => {
    const later = (number: string) => record.replace("# 0001", `# ${number}`);
    const complaints = complaintsWith({
      "docs/decisions/0003-later.md": later("0003"),
      "docs/decisions/0004-last.md": later("0004"),
    });
    assert.ok(
      complaints.includes(
        "docs/decisions/0003-later.md should be number 0002: no number twice, no gap",
      ),
    );
    assert.ok(!complaints.some((each) => each.includes("0004-last.md should")));
  });

  test("a number given twice is named", () => {
    const complaints = complaintsWith({ "docs/decisions/0001-twin.md": record });
    assert.ok(
      complaints.some((each) =>
        each.startsWith("docs/decisions/0001-twin.md should be number 0002"),
      ),
    );
  });
});
