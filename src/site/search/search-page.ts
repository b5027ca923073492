/**
 * `/docs/search`: a page of results, which works without scripts (Decision 0103). Where they run,
 * the field of every page shows the same list while somebody types.
 */

import type { Infra } from "../../infra/context.ts";
import { publicRoute, type Route } from "../../infra/http/route.ts";
import { optional } from "../../kit/fields/field.ts";
import { text } from "../../kit/fields/text.ts";
import { type Html, html } from "../../kit/html.ts";
import { lazy } from "../../kit/lazy.ts";
import { siteDocument } from "../frame.ts";
import { chapterPath, SEARCH_PATH } from "../guides.ts";
import { htmlText, PAGE_ANSWERS, publicPage } from "../page.ts";
import type { ReadDocument } from "../reference/openapi-reader.ts";
import type { Reading } from "../reference/reference-pages.ts";
import { renderInThread } from "../render-in-thread.ts";
import type { Find, Result } from "./find.ts";
import type { RequestEntry } from "./sections.ts";

const QUERY_LENGTH_MAX = 200;

export function searchRoute<Ctx extends Infra>(reading: Reading): Route<Ctx> {
  const finding = lazy((ctx: Ctx) => loadFind(ctx, reading));
  return publicRoute({
    method: "GET",
    path: SEARCH_PATH,
    summary: "Search the documentation",
    isHidden: true,
    query: { q: optional(text({ max: QUERY_LENGTH_MAX })) },
    answers: PAGE_ANSWERS,
    async run(ctx: Ctx, call) {
      const query = (call.query.q ?? "").trim();
      const results = query === "" ? [] : (await finding(ctx))(query);
      const { publicUrl } = ctx.config.http;
      return publicPage(call, htmlText(searchHtml({ query, results, publicUrl })));
    },
  });
}

/** Loaded on demand: the index takes memory that most processes never need. */
async function loadFind(ctx: Infra, reading: Reading): Promise<Find> {
  const requests = requestEntries(await reading(ctx));
  const { publicUrl } = ctx.config.http;
  const files = await renderInThread("search", { requests, publicUrl });
  const { createFind } = await import("./find.ts");
  return createFind(files);
}

/** Those of 1.x are left out: who looks for a request wants its successor. */
function requestEntries({ chapters }: ReadDocument): RequestEntry[] {
  return chapters.flatMap((chapter) =>
    chapter.operations
      .filter(({ deprecated }) => deprecated !== true)
      .map(({ summary, method, path, description, operationId }) => ({
        path: `${chapterPath(chapter)}#${operationId}`,
        chapter: chapter.name,
        summary,
        call: `${method} ${path}`,
        description,
      })),
  );
}

function searchHtml(parts: {
  readonly query: string;
  readonly results: readonly Result[];
  readonly publicUrl: string;
}): string {
  const { query, results, publicUrl } = parts;
  const title = query === "" ? "Search" : `Search: ${query}`;
  return siteDocument({
    title: `${title} · Windward`,
    about: "Search the guides, the errors and the reference of Windward.",
    path: SEARCH_PATH,
    publicUrl,
    query,
    main: html`<h1>${title}</h1>
<p class="soft" data-count>${countWords(query, results.length)}</p>
${results.length > 0 && html`<ol class="found">${results.map(resultItem)}</ol>`}
${query !== "" && results.length === 0 && nothingFound()}`,
  });
}

function countWords(query: string, count: number): string {
  if (query === "") return "Guides, errors and every request of the reference.";
  if (count === 0) return "Nothing was found.";
  return count === 1 ? "1 page" : `${count} pages`;
}

function resultItem({ path, page, kind, heading, excerpt }: Result): Html {
  const where = page === heading || page === kind ? kind : `${kind}: ${page}`;
  return html`<li><a href="${path}"><strong>${heading}</strong>
<span class="where">${where}</span><span class="excerpt">${excerpt}</span></a></li>\n`;
}

function nothingFound(): Html {
  return html`<p>Try fewer or other words, or look through <a href="/docs">the guides</a>,
<a href="/docs/reference">the reference</a> and <a href="/docs/errors">the errors</a>.</p>`;
}
