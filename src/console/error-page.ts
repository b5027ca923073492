/** What a browser reads when a page of the console is refused. */

import type { Answer } from "../infra/http/answer.ts";
import type { RefusedCall } from "../infra/http/route.ts";
import type { NotFound } from "../kit/errors.ts";
import { html } from "../kit/html.ts";
import { linkButton } from "../parts/form.ts";
import { SecondFactorNeeded } from "./live-money.ts";
import { consolePage, narrowPage } from "./page.ts";
import type { Visitor } from "./visitor.ts";

interface Words {
  readonly title: string;
  readonly text: string;
}

const WORDS: Readonly<Record<number, Words> & Record<404, Words>> = {
  403: {
    title: "Please try that again",
    text: "The form is too old or did not come from this site. Nothing was changed.",
  },
  404: {
    title: "There is no such page",
    text:
      "It may have moved, it may be of another account, or your role on this account does not " +
      "include it.",
  },
  503: {
    title: "We could not finish that",
    text: "Please look whether it was done, then try again in a moment.",
  },
};

/** Somebody who is signed in keeps the menu. */
export function pageNotFound(visitor: Visitor, refusal: NotFound): Answer {
  const { title, text } = WORDS[404];
  const page = consolePage(visitor, { title, status: 404, content: html`<p>${text}</p>` });
  return { ...page, error: refusal.code, refusal };
}

export function consoleErrorPage(status: number, { refusal, header }: RefusedCall): Answer {
  if (refusal instanceof SecondFactorNeeded) return secondFactorFirst(status);
  const { title, text } = WORDS[status] ?? {
    title: status === 429 ? "Too many attempts" : "That did not work",
    text: refusal.message,
  };
  const isSignIn = (header("referer") ?? "").includes("/sign-in");
  const next = isSignIn
    ? { text: "Back to the sign-in", href: "/sign-in" }
    : { text: "Go to the console", href: "/console" };
  return narrowPage({
    title,
    status,
    content: html`<p>${text}</p>
${linkButton(next)}`,
  });
}

function secondFactorFirst(status: number): Answer {
  return narrowPage({
    title: "Add a second factor first",
    status,
    content: html`<p>Before you move live money here, your sign-in has to need more than a
password. It takes a minute: an authenticator app, or a passkey.</p>
${linkButton({ text: "Go to your profile", kind: "primary", href: "/console/me" })}
${linkButton({ text: "Not now", kind: "quiet", href: "/console" })}`,
  });
}
