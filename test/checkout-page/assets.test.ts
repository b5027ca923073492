// The guarantee: what the payment page loads is what the inventory lists, byte for byte as it
// stands in the project, pinned by its digest; and the page with all of it stays small.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { NotFound } from "../../src/kit/errors.ts";
import { LANGUAGES } from "../../src/kit/vocabulary.ts";
import { script, serveAsset, style } from "../../src/modules/checkout/page/assets.ts";
import { renderPage } from "../../src/modules/checkout/page/render-page.ts";
import { checkoutWords } from "../../src/words/checkout/checkout-words.ts";
import { english as t } from "../../src/words/checkout/en.ts";
import { BASE_VIEW, STATES, stateIn } from "../../testkit/checkout-views.ts";

const ASSETS = [script, style];
const PAGE_BYTES_MAX = 50_000;

describe("the style and the script of the payment page", () => {
  test("are those of the inventory, with nothing left out", () => {
    const inventory = readFileSync("docs/script-inventory.md", "utf8");
    const rows = inventory.split("\n").filter((line) => line.startsWith("| `/"));
    const expected = ASSETS.map(({ path, integrity }) => `| \`${path}\` | \`${integrity}\` |`);
    const listed = rows.map((row) => row.split("|").slice(0, 3).join("|").concat("|"));
    assert.deepEqual(listed, expected, "write these rows into docs/script-inventory.md");
    for (const row of rows) assert.match(row, /\| [A-Z][^|]+ \| [A-Z][^|]+\. \|$/);
  });

  test("are all that a page loads, in every state", () => {
    for (const [name, step] of Object.entries(STATES)) {
      const html = renderPage({ ...BASE_VIEW, step }, { t, nonce: "n" });
      const loaded = html.matchAll(/<(?:script|link rel="stylesheet"|img|iframe)[^>]*>/g);
      const paths = [...loaded].map(([tag]) => /(?: src| href)="([^"]*)"/.exec(tag)?.[1]);
      assert.deepEqual(
        paths.filter((path) => path !== undefined),
        [style.path, script.path],
        name,
      );
    }
  });

  test("are served as they stand in the project, compressed for clients that accept it", () => {
    for (const { files, name } of ASSETS) {
      const plain = Buffer.concat(files.map((file) => readFileSync(`web/${file}`)));
      const served = (encodings: string) => serveAsset(name, encodings);
      assert.deepEqual(served("").body, plain);
      assert.equal(served("").headers?.["content-encoding"], undefined);
      assert.deepEqual(brotliDecompressSync(served("gzip, deflate, br").body as Buffer), plain);
      assert.deepEqual(gunzipSync(served("gzip").body as Buffer), plain);
      assert.match(served("").headers?.["cache-control"] ?? "", /immutable/);
    }
  });

  test("are not served under another name", () => {
    for (const name of ["style.css", "checkout.js", "../package.json", "", "constructor"])
      assert.throws(() => serveAsset(name, "br"), NotFound);
  });

  test("weigh with the largest page of any language less than 50 kB over the wire", () => {
    const pages = LANGUAGES.map((language) => checkoutWords(language)).flatMap((words) =>
      Object.values(STATES).map((step) =>
        Buffer.byteLength(
          renderPage({ ...BASE_VIEW, step: stateIn(words, step) }, { t: words, nonce: "n" }),
        ),
      ),
    );
    const packed = ASSETS.map(({ packed: [best] }) => best?.bytes.length ?? 0);
    const bytes = Math.max(...pages) + packed.reduce((sum, each) => sum + each, 0);
    assert(bytes < PAGE_BYTES_MAX, `it weighs ${bytes}`);
  });
});
