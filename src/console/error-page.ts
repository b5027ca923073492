/** What a browser reads when a page of the console is refused. */

import type { Answer } from "../infra/http/answer.ts";
import type { RefusedCall } from "../infra/http/route.ts";
import { html } from "../kit/html.ts";
import { linkButton } from "../parts/form.ts";
import { narrowPage } from "./page.ts";

const WORDS: Readonly<Record<number, { title: string; text: string }>> = {
  403: {
    title: "Please try that again",
    text: "The form is too old or did not come from this site. Nothing was changed.",
  },
  404: {
    title: "There is no such page",
    text: "It may have moved, or your role on this account does not include it.",
  },
};

export function consoleErrorPage(status: number, { refusal, header }: RefusedCall): Answer {
  const { title, text } = WORDS[status] ?? {
    title: status === 429 ? "Too many attempts" : "That did not work",
    text: refusal.message,
  };
  const isSignIn = (header("referer") ?? "").includes("/sign-in");
  return narrowPage({
    title,
    status,
    content: html`<p>${text}</p>
${linkButton({ text: "Go on", href: isSignIn ? "/sign-in" : "/console" })}`,
  });
}
