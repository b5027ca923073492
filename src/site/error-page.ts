/** The pages about errors: one for each code of the catalogue, and an index (Decision 0063). */

import { STATUS_CODES } from "node:http";
import { JSON_TYPE } from "../infra/http/answer.ts";
import { answersOf } from "../infra/http/openapi/common-answers.ts";
import { exampleBody, exampleProblem } from "../infra/http/openapi/problem-schema.ts";
import { refusalIn } from "../infra/http/openapi/responses.ts";
import type { Route } from "../infra/http/route.ts";
import { PROBLEM_TYPE } from "../infra/http/serve/problem.ts";
import {
  CATALOGUE,
  ERROR_AREAS,
  type ErrorCode,
  helpPath,
} from "../kit/error-catalogue/catalogue.ts";
import { escapeXml } from "../kit/escape-xml.ts";
import { ERRORS_PATH, navigation } from "./guides.ts";
import { GUIDE_STYLE, pageHtml } from "./page-shell.ts";

const INDENT = 2;

/** Which routes may answer with a code, from what the routes themselves say. */
export type RoutesByCode = ReadonlyMap<ErrorCode, ReadonlySet<string>>;

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

export function errorHtml(code: ErrorCode, routes: RoutesByCode): string {
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

export function errorIndexHtml(): string {
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
<code>Accept: ${PROBLEM_TYPE}</code> it also has the code, the field and a hint. Those of the last
section are for the people who run the service, and never come over HTTP.</p>
${areas.join("\n")}`,
  );
}

function exampleHtml(code: ErrorCode): string {
  const { origin, example } = CATALOGUE[code];
  if (origin === "terminal") return `<p>In the terminal:</p>\n${pre(example)}`;
  if (origin === "page") return "<p>The answer is a page for the customer's browser.</p>";
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
  return pre(`${head.join("\n")}\n\n${JSON.stringify(body, null, INDENT)}`);
}

/** Something to scroll is something to reach by keyboard. */
function pre(text: string): string {
  return `<pre tabindex="0"><code>${escapeXml(text)}</code></pre>`;
}

function whereHtml(code: ErrorCode, routes: RoutesByCode): string {
  switch (CATALOGUE[code].origin) {
    case "server":
      return "<p>Anywhere: it is answered before a route is chosen.</p>";
    case "page":
      return "<p>On the pages that customers see in their browsers.</p>";
    case "terminal":
      return "<p>In commands of the operator, never over HTTP.</p>";
    default: {
      const names = [...(routes.get(code) ?? [])];
      const items = names.map((name) => `<li><code>${escapeXml(name)}</code></li>`);
      return `<ul>${items.join("\n")}</ul>`;
    }
  }
}

function page(title: string, main: string): string {
  const body = `<div class="plain">
<header>${navigation()}</header>
<main>
${main}
</main>
</div>`;
  return pageHtml({ title: `${escapeXml(title)} · Windward`, style: GUIDE_STYLE, body });
}
