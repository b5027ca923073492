/**
 * What a person's browser gets at a path that does not exist: a page that says so. Every other
 * client gets the usual error, also one that sends a browser's Accept: only a browser says that it
 * is navigating.
 */

import type { Answer } from "../infra/http/answer.ts";
import type { RefusedCall } from "../infra/http/route.ts";
import { acceptsHtml } from "../kit/accept.ts";
import { PAGE, pageHtml } from "./page.ts";

const MAIN = `<h1>There is nothing here</h1>
<p>Check the address. If you wanted to pay, go back to the shop and start again: no money was taken
on this page.</p>`;

export function unknownPathPage(status: number, { refusal, header }: RefusedCall): Answer {
  const { message } = refusal;
  const isNavigating = header("sec-fetch-mode") === "navigate";
  if (!isNavigating || !acceptsHtml(header("accept"))) return { status, body: { message } };
  return { status, body: pageHtml({ title: "Nothing here · Windward", main: MAIN }), ...PAGE };
}
