/**
 * The pages at `/reset/{token}` as answers (Decision 0070): a form, or a message. Rendered on the
 * server with the payment page's style and no script; the page loads nothing.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Answer } from "../../infra/http/answer.ts";
import type { RefusedCall } from "../../infra/http/route.ts";
import { compileTemplate } from "../../infra/templates.ts";
import { isToken } from "../../modules/people/random-token.ts";
import { RESET_LINK_MINUTES } from "../../modules/people/reset-link.ts";
import type { PasswordProblem } from "../../modules/people/reset-password.ts";

const templates = {
  page: compileTemplate("reset/page.eta"),
  form: compileTemplate("reset/form.eta"),
  message: compileTemplate("reset/message.eta"),
};
const style = readFileSync(new URL("../../../web/checkout/style.css", import.meta.url), "utf8");

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "img-src data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");
const HEADERS = {
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "x-frame-options": "DENY",
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
};
const INVALID: Message = {
  heading: "This link is no longer valid",
  text:
    `A link works once, for ${RESET_LINK_MINUTES} minutes, and only until a newer one is sent. ` +
    "Please ask for a new one.",
};
const TOO_OFTEN: Message = {
  heading: "Too many attempts",
  text: "Please wait a minute, then try again. Your password has not been changed.",
};
const TROUBLE: Message = { heading: "Something went wrong", text: "Please try again in a moment." };

export function resetForm(
  { complexity }: { readonly complexity: boolean },
  { email, problem }: { readonly email: string; readonly problem?: PasswordProblem | undefined },
): Answer {
  const heading = "Set a new password";
  const field = (name: PasswordProblem["field"], label: string) => ({
    name,
    label,
    problem: problem?.field === name ? problem.sentence : "",
  });
  const rules = complexity
    ? "At least 8 characters, with a lower-case letter, an upper-case letter, a digit and a " +
      "special character."
    : "At least 8 characters.";
  const main = templates.form({
    heading,
    email,
    text: "This account will be signed out everywhere.",
    fields: [
      { ...field("new_password", "New password"), help: rules },
      field("confirm_password", "Confirm the password"),
    ],
    button: "Set password",
  });
  if (problem === undefined) return pageOf(200, heading, main);
  return { ...pageOf(422, `Problem: ${heading}`, main), error: "reset_form_refused" };
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

function messagePage(status: number, message: Message): Answer {
  return pageOf(status, message.heading, templates.message(message));
}

function pageOf(status: number, title: string, main: string): Answer {
  return {
    status,
    body: templates.page({ title, style, main }),
    contentType: "text/html; charset=utf-8",
    headers: HEADERS,
  };
}
