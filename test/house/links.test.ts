/** Every link in the project's Markdown leads to a file that is there, and to a heading it has. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { anchors } from "../../src/site/render-guide.ts";
import { type Files, projectFiles, projectRoot } from "./project-files.ts";

const LINK = /\]\((?!https?:|mailto:|\/)([^)\s]+)\)/g;
const FENCED = /^```.*?^```$/gms;

function headingsOf(text: string): Set<string> {
  const anchor = anchors();
  const headings = text.replace(FENCED, "").matchAll(/^#+ (.+)$/gm);
  return new Set([...headings].map(([, words = ""]) => anchor(words)));
}

function brokenLinks(files: Files): string[] {
  const documents = [...files].filter(([file]) => file.endsWith(".md"));
  return documents.flatMap(([file, text]) => {
    const links = [...text.replace(FENCED, "").matchAll(LINK)].map(([, link = ""]) => link);
    return links
      .filter((link) => {
        const [target = "", place] = link.split("#");
        const found = target === "" ? file : path.posix.join(path.posix.dirname(file), target);
        if (!files.has(found)) return !existsSync(path.join(projectRoot, found));
        return place !== undefined && !headingsOf(files.get(found) ?? "").has(place);
      })
      .map((link) => `${file} → ${link}`);
  });
}

test("no link of the project leads nowhere", () => {
  assert.deepEqual(brokenLinks(projectFiles()), []);
});

test("a link to a file or a heading that is not there is noticed", () => {
  const text = "# A b\n[one](gone.md) [two](a.md#a-b) [three](#c) [four](https://example.com)";
  assert.deepEqual(brokenLinks(new Map([["a.md", text]])), ["a.md → gone.md", "a.md → #c"]);
});
