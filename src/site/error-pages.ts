/**
 * The pages about errors: one for each code of the catalogue, and an index (Decision 0063). A
 * browser that asks for an unknown code gets a page, too; every other client the usual error.
 */

import { STATUS_CODES } from "node:http";
import type { Infra } from "../infra/context.ts";
import type { Answer } from "../infra/http/answer.ts";
import { publicRoute, type RefusedCall, type Route } from "../infra/http/route.ts";
import { PROBLEM_TYPE } from "../infra/http/serve/render-error.ts";
import { acceptsHtml } from "../kit/accept.ts";
import {
  CATALOGUE,
  ERROR_AREAS,
  type ErrorCode,
  helpPath,
} from "../kit/error-catalogue/catalogue.ts";
import { NotFound } from "../kit/errors.ts";
import { described } from "../kit/fields/field.ts";
import { text } from "../kit/fields/text.ts";
import { type Html, type HtmlValue, html, trusted } from "../kit/html.ts";
import { inSlices } from "../kit/in-slices.ts";
import { lazy } from "../kit/lazy.ts";
import { pageAnswer } from "../parts/page.ts";
import { type Heading, siteDocument } from "./frame.ts";
import { chapterPath, ERRORS_PATH, SEARCH_PATH } from "./guides.ts";
import { answersOf } from "./openapi/common-answers.ts";
import { refusalIn } from "./openapi/responses.ts";
import { htmlText, PAGE_ANSWERS, pageRoute, publicPage } from "./page.ts";
import type { ReadDocument } from "./reference/openapi-reader.ts";
import type { Reading } from "./reference/reference-pages.ts";
import { renderInThread } from "./render-in-thread.ts";

const CODE_LENGTH_MAX = 64;

export function errorRoutes<Ctx extends Infra>(
  shown: () => readonly Route<never>[],
  reading: Reading,
  publicUrl: string,
): Route<Ctx>[] {
  const routes = lazy(() => inSlices(routesByCode(shown())));
  const examples = lazy(() => renderInThread("errorExamples", undefined));
  const places = lazy(async (ctx: Ctx) => placesOf(await reading(ctx)));
  return [
    pageRoute<Ctx>({
      path: ERRORS_PATH,
      summary: "All errors by their codes",
      isDocumented: true,
      html: () => errorIndexHtml(publicUrl),
    }),
    publicRoute({
      method: "GET",
      path: `${ERRORS_PATH}/{code}`,
      summary: "What an error means and what to do about it",
      params: {
        code: described(text({ max: CODE_LENGTH_MAX }), "From X-SVC-Error.", "field_required"),
      },
      answers: { ...PAGE_ANSWERS, 404: { about: "There is no such code", alsoAs: "text/html" } },
      errorPage: (status, call) => unknownCodeAnswer(status, call, publicUrl),
      async run(ctx: Ctx, call) {
        const { code } = call.params;
        if (!isCode(code)) throw new NotFound("no such error code");
        const example = trusted((await examples()).get(code) ?? "");
        const where = whereHtml(code, await routes(), await places(ctx));
        return publicPage(call, htmlText(errorHtml({ code, publicUrl, example, where })));
      },
    }),
  ];
}

function isCode(given: string): given is ErrorCode {
  return Object.hasOwn(CATALOGUE, given);
}

function unknownCodeAnswer(
  status: number,
  { refusal, header }: RefusedCall,
  publicUrl: string,
): Answer {
  const { message } = refusal;
  if (status !== 404 || !acceptsHtml(header("accept"))) return { status, body: { message } };
  const main = html`<h1>There is no such error code</h1>
<p>The address names a code that this service does not have.</p>
<p><a href="${ERRORS_PATH}">All errors</a>, <a href="/docs">the documentation</a> or
<a href="${SEARCH_PATH}">search</a></p>`;
  const title = "No such error code · Windward";
  const document = siteDocument({ title, about: title, publicUrl, main, isUnlisted: true });
  return pageAnswer(document, { status });
}

