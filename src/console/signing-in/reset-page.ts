/**
 * The pages at `/reset/{token}` as answers (Decisions 0070 and 0089): a form, or a message. They
 * have no script and load nothing but the style of all pages.
 */

import type { Config } from "../../infra/config.ts";
import type { Answer } from "../../infra/http/answer.ts";
import type { RefusedCall } from "../../infra/http/route.ts";
import { type Html, html } from "../../kit/html.ts";
import { isToken } from "../../modules/people/random-token.ts";
import { RESET_LINK_MINUTES } from "../../modules/people/reset-link.ts";
import type { PasswordProblem } from "../../modules/people/reset-password.ts";
import { consoleStyle } from "../../parts/console-assets.ts";
import { textField } from "../../parts/field.ts";
import { button, linkButton } from "../../parts/form.ts";
import { narrowFrame } from "../../parts/narrow-frame.ts";
import { documentPolicy, pageAnswer, renderDocument } from "../../parts/page.ts";
import { newPasswordFields } from "../password-fields.ts";

/** Narrower than for other pages: no script, and the address, which is a secret, goes nowhere. */
const HEADERS = {
  "content-security-policy": documentPolicy({
    "form-action": "'self'",
    "frame-ancestors": "'none'",
  }),
  "referrer-policy": "no-referrer",
};

interface Message {
  readonly heading: string;
  readonly text: string;
  readonly link?: { readonly to: string; readonly text: string };
}

const DONE: Message = {
  heading: "Your password has been changed",
  text:
    "Use your new password the next time you sign in. This account has been signed out " +
    "everywhere. API keys keep working.",
  link: { to: "/sign-in", text: "Sign in" },
};
const INVALID: Message = {
  heading: "This link is no longer valid",
  text:
    `A link works once, for ${RESET_LINK_MINUTES} minutes, and only until a newer one is sent. ` +
    "Please ask for a new one.",
  link: { to: "/forgot", text: "Ask for a new link" },
};
const TOO_OFTEN: Message = {
  heading: "Too many attempts",
  text: "Please wait a minute, then try again. Your password has not been changed.",
};
const TROUBLE: Message = { heading: "Something went wrong", text: "Please try again in a moment." };

export function resetForm(
  rules: Config["passwords"],
  { email, problem }: { readonly email: string; readonly problem?: PasswordProblem | undefined },
): Answer {
  const heading = "Set a new password";
  const content = html`<p>This account will be signed out everywhere.</p>
<form class="form" method="post">
${accountField(email)}
${newPasswordFields(rules, { label: "New password", problem })}
${button({ text: "Set password", kind: "primary" })}
</form>`;
  if (problem === undefined) return pageOf(200, { heading, content });
  const title = `Problem: ${heading}`;
  return { ...pageOf(422, { heading, content, title }), error: "reset_form_refused" };
}

/** For the browser that keeps the password: it is not sent. */
function accountField(value: string): Html {
  return textField({
    name: "",
    id: "username",
    label: "Account",
    type: "email",
    autocomplete: "username",
    value,
    readonly: true,
  });
}

export function resetDone(): Answer {
  return messagePage(200, DONE);
}

/** In place of an error's JSON: a person's browser reads it. */
export function resetErrorPage(status: number, { params: { token } }: RefusedCall): Answer {
  if (status === 404) return messagePage(status, INVALID);
  const message = status === 429 ? TOO_OFTEN : TROUBLE;
  if (!isToken(token)) return messagePage(status, message);
  const link = { to: `/reset/${token}`, text: "Back to the form" };
  return messagePage(status, { ...message, link });
}

function messagePage(status: number, { heading, text, link }: Message): Answer {
  const content = html`<p>${text}</p>
${link && html`<p>${linkButton({ href: link.to, text: link.text, kind: "primary" })}</p>`}`;
  return pageOf(status, { heading, content });
}

function pageOf(
  status: number,
  parts: { readonly heading: string; readonly content: Html; readonly title?: string },
): Answer {
  const { heading, content, title = heading } = parts;
  const body = narrowFrame({ heading, content });
  const document = renderDocument({ title, body, styles: [consoleStyle] });
  return pageAnswer(document, { status, headers: HEADERS });
}
