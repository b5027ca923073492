/**
 * The pages about errors: one for each code of the catalogue, and an index (Decision 0063). A
 * browser that asks for an unknown code gets a page, too; every other client the usual error.
 */

import { STATUS_CODES } from "node:http";
import type { Infra } from "../infra/context.ts";
import { type Answer, JSON_TYPE } from "../infra/http/answer.ts";
import { publicRoute, type RefusedCall, type Route } from "../infra/http/route.ts";
import { cachedAs, etagOf } from "../infra/http/serve/client-caching.ts";
import { PROBLEM_TYPE } from "../infra/http/serve/render-error.ts";
import { acceptsHtml } from "../kit/accept.ts";
import {
  CATALOGUE,
  ERROR_AREAS,
  type ErrorCode,
  helpPath,
} from "../kit/error-catalogue/catalogue.ts";
import { NotFound } from "../kit/errors.ts";
import { escapeXml } from "../kit/escape-xml.ts";
import { described } from "../kit/fields/field.ts";
import { text } from "../kit/fields/text.ts";
import { lazy } from "../kit/lazy.ts";
import { ERRORS_PATH } from "./guides.ts";
import { answersOf } from "./openapi/common-answers.ts";
import { exampleBody, exampleProblem } from "./openapi/problem-schema.ts";
import { refusalIn } from "./openapi/responses.ts";
import { PAGE, PAGE_ANSWERS, pageHtml, pageRoute, preHtml } from "./page.ts";

const CODE_LENGTH_MAX = 64;

export function errorRoutes<Ctx extends Infra>(shown: () => readonly Route<never>[]): Route<Ctx>[] {
  const routes = lazy(() => routesByCode(shown()));
  return [
    pageRoute<Ctx>({
      path: ERRORS_PATH,
      summary: "All errors by their codes",
      html: errorIndexHtml,
    }),
    publicRoute({
      method: "GET",
      path: `${ERRORS_PATH}/{code}`,
      summary: "What an error means and what to do about it",
      params: {
        code: described(text({ max: CODE_LENGTH_MAX }), "From X-SVC-Error.", "field_required"),
      },
      answers: { ...PAGE_ANSWERS, 404: { about: "There is no such code", alsoAs: "text/html" } },
      errorPage: unknownCodeAnswer,
      async run(_ctx: Ctx, call) {
        const { code } = call.params;
        if (!isCode(code)) throw new NotFound("no such error code");
        const body = errorHtml(code, await routes());
        return cachedAs(call, { body, etag: etagOf(body), ...PAGE });
      },
    }),
  ];
}

function isCode(given: string): given is ErrorCode {
  return Object.hasOwn(CATALOGUE, given);
}

function unknownCodeAnswer(status: number, { refusal, header }: RefusedCall): Answer {
  const { message } = refusal;
  if (status !== 404 || !acceptsHtml(header("accept"))) return { status, body: { message } };
  const main = `<h1>There is no such error code</h1>
<p>The address names a code that this service does not have.</p>
<p><a href="${ERRORS_PATH}">All errors</a></p>`;
  return { status, body: page("No such error code", main), ...PAGE };
}

/** Which routes may answer with a code, from what the routes themselves say. */
type RoutesByCode = ReadonlyMap<ErrorCode, ReadonlySet<string>>;

export function routesByCode(routes: readonly Route<never>[]): RoutesByCode {
  const found = new Map<ErrorCode, Set<string>>();
  for (const route of routes)
    for (const { refusals = [] } of Object.values(answersOf(route)))
      for (const refusal of refusals) {
        const { code } = refusalIn(refusal);
        const known = found.get(code) ?? new Set();
        found.set(code, known.add(`${route.method} ${route.path}`));
      }
  return found;
}

function errorHtml(code: ErrorCode, routes: RoutesByCode): string {
  const { status, title, statement, hint } = CATALOGUE[code];
  return page(
    title,
    `<p><a href="${ERRORS_PATH}">All errors</a></p>
<h1>${escapeXml(title)}</h1>
<p><code>${code}</code>, status ${status} ${STATUS_CODES[status]}</p>
<p>${escapeXml(statement)}</p>
<h2>What to do</h2>
<p>${escapeXml(hint)}</p>
<h2>Example</h2>
${exampleHtml(code)}
<h2>Where it occurs</h2>
${whereHtml(code, routes)}`,
  );
}

function errorIndexHtml(): string {
  const areas = ERROR_AREAS.map(({ title, errors }) => {
    const items = (Object.keys(errors) as ErrorCode[]).map((code) => {
      const { status, title: name } = CATALOGUE[code];
      const link = `<a href="${helpPath(code)}"><code>${code}</code></a>`;
      return `<li>${link} ${escapeXml(name)} (${status})</li>`;
    });
    return `<h2>${title}</h2>\n<ul>${items.join("\n")}</ul>`;
  });
  return page(
    "Errors",
    `<h1>Errors</h1>
<p>Every error answer has its code in <code>X-SVC-Error</code> and a link to the page about it in
<code>Link</code>. Its body is <code>{"message": "…"}</code>, on some routes with more members; with
<code>Accept: ${PROBLEM_TYPE}</code> it also has the code, the field and a hint.</p>
${areas.join("\n")}`,
  );
}

function exampleHtml(code: ErrorCode): string {
  if (CATALOGUE[code].origin === "page")
    return "<p>The answer is a page for the customer's browser.</p>";
  return `<p>By default:</p>
${answerHtml(code, JSON_TYPE, exampleBody(code))}
<p>With <code>Accept: ${PROBLEM_TYPE}</code>:</p>
${answerHtml(code, PROBLEM_TYPE, exampleProblem(code))}`;
}

function answerHtml(code: ErrorCode, type: string, body: object): string {
  const { status } = CATALOGUE[code];
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${type}`,
    `X-SVC-Error: ${code}`,
    `Link: <${helpPath(code)}>; rel="help"`,
  ];
  return preHtml(escapeXml(`${head.join("\n")}\n\n${JSON.stringify(body, null, 2)}`));
}

function whereHtml(code: ErrorCode, routes: RoutesByCode): string {
  switch (CATALOGUE[code].origin) {
    case "server":
      return "<p>Anywhere: the server answers before a route is chosen.</p>";
    case "page":
      return "<p>On the pages that customers see in their browsers.</p>";
    default: {
      const names = [...(routes.get(code) ?? [])];
      const items = names.map((name) => `<li><code>${escapeXml(name)}</code></li>`);
      return `<ul>${items.join("\n")}</ul>`;
    }
  }
}

function page(title: string, main: string): string {
  return pageHtml({ title: `${escapeXml(title)} · Windward`, main });
}
