/** What a browser reads when a page of the console is refused. */

import type { Answer } from "../infra/http/answer.ts";
import type { RefusedCall } from "../infra/http/route.ts";
import { html } from "../kit/html.ts";

const WORDS: Readonly<Record<number, { heading: string; text: string }>> = {
  403: {
    heading: "Please try that again",
    text: "The form is too old or did not come from this site. Nothing was changed.",
  },
  404: {
    heading: "There is no such page",
    text: "It may have moved, or your role on this account does not include it.",
  },
  429: {
    heading: "Too many attempts",
    text: "Please wait a little, then try again.",
  },
};
const TROUBLE = { heading: "Something went wrong", text: "Please try again in a moment." };

export function consoleErrorPage(status: number, { refusal }: RefusedCall): Answer {
  const { heading, text } = WORDS[status] ?? { ...TROUBLE, text: refusal.message };
  return {
    status,
    body: html`<!doctype html><title>${heading}</title><h1>${heading}</h1><p>${text}</p>`.toString(),
    contentType: "text/html; charset=utf-8",
  };
}
