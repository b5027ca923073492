/** Code whose words are marked by classes, which the style colours (Decision 0089). */

import { createRequire } from "node:module";
import { type Html, html, trusted } from "../kit/html.ts";

/** By the names that fences in Markdown give; `as` is the name that the highlighter gives. */
const LANGUAGES: Readonly<Record<string, { readonly name: string; readonly as: string }>> = {
  sh: { name: "curl", as: "bash" },
  console: { name: "Terminal", as: "bash" },
  ts: { name: "TypeScript", as: "typescript" },
  js: { name: "JavaScript", as: "javascript" },
  php: { name: "PHP", as: "php" },
  python: { name: "Python", as: "python" },
  json: { name: "JSON", as: "json" },
  html: { name: "HTML", as: "xml" },
  http: { name: "HTTP", as: "http" },
};

/** Declared here: the package's own types bring those of browsers into the whole program. */
interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  highlight(
    code: string,
    options: { language: string; ignoreIllegals: boolean },
  ): { value: string };
}

const require = createRequire(import.meta.url);
const hljs: Highlighter = require("highlight.js/lib/core");
for (const name of new Set(Object.values(LANGUAGES).map(({ as }) => as)))
  hljs.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));

export function languageName(fence: string): string {
  return LANGUAGES[fence]?.name ?? "Code";
}

/** What has no known language stays plain text. */
export function highlighted(code: string, fence: string): Html {
  const language = LANGUAGES[fence];
  if (language === undefined) return html`${code}`;
  return trusted(hljs.highlight(code, { language: language.as, ignoreIllegals: true }).value);
}
