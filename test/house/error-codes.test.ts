/**
 * The catalogue of errors has every code of the program and no other. That a code has an entry is
 * the compiler's to check; here it is that every entry is used, and says what it should.
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  CATALOGUE,
  ERROR_AREAS,
  ERROR_CODES,
  helpPath,
} from "../../src/kit/error-catalogue/catalogue.ts";
import { projectFiles } from "./project-files.ts";

const FOLDER = "src/kit/error-catalogue/";
const sources = [...projectFiles()].filter(
  ([file]) => /^src\/.*\.ts$/.test(file) && !file.endsWith(".test.ts") && !file.startsWith(FOLDER),
);
/** All sources but the catalogue itself. */
const text = sources.map(([, each]) => each).join("\n");

describe("every code of the catalogue", () => {
  for (const code of ERROR_CODES)
    test(code, () => {
      const { status, title, statement, hint, example } = CATALOGUE[code];
      assert.match(code, /^[a-z]+(_[a-z]+)*$/);
      assert(new RegExp(`["\`]${code}["\`]|^ +${code}: "`, "m").test(text), "nothing uses it");
      assert(status >= 400 && status < 600);
      for (const sentence of [statement, hint]) assert.match(sentence, /^[A-Z].*\.$/);
      assert.match(title, /^[A-Z].*[^.]$/);
      assert.notEqual(example, "");
      assert.equal(helpPath(code), `/docs/errors/${code}`);
    });

  test("stands in one area", () => {
    const listed = ERROR_AREAS.flatMap(({ errors }) => Object.keys(errors));
    assert.deepEqual(listed.toSorted(), ERROR_CODES.toSorted());
  });
});

test("every code that the sources name is in the catalogue", () => {
  const refusals =
    /(?:\b(?:code|error): |\b(?:ServiceError|fixedRefusal|super)\()"([a-z]+(?:_[a-z]+)*)"/g;
  const named = [...text.matchAll(refusals)].map(([, code = ""]) => code);
  assert(named.length > 50);
  const unknown = named.filter((code) => !Object.hasOwn(CATALOGUE, code));
  assert.deepEqual(unknown, []);
});