/** Which routes may answer with a code, from what the routes themselves say. */
type RoutesByCode = ReadonlyMap<ErrorCode, ReadonlySet<string>>;

export function* routesByCode(routes: readonly Route<never>[]): Generator<void, RoutesByCode> {
  const found = new Map<ErrorCode, Set<string>>();
  for (const route of routes) {
    for (const { refusals = [] } of Object.values(answersOf(route)))
      for (const refusal of refusals) {
        const { code } = refusalIn(refusal);
        const known = found.get(code) ?? new Set();
        found.set(code, known.add(`${route.method} ${route.path}`));
      }
    yield;
  }
  return found;
}

/** Where the reference has a request, by its method and path. */
function placesOf({ chapters }: ReadDocument): ReadonlyMap<string, string> {
  return new Map(
    chapters.flatMap((chapter) =>
      chapter.operations.map(({ method, path, operationId }) => [
        `${method} ${path}`,
        `${chapterPath(chapter)}#${operationId}`,
      ]),
    ),
  );
}

function errorHtml(parts: {
  readonly code: ErrorCode;
  readonly publicUrl: string;
  readonly example: Html;
  readonly where: Html;
}): string {
  const { code, publicUrl, example, where } = parts;
  const { status, title, statement, hint } = CATALOGUE[code];
  return siteDocument({
    title: `${title} · Windward`,
    about: statement,
    path: helpPath(code),
    publicUrl,
    main: html`<p class="crumb"><a href="${ERRORS_PATH}">All errors</a></p>
<h1>${title}</h1>
<p><code>${code}</code>, status ${status} ${STATUS_CODES[status]}</p>
<p>${statement}</p>
<h2>What to do</h2>
<p>${withLinks(hint)}</p>
<h2>Example</h2>
${example}
<h2>Where it occurs</h2>
${where}`,
  });
}

/** The pages of ours that a hint names become links. */
function withLinks(hint: string): HtmlValue {
  return hint
    .split(/(?<=\s)(\/(?:verify|docs)\b[\w/#-]*)/)
    .map((part, at) => (at % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));
}

function errorIndexHtml(publicUrl: string): string {
  const contents: Heading[] = ERROR_AREAS.map(({ title }) => ({
    id: title.toLowerCase().replaceAll(" ", "-"),
    text: title,
  }));
  const areas = ERROR_AREAS.map(({ title, errors }, at) => {
    const items = (Object.keys(errors) as ErrorCode[]).map((code) => {
      const { status, title: name } = CATALOGUE[code];
      const link = html`<a href="${helpPath(code)}"><code>${code}</code></a>`;
      return html`<li>${link} ${name} (${status})</li>\n`;
    });
    return html`<h2 id="${contents[at]?.id}">${title}</h2>\n<ul>${items}</ul>`;
  });
  return siteDocument({
    title: "Errors · Windward",
    about: "Every error code of Windward: what it means and what to do.",
    path: ERRORS_PATH,
    publicUrl,
    contents,
    main: html`<h1>Errors</h1>
<p>Every error answer has its code in <code>X-SVC-Error</code> and a link to the page about it in
<code>Link</code>. Its body is <code>{"message": "…"}</code>, on some routes with more fields; with
<code>Accept: ${PROBLEM_TYPE}</code> it also has the code, the field and a hint.</p>
${areas}`,
  });
}

function whereHtml(
  code: ErrorCode,
  routes: RoutesByCode,
  places: ReadonlyMap<string, string>,
): Html {
  switch (CATALOGUE[code].origin) {
    case "server":
      return html`<p>Anywhere: the server answers before a route is chosen.</p>`;
    case "page":
      return html`<p>On the pages that customers see in their browsers.</p>`;
    default: {
      const names = [...(routes.get(code) ?? [])];
      const items = names.map((name) => {
        const href = places.get(name);
        const call = html`<code>${name}</code>`;
        return html`<li>${href === undefined ? call : html`<a href="${href}">${call}</a>`}</li>\n`;
      });
      return html`<ul>${items}</ul>`;
    }
  }
}
