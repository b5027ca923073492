/** The pieces of code of a guide, by their language, in the order of the text. */

import { readFileSync } from "node:fs";

export const LANGUAGES = ["sh", "ts", "php", "python"] as const;

export type Language = (typeof LANGUAGES)[number];

const FENCED = /^```(\w+)\n([\s\S]*?)^```$/gm;

export function snippetsOf(file: string): Record<Language, string[]> {
  const text = readFileSync(new URL(`../../docs/${file}`, import.meta.url), "utf8");
  const found: Record<Language, string[]> = { sh: [], ts: [], php: [], python: [] };
  for (const [, language, code = ""] of text.matchAll(FENCED))
    if (isLanguage(language)) found[language].push(code);
  return found;
}

function isLanguage(name: string | undefined): name is Language {
  return LANGUAGES.some((one) => one === name);
}
