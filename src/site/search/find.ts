/**
 * Full-text search over the sections, in memory (Decision 0103): words by their beginnings, with a
 * typing mistake forgiven, headings above text, and the best section of each page.
 */

import MiniSearch from "minisearch";
import { INDEX_OPTIONS, stemOf } from "./index-options.ts";
import type { SearchFiles } from "./make-index.ts";
import type { Section } from "./sections.ts";

const RESULTS_MAX = 20;
const EXCERPT_LENGTH = 180;
/** Fuzzy only from this length on: short words are all alike. */
const FUZZY_LENGTH_MIN = 5;
const PREFIX_LENGTH_MIN = 3;
/** Each costs a look through the index; no question has more that say what it is about. */
const TERMS_MAX = 10;

export interface Result {
  readonly path: string;
  readonly page: string;
  readonly kind: Section["kind"];
  readonly heading: string;
  readonly excerpt: string;
}

export type Find = (query: string) => readonly Result[];

/** Loads the index in slices, so that other requests are served meanwhile. */
export async function createFind({ sections, index: text }: SearchFiles): Promise<Find> {
  const index = await MiniSearch.loadJSONAsync<Section>(text, INDEX_OPTIONS);
  const byId = new Map(sections.map((section) => [section.id, section]));
  return (query) => {
    const pages = new Set<string>();
    const results: Result[] = [];
    const hits = index.search(query, {
      tokenize: termsOf,
      boost: { heading: 4, page: 3, call: 3, otherWords: 6, code: 0.3 },
      prefix: (term) => term.length >= PREFIX_LENGTH_MIN,
      fuzzy: (term) => (term.length >= FUZZY_LENGTH_MIN ? 0.2 : false),
      weights: { prefix: 0.4, fuzzy: 0.2 },
      boostDocument: (id) => (byId.get(id)?.kind === "Guide" ? 1.6 : 1),
    });
    const isNews = (id: number) => Number(byId.get(id)?.kind === "Changelog");
    // What changed is no answer where another page says what is.
    for (const hit of hits.toSorted((a, b) => isNews(a.id) - isNews(b.id))) {
      const section = byId.get(hit.id);
      const page = section?.path.split("#")[0] ?? "";
      if (section === undefined || pages.has(page)) continue;
      pages.add(page);
      results.push(resultOf(section, hit.terms));
      if (results.length === RESULTS_MAX) break;
    }
    return results;
  };
}

/** The first words that are not fillers, each once. */
function termsOf(query: string): string[] {
  const words = new Set<string>(MiniSearch.getDefault("tokenize")(query));
  return [...words].filter((word) => stemOf(word) !== undefined).slice(0, TERMS_MAX);
}

function resultOf(section: Section, terms: readonly string[]): Result {
  const { path, page, kind, heading, code = "" } = section;
  const isOnlyInCode = !hasAny(section.text, terms) && hasAny(code, terms);
  const text = isOnlyInCode ? code : section.text;
  return { path, page, kind, heading, excerpt: excerptOf(text, terms) };
}

function hasAny(text: string, terms: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return terms.some((term) => lower.includes(term));
}

/** Around the first of the words. */
function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  const first = Math.max(0, Math.min(...places, text.length) - EXCERPT_LENGTH / 3);
  const from = first === 0 || places.length === 0 ? 0 : text.indexOf(" ", first) + 1;
  const isLong = text.length > from + EXCERPT_LENGTH;
  const cut = text.slice(from, from + EXCERPT_LENGTH);
  const words = isLong ? cut.slice(0, cut.lastIndexOf(" ")) : cut;
  return `${from > 0 ? "… " : ""}${words.trim()}${isLong ? " …" : ""}`;
}
