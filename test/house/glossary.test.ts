// The guarantee: a word of the glossary is refused wherever we choose our words.

import assert from "node:assert/strict";
import { test } from "node:test";
import { glossaryComplaints } from "./glossary.ts";

const wordsFound = (texts: Record<string, string>) =>
  glossaryComplaints(new Map(Object.entries(texts))).map(
    ({ file, line, rule }) => `${file}:${line} ${rule}`,
  );

test("a word of it is refused in names, comments, prose and the names of files", () => {
  const files = {
    "bench/a.ts": "// Header\nconst madeOnce = 1;\n",
    "docs/a.md": "The image-shop is closed.\n",
    "src/say-why-not.ts": "export const a = 1;\n",
  };
  assert.deepEqual(wordsFound(files), [
    "bench/a.ts:2 made-once",
    "docs/a.md:1 image-shop",
    "src/say-why-not.ts:1 say-why-not",
  ]);
});

test("ordinary words, the contract, migrations and the changelog are accepted", () => {
  const texts = {
    "src/a.ts": "// Made once, by the gateway, instead of the former primary.\n",
    "docs/interface.md": "image-shop\n",
    "CHANGELOG.md": "image-shop\n",
    "db/migrations/0001_a.sql": "-- image-shop\n",
  };
  assert.deepEqual(wordsFound(texts), []);
});
