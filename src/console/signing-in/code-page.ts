/** The page that asks for a second factor: a code, a passkey or a recovery code. */

import type { Answer } from "../../infra/http/answer.ts";
import { html } from "../../kit/html.ts";
import type { SecondFactors } from "../../modules/people/second-factors.ts";
import { passkeyScript } from "../../parts/console-assets.ts";
import { textField } from "../../parts/field.ts";
import { button, postForm } from "../../parts/form.ts";
import { problemSummary } from "../../parts/notice.ts";
import { codeField } from "../code-field.ts";
import { narrowPage } from "../page.ts";
import { passkeyForm } from "../passkey-form.ts";

export interface CodeView {
  readonly csrf: string;
  readonly next: string;
  readonly factors: SecondFactors;
  /** A recovery code is asked for by choice; without an app it is anyway, where there are any. */
  readonly isRecovery: boolean;
  /** Absent: no passkey, or none for this address. */
  readonly passkeyOptions?: object | undefined;
  readonly problem?: string;
}

export function codePage(view: CodeView): Answer {
  const { csrf, next, factors, problem, passkeyOptions } = view;
  const hasCodes = factors.recoveryCodes > 0;
  const isRecovery = hasCodes && (view.isRecovery || !factors.totp);
  const isFirstChoice = factors.totp || passkeyOptions === undefined;
  const code =
    (factors.totp || hasCodes) &&
    postForm({
      action: "/sign-in/code",
      csrf,
      hidden: { next, use: isRecovery ? "recovery" : "" },
      content: html`${isRecovery ? recoveryField(problem) : appField(problem)}
${button({ text: "Sign in", kind: isFirstChoice ? "primary" : "secondary" })}`,
    });
  const passkey =
    passkeyOptions !== undefined &&
    passkeyForm({
      ceremony: "get",
      options: passkeyOptions,
      action: "/sign-in/code/passkey",
      csrf,
      hidden: { next },
      button: "Use a passkey",
      isPrimary: !isFirstChoice,
    });
  const way = (use: string, text: string, before = "") => {
    const href = `/sign-in/code?${new URLSearchParams({ next, use })}`;
    return html`<p>${before}<a href="${href}">${text}</a></p>`;
  };
  return narrowPage({
    title: "One more step",
    status: problem === undefined ? 200 : 422,
    scripts: [passkeyScript],
    message:
      problem !== undefined &&
      problemSummary([{ message: problem, ...(code !== false && { field: "code" }) }]),
    content: [
      ...(factors.totp ? [code, passkey] : [passkey, code]),
      code === false && passkey === false && html`<p>Your passkey belongs to another address.</p>`,
    ],
    below: html`${isRecovery && factors.totp && way("", "Use the authenticator app")}
${!isRecovery && hasCodes && way("recovery", "Use a recovery code", "Lost your phone? ")}
<p><a href="/sign-in">Sign in as somebody else</a></p>`,
  });
}

function appField(error: string | undefined) {
  return codeField({ required: true, autofocus: error === undefined, error });
}

function recoveryField(error: string | undefined) {
  return textField({
    name: "code",
    label: "Recovery code",
    hint: "One of the ten that you saved, e.g. abcd-efgh-jkmn. Each works once.",
    required: true,
    autocomplete: "off",
    maxlength: 40,
    isCode: true,
    error,
  });
}
