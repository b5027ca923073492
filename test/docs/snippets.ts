/** The pieces of code of a guide, by their language, in the order of the text. */

import { readFileSync } from "node:fs";

export const LANGUAGES = ["sh", "ts", "php", "python"] as const;

export type Language = (typeof LANGUAGES)[number];

const FENCED = /^```(\w+)\n([\s\S]*?)^```$/gm;

export function guideText(file: string): string {
  return readFileSync(new URL(`../../docs/${file}`, import.meta.url), "utf8");
}

/** All of a guide, or what stands under one heading. */
export function snippetsOf(file: string, heading = ""): Record<Language, string[]> {
  const whole = guideText(file);
  const below = whole.slice(whole.indexOf(`\n## ${heading}\n`) + 1);
  const section = heading === "" ? whole : (below.split(/\n(?=## )/)[0] ?? "");
  const found: Record<Language, string[]> = { sh: [], ts: [], php: [], python: [] };
  for (const [, language, code = ""] of section.matchAll(FENCED))
    if (isLanguage(language)) found[language].push(code);
  return found;
}

/** What a guide has a reader type at a terminal, piece by piece. */
export function shellPiecesOf(file: string): string[] {
  return [...guideText(file).matchAll(FENCED)]
    .filter(([, language]) => language === "sh" || language === "console")
    .map(([, , code = ""]) => code);
}

function isLanguage(name: string | undefined): name is Language {
  return LANGUAGES.some((one) => one === name);
}
