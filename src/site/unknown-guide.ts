/**
 * What is answered below `/docs` where there is no page: a guide that is asked for by the name of
 * its file is found, and everything else is a page of the site with the pages that come nearest.
 */

import type { Infra } from "../infra/context.ts";
import type { Answer } from "../infra/http/answer.ts";
import { publicRoute, type RefusedCall, type Route } from "../infra/http/route.ts";
import { acceptsHtml } from "../kit/accept.ts";
import { NotFound } from "../kit/errors.ts";
import { text } from "../kit/fields/text.ts";
import { html } from "../kit/html.ts";
import { HTML_TYPE, pageAnswer } from "../parts/page.ts";
import { siteDocument } from "./frame.ts";
import { GUIDES, markdownPath, NAVIGATION, SEARCH_PATH } from "./guides.ts";

const NEAREST_MAX = 3;
/** Words that begin alike are taken for one: "payments" and "payment". */
const ALIKE_LENGTH = 4;

/** By file names and by addresses, in small letters: `getting-started`, `getting-started.md`. */
const MEANT = new Map(
  GUIDES.flatMap((guide) => {
    const file = (guide.file.split("/").at(-1) ?? "").replace(/\.md$/, "");
    const address = guide.path.replace("/docs/", "");
    return [file, address].flatMap((name): [string, string][] => [
      [name.toLowerCase(), guide.path],
      [`${name.toLowerCase()}.md`, markdownPath(guide)],
    ]);
  }).filter(([name]) => !name.startsWith("readme")),
);

export function unknownGuideRoutes<Ctx extends Infra>(): Route<Ctx>[] {
  const part = text({ max: 64 });
  const common = {
    method: "GET",
    summary: "A page that does not exist",
    isHidden: true,
    errorPage: unknownGuidePage,
  } as const;
  const moved = {
    about: "The guide of that name",
    contentType: "text/html",
    headers: ["Location"],
  } as const;
  const nothing = { about: "There is no such page", alsoAs: "text/html" };
  return [
    publicRoute({
      ...common,
      path: "/docs/{page}",
      params: { page: part },
      answers: { 301: moved, 404: nothing },
      async run(_: Ctx, call): Promise<Answer> {
        const location = MEANT.get(call.params.page.toLowerCase());
        if (location === undefined) throw new NotFound("no such page");
        return { status: 301, body: "", contentType: HTML_TYPE, headers: { location } };
      },
    }),
    publicRoute({
      ...common,
      path: "/docs/{page}/{below}",
      params: { page: part, below: part },
      answers: { 404: nothing },
      async run(): Promise<Answer> {
        throw new NotFound("no such page");
      },
    }),
  ];
}

/** For a browser that navigates; every other client gets the usual error. */
export function unknownGuidePage(status: number, call: RefusedCall): Answer {
  const { message } = call.refusal;
  const isNavigating = call.header("sec-fetch-mode") === "navigate";
  if (status !== 404 || !isNavigating || !acceptsHtml(call.header("accept")))
    return { status, body: { message } };
  const words = wordsOf(Object.values(call.params).join(" "));
  const query = words.join(" ");
  const search = new URLSearchParams({ q: query }).toString();
  const links = nearestTo(words).map(
    ({ path, title, about }) => html`<li><a href="${path}">${title}</a>: ${about}</li>\n`,
  );
  const title = "There is no such page · Windward";
  const main = html`<h1>There is no such page</h1>
${links.length > 0 && html`<p>Perhaps you look for:</p><ul>${links}</ul>`}
<p><a href="${SEARCH_PATH}?${search}">Search for “${query}”</a>, or go to
<a href="/docs">the documentation</a>.</p>`;
  return pageAnswer(siteDocument({ title, about: title, main, query, isUnlisted: true }), {
    status,
  });
}

function wordsOf(name: string): string[] {
  const words = name.toLowerCase().replace(/\.md$/, "");
  return words.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}

function nearestTo(words: readonly string[]) {
  const asked = new Set(words.map(alike));
  return NAVIGATION.flatMap(({ pages }) => pages)
    .map((page) => {
      const names = new Set(wordsOf(`${page.path.replace("/docs/", "")} ${page.title}`).map(alike));
      return { ...page, common: [...asked].filter((word) => names.has(word)).length };
    })
    .filter(({ common }) => common > 0)
    .toSorted((a, b) => b.common - a.common)
    .slice(0, NEAREST_MAX);
}

function alike(word: string): string {
  return word.slice(0, ALIKE_LENGTH);
}
