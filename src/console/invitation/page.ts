/** The page of an invitation: for each who may be invited, and once it is over. */

import type { Config } from "../../infra/config.ts";
import type { Answer } from "../../infra/http/answer.ts";
import type { RefusedCall } from "../../infra/http/route.ts";
import { html } from "../../kit/html.ts";
import type { OpenInvitation } from "../../modules/people/invite-member.ts";
import { textField } from "../../parts/field.ts";
import { button, linkButton, postForm } from "../../parts/form.ts";
import { problemSummary } from "../../parts/notice.ts";
import { consoleErrorPage } from "../error-page.ts";
import { narrowPage } from "../page.ts";
import { newPasswordFields } from "../password-fields.ts";

export interface InvitationView {
  readonly invitation: OpenInvitation;
  readonly passwords: Config["passwords"];
  readonly csrf: string;
  readonly action: string;
  readonly who: "new" | "known" | "signed in" | "without own password" | "returning";
  readonly signInHref: string;
  readonly name?: string;
  readonly problem?: {
    readonly field: "name" | "new_password" | "confirm_password";
    readonly sentence: string;
  };
}

export function invitationPage(view: InvitationView): Answer {
  const { invitation, problem } = view;
  const page = narrowPage({
    title: `Join ${invitation.account_name}`,
    status: problem === undefined ? 200 : 422,
    message:
      problem !== undefined &&
      problemSummary([{ field: problem.field, message: problem.sentence }], "That did not work"),
    content: html`<p>${invitation.invited_by_name} invites you to act for
${invitation.account_name} as ${invitation.role}. You sign in as ${invitation.email}.</p>
${formOf(view)}`,
  });
  return problem === undefined ? page : { ...page, error: "console_form_refused" };
}

function formOf(view: InvitationView) {
  if (view.who === "without own password")
    return html`<p>Another company made your sign-in here and may know its password. We can mail you
a link to choose your own. Then open this invitation again.</p>
${linkButton({ text: "Choose a password", kind: "primary", href: "/forgot" })}`;
  if (view.who === "known")
    return html`<p>You already have a sign-in here. Sign in, then accept.</p>
${linkButton({ text: "Sign in", kind: "primary", href: view.signInHref })}`;
  const { action, csrf } = view;
  const accept = button({ text: "Accept the invitation", kind: "primary" });
  if (view.who === "signed in") return postForm({ action, csrf, content: accept });
  const { problem, who } = view;
  const label = who === "returning" ? "New password" : "Password";
  const password = newPasswordFields(view.passwords, { label, problem });
  return postForm({
    action,
    csrf,
    content: html`${who === "returning" ? AGAIN : nameField(view)}
${password}
${accept}`,
  });
}

const AGAIN = html`<p>You already have a sign-in here, but it no longer leads to any account.
Choose a new password for it.</p>`;

function nameField({ name = "", problem }: InvitationView) {
  return textField({
    name: "name",
    label: "Your name",
    value: name,
    autocomplete: "name",
    required: true,
    error: problem?.field === "name" ? problem.sentence : undefined,
  });
}

/** In place of the usual error page, because a link that is over has its own words. */
export function invitationGonePage(status: number, refused: RefusedCall): Answer {
  if (status !== 404) return consoleErrorPage(status, refused);
  return narrowPage({
    title: "This invitation is no longer valid",
    status,
    content: html`<p>An invitation works once, for seven days, and until it is withdrawn. Ask the
person who invited you for a new one.</p>`,
    below: html`<p><a href="/sign-in">To the sign-in</a></p>`,
  });
}
