// The guarantee: every area of words says everything in all four languages. Nothing is missing,
// nothing is left in English, and no sentence loses a value that the English one shows.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { describe, test } from "node:test";
import { LANGUAGES, type Language } from "../../src/kit/vocabulary.ts";

const FOLDER = new URL("../../src/words/", import.meta.url);
const AREAS = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const OTHERS = LANGUAGES.filter((language) => language !== "en");

/** Words that a language shares with English, and names. */
const SAME: readonly (readonly [path: RegExp, languages: readonly Language[]])[] = [
  [/\.networks\.|\.sandbox\.asked$/, OTHERS],
  [/\.summary\.total$|^link\..*\.total$/, ["es", "fr"]],
  [/\.time\.minutes$/, ["fr"]],
  [/^saved-card\..*\.summary\.secret$/, ["es"]],
  [/^receipt\..*\.testMark$/, ["fr", "nl"]],
  [/^receipt\..*\.date$/, ["fr"]],
  [/^(receipt|link)\..*\.email$/, ["fr", "nl"]],
  [/^(receipt|link)\..*\.website$/, ["nl"]],
];
/** Sentences that do without the English message of a result. */
const WITHOUT_MESSAGE = /\.declined\.reason$|\.notTaken\.\w+\.text$/;

/** Forms of address that a bank does not use. */
const FAMILIAR = {
  en: word("thou"),
  es: word("tú|tus?|tienes|has|puedes|comprueba|contacta|escribe"),
  fr: word("tu|ton|ta|tes"),
  nl: word("je|jij|jouw|jou"),
};

function word(choices: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${choices})(?!\\p{L})`, "iu");
}

type Leaf = string | ((...values: unknown[]) => string);

/** Each text and sentence by its path; the names of languages differ. */
async function leavesOf(area: string, language: Language): Promise<Map<string, Leaf>> {
  const words: Record<string, unknown> = await import(
    new URL(`${area}/${language}.ts`, FOLDER).href
  );
  const leaves = new Map<string, Leaf>();
  const follow = (path: string, value: unknown): void => {
    if (path.endsWith(".language")) return;
    if (typeof value === "string" || typeof value === "function")
      return void leaves.set(path, value as Leaf);
    for (const [name, inner] of Object.entries(value as object)) follow(`${path}.${name}`, inner);
  };
  const names = new Set(["english", "spanish", "french", "dutch"]);
  for (const [name, value] of Object.entries(words))
    follow(`${area}.${names.has(name) ? "words" : name}`, value);
  return leaves;
}

/** Stands for any value: a text, a count, an amount, two networks. */
function marker(index: number): unknown {
  const text = `«${index}»`;
  return {
    currency: "TTD",
    minor: 70_000n + BigInt(index),
    given: text,
    wanted: text,
    toString: () => text,
  };
}

function said(leaf: Leaf): string {
  return typeof leaf === "string" ? leaf : String(leaf(...[1, 2, 3, 4].map(marker)));
}

/** Which values a sentence shows. */
function shown(leaf: Leaf): string[] {
  return [1, 2, 3, 4]
    .filter((index) => said(leaf).includes(`«${index}»`) || said(leaf).includes(`70${index}`))
    .map(String);
}

assert(AREAS.length >= 4, "areas are found");

for (const area of AREAS)
  for (const language of OTHERS)
    describe(`${area} in ${language}`, async () => {
      const [english, words] = await Promise.all([leavesOf(area, "en"), leavesOf(area, language)]);

      test("has the same texts, and sentences of the same values", () => {
        assert.deepEqual([...words.keys()].sort(), [...english.keys()].sort());
        for (const [path, leaf] of words) {
          const original = english.get(path) ?? "";
          assert.equal(typeof leaf, typeof original, path);
          if (WITHOUT_MESSAGE.test(path)) continue;
          assert.deepEqual(shown(leaf), shown(original), path);
        }
      });

      test("has nothing in English but what is listed, and no gap", () => {
        const same = [...words].filter(([path, leaf]) => {
          const text = said(leaf);
          assert.doesNotMatch(text, /undefined|null|NaN|\$\{|\[object/, path);
          assert.equal(text, text.normalize("NFC"), path);
          assert(text !== "" || said(english.get(path) ?? "x") === "", `${path} is empty`);
          const isListed = SAME.some(([of, by]) => of.test(path) && by.includes(language));
          return (
            !isListed &&
            text.replace(/«\d»|\W/gu, "") !== "" &&
            text === said(english.get(path) ?? "")
          );
        });
        assert.deepEqual(
          same.map(([path]) => path),
          [],
        );
      });

      test("is written with its own signs", () => {
        for (const [path, leaf] of words) {
          const text = said(leaf);
          assert.doesNotMatch(text, / {2}|^ | $/, path);
          if (language === "es") assert.equal(/[?]/.test(text), /¿/.test(text), path);
          if (language !== "fr") continue;
          assert.doesNotMatch(text, /[^\u00a0]:(?= |$)|[^\u202f\u00a0][;?!]/, path);
          assert.doesNotMatch(text, /\w'\w/, `${path}: write ’`);
        }
      });

      test("speaks to the customer as a bank does", () => {
        for (const [path, leaf] of words) assert.doesNotMatch(said(leaf), FAMILIAR[language], path);
      });
    });
