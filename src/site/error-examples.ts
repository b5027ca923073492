/** An error as it is answered, by default and as problem+json. */

import { STATUS_CODES } from "node:http";
import { JSON_TYPE } from "../infra/http/answer.ts";
import { PROBLEM_TYPE } from "../infra/http/serve/render-error.ts";
import { CATALOGUE, type ErrorCode, helpPath } from "../kit/error-catalogue/catalogue.ts";
import { type Html, html } from "../kit/html.ts";
import { codeFigure } from "./code-figure.ts";
import { highlighted } from "./highlight.ts";
import { exampleBody, exampleProblem } from "./openapi/problem-schema.ts";

export function exampleHtml(code: ErrorCode): Html {
  if (CATALOGUE[code].origin === "page")
    return html`<p>The answer is a page for the customer's browser.</p>`;
  const figure = (title: string, type: string, body: object) =>
    codeFigure({ title, code: highlighted(answerText(code, type, body), "http") });
  return html`${figure("By default", JSON_TYPE, exampleBody(code))}
${figure(`With Accept: ${PROBLEM_TYPE}`, PROBLEM_TYPE, exampleProblem(code))}`;
}

function answerText(code: ErrorCode, type: string, body: object): string {
  const { status } = CATALOGUE[code];
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${type}`,
    `X-SVC-Error: ${code}`,
    `Link: <${helpPath(code)}>; rel="help"`,
  ];
  return `${head.join("\n")}\n\n${JSON.stringify(body, null, 2)}`;
}
