/**
 * What a person's browser gets at a path that does not exist: a page that says so. Every other
 * client gets the usual error, also one that sends a browser's Accept: only a browser says that it
 * is navigating.
 */

import type { Answer } from "../infra/http/answer.ts";
import type { RefusedCall } from "../infra/http/route.ts";
import { acceptsHtml } from "../kit/accept.ts";
import { html } from "../kit/html.ts";
import { consoleStyle } from "../parts/console-assets.ts";
import { buttonRow, linkButton } from "../parts/form.ts";
import { narrowFrame } from "../parts/narrow-frame.ts";
import { pageAnswer, renderDocument } from "../parts/page.ts";
import { SEARCH_PATH } from "./guides.ts";

const DOCUMENT = renderDocument({
  title: "Nothing here · Windward",
  styles: [consoleStyle],
  scripts: [],
  body: narrowFrame({
    heading: "There is nothing here",
    content: html`<p>Check the address. If you wanted to pay, go back to the shop and start again:
no money was taken on this page.</p>
${buttonRow(
  linkButton({ text: "Go to the console", href: "/console" }),
  linkButton({ text: "Documentation", href: "/docs" }),
)}
<p>Looking for something? <a href="${SEARCH_PATH}">Search the documentation</a></p>`,
  }),
});

export function unknownPathPage(status: number, { refusal, header }: RefusedCall): Answer {
  const { message } = refusal;
  const isNavigating = header("sec-fetch-mode") === "navigate";
  if (!isNavigating || !acceptsHtml(header("accept"))) return { status, body: { message } };
  return pageAnswer(DOCUMENT, { status });
}
