/** The request's language wins, then the browser's, then the business's, then English. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { chooseLanguage, languageNamed } from "./choose-language.ts";

describe("the language of a page", () => {
  test("is the request's, whatever the browser and the business say", () => {
    const sources = { requested: "nl", acceptLanguage: "es", business: "fr" } as const;
    assert.equal(chooseLanguage(sources), "nl");
  });

  test("is the business's where the browser likes none of ours, and English at last", () => {
    assert.equal(chooseLanguage({ acceptLanguage: "de, pt-BR", business: "fr" }), "fr");
    assert.equal(chooseLanguage({ business: "fr" }), "fr");
    assert.equal(chooseLanguage({ acceptLanguage: "de" }), "en");
    assert.equal(chooseLanguage({}), "en");
  });

  for (const [accept, expected] of [
    ["es", "es"],
    ["es-DO", "es"],
    ["es-419,es;q=0.9", "es"],
    ["pt-BR,pt;q=0.9", "en"],
    ["pt-BR, fr-CA;q=0.5, en;q=0.1", "fr"],
    ["ES-do, en;q=0.9", "es"],
    ["fr-CA,fr;q=0.9,en;q=0.8", "fr"],
    ["de, en;q=0.3, nl;q=0.7", "nl"],
    ["en;q=0.5, fr;q=0.5", "en"],
    ["es;q=0, fr;q=0.1", "fr"],
    ["es;q=2, nl;q=0.1", "nl"],
    ["nl ; q=0.4 , es ; q=0.8", "es"],
    ["*, nl;q=0.2", "nl"],
    ["*", "en"],
    ["", "en"],
    [",;,q=1;", "en"],
    ["est", "en"],
    [`${"de,".repeat(20)}es`, "en"],
  ] as const)
    test(`is ${expected} for a browser that says ${accept.slice(0, 40)}`, () => {
      assert.equal(chooseLanguage({ acceptLanguage: accept }), expected);
    });

  test("is none of ours when it is called otherwise", () => {
    for (const name of ["de", "", "EN", "__proto__", undefined, 1, ["es"]])
      assert.equal(languageNamed(name), undefined);
    assert.equal(languageNamed("es"), "es");
  });
});
