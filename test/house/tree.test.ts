/**
 * The guarantee: every file of this project keeps the house rules, and imports in src go one way,
 * so any file can be understood from what stands before it. Where a rule would make the code worse,
 * the exception stands below with its reason. The tree is parsed once for all of them.
 */

import { test } from "node:test";
import { banComplaints } from "./ban-list.ts";
import { type Exception, expectNone, withoutExceptions } from "./complaints.ts";
import { glossaryComplaints } from "./glossary.ts";
import { importComplaints } from "./import-rules.ts";
import { projectFiles } from "./project-files.ts";
import { shapeComplaints } from "./shape-rules.ts";
import { sourceFacts } from "./source-facts.ts";

const EXCEPTIONS: readonly Exception[] = [
  { file: "src/main.ts", rule: "process.env", reason: "hands it to config, once" },
  { file: "src/cli.ts", rule: "process.env", reason: "hands it to config, once" },
  { file: "src/start.mjs", rule: "process.env", reason: "runs before config can be loaded" },
  { file: "src/health-check.mjs", rule: "process.env", reason: "asks beside config, at once" },
  { file: "src/site/guides.ts", rule: "console.", reason: "the name of a guide's file" },
  {
    file: "test/faults/embedded-postgres-places.test.ts",
    rule: "a test switched off or singled out",
    reason: "it needs a disk to mount and a second user, which not every machine grants",
  },
  {
    file: "test/docs/follow-samples.ts",
    rule: "a test switched off or singled out",
    reason: "it needs bash and curl, which not every machine has beside Node",
  },
  {
    file: "test/docs/getting-started.test.ts",
    rule: "a test switched off or singled out",
    reason: "it needs bash and curl, which not every machine has beside Node",
  },
  {
    file: "db/migrations/0006_ledger.sql",
    rule: "file lines",
    reason: "tables, the rules that guard them and the one function that may write land together",
  },
  { file: "test/house/ban-list.ts", rule: "a reminder", reason: "it names the banned words" },
];

const files = projectFiles();
const facts = sourceFacts(files);

test("every file of this project keeps the house rules, or is excepted with a reason", () => {
  const complaints = [
    ...shapeComplaints(files, facts),
    ...banComplaints(files),
    ...glossaryComplaints(files),
  ];
  expectNone(withoutExceptions(complaints, EXCEPTIONS));
});

test("every import of src agrees with the order", () => {
  expectNone(importComplaints(facts));
});
