/** What happened to one request: why it was refused, what was sent and what was answered. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, type HtmlValue, html } from "../../kit/html.ts";
import type { LoggedRequest } from "../../modules/request-log/logged-request.ts";
import { codeBlock } from "../../parts/code-block.ts";
import { copyable } from "../../parts/copy.ts";
import { definitionList } from "../../parts/definition-list.ts";
import { panel } from "../../parts/panel.ts";
import { timeHtml } from "../../parts/time.ts";
import { ENVIRONMENT_NAMES } from "../environment-words.ts";
import { consolePage } from "../page.ts";
import type { Visitor } from "../visitor.ts";
import { credentialHtml, statusBadge } from "./request-list-page.ts";
import { inDevelopers, KEYS, REQUESTS } from "./tabs.ts";
import { readableJson } from "./webhook-words.ts";

export function requestPage(visitor: Visitor, request: LoggedRequest): Answer {
  return consolePage(visitor, {
    title: `${request.method} ${request.path}`,
    ...inDevelopers(visitor, "Requests"),
    back: { name: "Requests", href: REQUESTS },
    beside: statusBadge(request),
    content: [
      explanationPanel(request),
      panel({ heading: "Request", content: facts(visitor, request) }),
      messagePanel("Request", request.request, request.request.query),
      messagePanel("Response", request.response),
    ],
  });
}

function explanationPanel({ explanation, code }: LoggedRequest): HtmlValue {
  if (explanation === null || code === null) return undefined;
  const { what_was_wrong, what_was_expected, how_to_mend_it, field } = explanation;
  return panel({
    heading: "What happened",
    content: [
      definitionList([
        { term: "What was wrong", value: what_was_wrong },
        { term: "Field", value: field === null ? undefined : html`<code>${field}</code>` },
        { term: "What was expected", value: what_was_expected },
        { term: "How to fix it", value: how_to_mend_it },
      ]),
      html`<p><a href="/docs/errors/${code}">More about <code>${code}</code></a></p>`,
    ],
  });
}

function facts(visitor: Visitor, request: LoggedRequest): Html {
  const { environment, credential } = request;
  const isKey = credential !== null && !credential.includes(" ");
  const hasPage = isKey && environment === visitor.environment && visitor.mayDo("keys");
  const by = credentialHtml(credential);
  return definitionList([
    { term: "Id", value: copyable(request.request_id, "request id") },
    { term: "Time", value: timeHtml(request.at, visitor.timeZone, "seconds") },
    { term: "Took", value: `${request.duration_ms} ms` },
    { term: "Status", value: statusBadge(request) },
    {
      term: "Error",
      value: request.code === null ? undefined : html`<code>${request.code}</code>`,
    },
    { term: "Environment", value: environmentWord(environment) },
    { term: "By", value: hasPage ? html`<a href="${KEYS}/${credential}">${by}</a>` : by },
    { term: "Address", value: html`<code>${request.address}</code>` },
  ]);
}

function environmentWord(environment: LoggedRequest["environment"]): string {
  if (environment === null) return "Neither was named";
  return ENVIRONMENT_NAMES[environment];
}

const HEADINGS = { Request: "What was sent", Response: "What was answered" };

function messagePanel(
  name: keyof typeof HEADINGS,
  { headers, body }: LoggedRequest["request"] | LoggedRequest["response"],
  query: string | null = null,
): Html {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return panel({
    heading: HEADINGS[name],
    text: "Without passwords, keys, codes and numbers of cards, up to 4 kB.",
    content: [
      query !== null && codeBlock({ title: `${name} query`, code: query }),
      codeBlock({ title: `${name} headers`, code: lines.join("\n") }),
      body === null
        ? html`<p class="soft">There was no body.</p>`
        : codeBlock({ title: `${name} body`, code: readableJson(body) }),
    ],
  });
}
