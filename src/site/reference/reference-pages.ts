/**
 * The reference, made from the OpenAPI document: a page with every request, and one for each
 * chapter (Decision 0115). It is plain HTML, read at once and without scripts; requests are sent
 * from the page of Scalar, which takes seconds to load.
 */

import type { Infra } from "../../infra/context.ts";
import { publicRoute, type Route } from "../../infra/http/route.ts";
import { NotFound } from "../../kit/errors.ts";
import { text } from "../../kit/fields/text.ts";
import { html } from "../../kit/html.ts";
import { lazy } from "../../kit/lazy.ts";
import type { JsonSchema } from "../../kit/schema.ts";
import { siteDocument } from "../frame.ts";
import { chapterPath, REFERENCE_PATH, TRY_PATH } from "../guides.ts";
import { PAGE_ANSWERS, pageRoute, publicPage } from "../page.ts";
import { renderInThread, withBuffers } from "../render-in-thread.ts";
import { unknownGuidePage } from "../unknown-guide.ts";
import { type ReadDocument, readDocument } from "./openapi-reader.ts";

/** The OpenAPI document, made once for all that is made from it. */
export type MakeOpenapi = (ctx: Infra) => Promise<JsonSchema>;

export function referenceDocument(openapi: MakeOpenapi) {
  return lazy(async (ctx: Infra) => readDocument(await openapi(ctx)));
}

export type Reading = ReturnType<typeof referenceDocument>;

export function referenceRoutes<Ctx extends Infra>(
  makeOpenapi: MakeOpenapi,
  reading: Reading,
): Route<Ctx>[] {
  const pages = lazy(async (ctx: Ctx) => {
    const openapi = await makeOpenapi(ctx);
    const { publicUrl } = ctx.config.http;
    return withBuffers(await renderInThread("chapters", { openapi, publicUrl }));
  });
  return [
    pageRoute<Ctx>({
      path: REFERENCE_PATH,
      summary: "The reference",
      html: async (ctx) => indexHtml(await reading(ctx), ctx.config.http.publicUrl),
    }),
    publicRoute({
      method: "GET",
      path: `${REFERENCE_PATH}/{chapter}`,
      summary: "A chapter of the reference",
      isHidden: true,
      params: { chapter: text({ max: 64 }) },
      answers: { ...PAGE_ANSWERS, 404: { about: "There is no such chapter", alsoAs: "text/html" } },
      errorPage: unknownGuidePage,
      async run(ctx: Ctx, call) {
        const page = (await pages(ctx)).get(call.params.chapter);
        if (page === undefined) throw new NotFound("no such chapter");
        return publicPage(call, page);
      },
    }),
  ];
}

function indexHtml({ chapters }: ReadDocument, publicUrl: string): string {
  const parts = chapters.map((chapter) => {
    const path = chapterPath(chapter);
    const items = chapter.operations.map(
      ({ method, path: called, summary, operationId }) => html`<li>
<a href="${path}#${operationId}">${summary}</a> <code>${method} ${called}</code></li>\n`,
    );
    return html`<h2 id="${chapter.slug}"><a class="anchor" href="${path}">${chapter.name}</a></h2>
<p>${chapter.about}</p><ul class="calls">${items}</ul>`;
  });
  return siteDocument({
    title: "Reference · Windward",
    about: "Every request, field and answer of Windward.",
    path: REFERENCE_PATH,
    publicUrl,
    contents: chapters.map(({ slug, name }) => ({ id: slug, text: name })),
    main: html`<h1>Windward reference</h1>
<p>Every request, with its fields, its answers and its errors. It says what
<a href="/openapi.json">openapi.json</a> says. To send requests from your browser,
<a href="${TRY_PATH}">try it</a>; for Postman, Bruno and editors there are
<a href="/collections/">collections</a>.</p>
<p>Bodies are JSON or form data. Money is a text with two decimals beside its currency. Times are
in UTC. Credentials go into <code>Authorization: Bearer …</code> or <code>X-SVC-Key</code>, never
both. Beside the errors that a request names, each may answer 401, 403, 429, 500 and 503:
<a href="/docs/errors">all errors</a>.</p>
${parts}`,
  });
}
