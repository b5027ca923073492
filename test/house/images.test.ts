/**
 * Every picture that README or a guide shows is there and small enough to load at once, says what
 * is on it, and no picture lies about unused.
 */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { projectRoot } from "./project-files.ts";

const BYTES_MAX = 120_000;
/** Moving pictures, shown once in README. */
const MOVING: Readonly<Record<string, number>> = { "docs/images/tour.webp": 600_000 };
const DOCS = "docs";
const IMAGES = "docs/images";
const IN_MARKDOWN = /!\[(?<alt>[^\]]*)\]\((?<src>[^)]+)\)/g;
const IN_HTML = /<img src="(?<src>[^"]+)"[^>]*? alt="(?<alt>[^"]*)">/g;
/** The still of a moving picture, which has the words of that. */
const STILL = /<source media="[^"]+" srcset="(?<src>[^"]+)">\n<img [^>]*? alt="(?<alt>[^"]*)">/g;

interface Image {
  readonly guide: string;
  readonly file: string;
  readonly alt: string;
}

const guides = [
  "README.md",
  ...readdirSync(path.join(projectRoot, DOCS), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => path.join(DOCS, name)),
];

function imagesOf(guide: string): Image[] {
  const text = readFileSync(path.join(projectRoot, guide), "utf8");
  return [IN_MARKDOWN, IN_HTML, STILL]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(({ groups: { src = "", alt = "" } = {} }) => ({ src, alt }))
    .filter(({ src }) => !src.startsWith("https:"))
    .map(({ src, alt }) => ({ guide, alt, file: path.join(path.dirname(guide), src) }));
}

const images = guides.flatMap(imagesOf);

test("every picture of a guide is there, loads at once, and has words for it", () => {
  for (const { guide, file, alt } of images) {
    assert(existsSync(path.join(projectRoot, file)), `${guide} shows ${file}, which is not there`);
    const { size } = statSync(path.join(projectRoot, file));
    assert(size <= (MOVING[file] ?? BYTES_MAX), `${file} has ${size} bytes`);
    assert(alt.length >= 10, `${guide} does not say what is on ${file}`);
  }
});

test("every file of docs/images is shown by a guide, and README's first is the console", () => {
  const used = new Set(images.map(({ file }) => file));
  const unused = readdirSync(path.join(projectRoot, IMAGES))
    .map((name) => path.join(IMAGES, name))
    .filter((file) => !used.has(file));
  assert.deepEqual(unused, []);
  assert.equal(imagesOf("README.md")[0]?.file, "docs/images/console-home.webp");
});
