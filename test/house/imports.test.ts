/** The guarantee: the check of imports names what breaks the order, and nothing else. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { IMPORT_ORDER, importComplaints } from "./import-rules.ts";
import { sourceFacts } from "./source-facts.ts";

const complaintsAbout = (files: Record<string, string>) =>
  importComplaints(sourceFacts(new Map(Object.entries(files))));

test("the order names each folder once", () => {
  const places = IMPORT_ORDER.map(({ place }) => place);
  assert.deepEqual(places, [...new Set(places)]);
});

describe("the check itself", () => {
  test("a file that imports its own folder and earlier ones is accepted", () => {
    const complaints = complaintsAbout({
      "src/kit/money.ts": 'import pg from "pg";\nexport const money = 1;',
      "src/modules/ledger/post.ts": 'import "../../kit/money.ts";\nimport "./recipes.ts";',
      "src/modules/ledger/recipes.ts": "export const recipes = 1;",
      "src/migrate.ts": 'import "./app.ts";',
      "src/app.ts": 'import "./modules/ledger/post.ts";\nimport "./demo-world.ts";',
      "src/demo-world.ts": 'import "./modules/ledger/post.ts";',
      "src/main.ts": 'import "./migrate.ts";',
      "test/api/any.test.ts": 'import "../../src/app.ts";',
    });
    assert.deepEqual(complaints, []);
  });

  const refused: [string, Record<string, string>, string][] = [
    [
      "an import of a later folder",
      { "src/kit/money.ts": '\nimport { log } from "../infra/log.ts";\nexport const a = log;' },
      "src/kit/money.ts:2 imports src/infra/log.ts: src/infra/log.ts stands later in the " +
        "order (everything else may log)",
    ],
    [
      "a type-only import of a later folder",
      {
        "src/modules/auth/grant.ts":
          'import type { E } from "../events/event.ts";\nexport let e: E;',
      },
      "src/modules/auth/grant.ts:1 imports src/modules/events/event.ts: " +
        "src/modules/events/ stands later in the order " +
        "(what happened is told about an account to its owner)",
    ],
    [
      "an import written as a call",
      { "src/app.ts": 'export const main = () => import("./main.ts");' },
      "src/app.ts:1 imports src/main.ts: src/main.ts stands later in the order " +
        "(the way in of the service)",
    ],
    [
      "an import of test support",
      { "src/app.ts": 'import "../testkit/world.ts";' },
      "src/app.ts:1 imports testkit/world.ts: src stands without it",
    ],
    [
      "an import of a test",
      { "src/kit/money.ts": 'import "./page.test.ts";' },
      "src/kit/money.ts:1 imports src/kit/page.test.ts: a test is run, never imported",
    ],
    [
      "a folder that has no place yet",
      { "src/modules/loyalty/points.ts": "export const points = 1;" },
      "src/modules/loyalty/points.ts has no place in IMPORT_ORDER: give it one",
    ],
    [
      "a barrel",
      { "src/kit/index.ts": 'import { a } from "./a.ts";\nexport * from "./b.ts";\nexport { a };' },
      "src/kit/index.ts only re-exports: import from the file that declares",
    ],
    [
      "a folder called utils",
      { "src/kit/utils/a.ts": "export const a = 1;" },
      "src/kit/utils/a.ts: name the folder for what it is about",
    ],
    [
      "a circle inside one folder",
      {
        "src/kit/a.ts": 'import "./b.ts";\nexport const a = 1;',
        "src/kit/b.ts": '\nimport "./c.ts";\nexport const b = 1;',
        "src/kit/c.ts": 'import "./a.ts";\nexport const c = 1;',
      },
      "A cycle of imports: src/kit/a.ts:1 → src/kit/b.ts:2 → src/kit/c.ts:1 → src/kit/a.ts",
    ],
    [
      "a circle that only types close",
      {
        "src/kit/a.ts": 'import "./b.ts";\nexport type A = 1;',
        "src/kit/b.ts": 'import type { A } from "./a.ts";\nexport const b: A = 1;',
      },
      "A cycle of imports: src/kit/a.ts:1 → src/kit/b.ts:1 → src/kit/a.ts",
    ],
    [
      "a circle of the SDK",
      {
        "sdk/src/a.ts": 'import "./b.ts";\nexport const a = 1;',
        "sdk/src/b.ts": 'import "./a.ts";\nexport const b = 1;',
      },
      "A cycle of imports: sdk/src/a.ts:1 → sdk/src/b.ts:1 → sdk/src/a.ts",
    ],
    [
      "a circle of a page's scripts",
      { "web/verify/a.ts": 'import "./a.ts";\nexport const a = 1;' },
      "A cycle of imports: web/verify/a.ts:1 → web/verify/a.ts",
    ],
  ];
  for (const [what, files, complaint] of refused) {
    test(`${what} is named`, () => assert.deepEqual(complaintsAbout(files), [complaint]));
  }
});
