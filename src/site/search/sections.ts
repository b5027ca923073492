/** What can be found: each section of a guide, each error and each request, with its address. */

import { marked, type Token, type Tokens } from "marked";
import { CATALOGUE, ERROR_CODES, helpPath } from "../../kit/error-catalogue/catalogue.ts";
import { guideText } from "../guide-text.ts";
import { CHANGELOG_PATH, GUIDES, type Guide } from "../guides.ts";
import { anchors } from "../render-guide.ts";
import { OTHER_WORDS } from "./other-words.ts";

export interface Section {
  readonly id: number;
  readonly path: string;
  /** Of the page. */
  readonly page: string;
  readonly kind: "Guide" | "Changelog" | "Error" | "Request";
  readonly heading: string;
  /** Method and path of a request. */
  readonly call?: string;
  readonly text: string;
  /** What is to be typed there. */
  readonly code?: string;
  /** See `other-words.ts`. */
  readonly otherWords?: string;
}

type Found = Omit<Section, "id">;

/** A request of the reference, with what its section is made of. */
export interface RequestEntry {
  readonly path: string;
  readonly chapter: string;
  readonly summary: string;
  /** Method and path. */
  readonly call: string;
  readonly description: string;
}

export function sectionsOf(given: {
  readonly requests: readonly RequestEntry[];
  readonly publicUrl: string;
}): Section[] {
  const all = [
    ...GUIDES.flatMap((guide) => guideSections(guide, given.publicUrl)),
    ...ERROR_CODES.map(errorSection),
    ...given.requests.map(requestSection),
  ];
  return all.map((section, id) => ({ ...section, id }));
}

function guideSections(guide: Guide, publicUrl: string): Found[] {
  const { path, title, about } = guide;
  const anchor = anchors();
  const kind = path === CHANGELOG_PATH ? "Changelog" : "Guide";
  const sections: { heading: string; path: string; text: string; code: string }[] = [];
  for (const token of marked.lexer(guideText(guide, publicUrl))) {
    if (token.type === "heading") {
      const id = anchor(token.text);
      const isTitle = token.depth === 1;
      const place = isTitle ? path : `${path}#${id}`;
      const text = isTitle ? about : "";
      sections.push({ heading: wordsOf(token), path: place, text, code: "" });
    } else {
      const last = sections.at(-1);
      if (last === undefined) continue;
      if (token.type === "code") last.code = oneLine(`${last.code} ${token.text}`);
      else last.text = oneLine(`${last.text} ${wordsOf(token)}`);
    }
  }
  return sections.map((section) => {
    const otherWords = OTHER_WORDS.get(section.path) ?? "";
    return { ...section, otherWords, page: title, kind };
  });
}

/** What a reader sees of a piece of Markdown, without pictures. */
function wordsOf(token: Token): string {
  switch (token.type) {
    case "image":
    case "html":
      return "";
    case "br":
      return " ";
    case "table": {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].flat().map(wordsOfCell).join(" ");
    }
    case "list":
      return (token as Tokens.List).items.map(wordsOf).join(" ");
    case "list_item":
    case "blockquote":
      return partsOf(token).map(wordsOf).join(" ");
    default:
      return partsOf(token).map(wordsOf).join("") || ("text" in token ? token.text : "");
  }
}

function wordsOfCell({ tokens }: Tokens.TableCell): string {
  return tokens.map(wordsOf).join("");
}

function partsOf(token: Token): readonly Token[] {
  return "tokens" in token ? (token.tokens ?? []) : [];
}

function plain(markdown: string): string {
  return oneLine(marked.lexer(markdown).map(wordsOf).join(" "));
}

function oneLine(words: string): string {
  return words.replace(/\s+/g, " ").trim();
}

function errorSection(code: (typeof ERROR_CODES)[number]): Found {
  const { title, statement, hint } = CATALOGUE[code];
  const text = `${code} ${statement} ${hint}`;
  return { path: helpPath(code), page: title, kind: "Error", heading: title, text };
}

function requestSection({ path, chapter, summary, call, description }: RequestEntry): Found {
  const text = `${call} ${plain(description)}`;
  return { path, page: chapter, kind: "Request", heading: summary, call, text };
}
