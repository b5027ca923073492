/** What a browser reads when a page of `/operator` is refused. */

import { narrowPage } from "../console/page.ts";
import type { Answer } from "../infra/http/answer.ts";
import type { RefusedCall } from "../infra/http/route.ts";
import { html } from "../kit/html.ts";
import { linkButton } from "../parts/form.ts";

const WORDS: Readonly<Record<number, { title: string; text: string }>> = {
  403: {
    title: "Please try that again",
    text: "The form is too old or did not come from this site. Nothing was changed.",
  },
  404: {
    title: "There is no such page",
    text: "It may have moved, or your role does not include it.",
  },
  503: {
    title: "We could not finish that",
    text:
      "Please try again in a moment. If you had sent something, look in the audit log first: " +
      "it may be done.",
  },
};

export function operatorErrorPage(status: number, { refusal }: RefusedCall): Answer {
  const { title, text } = WORDS[status] ?? {
    title: status === 429 ? "Too many attempts" : "That did not work",
    text: refusal.message,
  };
  return narrowPage({
    title,
    status,
    content: html`<p>${text}</p>
${linkButton({ text: "Go to the operator's console", href: "/operator" })}`,
  });
}
