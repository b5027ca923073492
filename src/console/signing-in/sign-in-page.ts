/** The pages at which people sign in: the form, a forgotten password. */

import type { Answer } from "../../infra/http/answer.ts";
import { html } from "../../kit/html.ts";
import { passwordField, textField } from "../../parts/field.ts";
import { button, postForm } from "../../parts/form.ts";
import { flash, notice, problemSummary } from "../../parts/notice.ts";
import { doneText, narrowPage } from "../page.ts";

interface SignInView {
  readonly csrf: string;
  readonly next: string;
  readonly email?: string;
  readonly problem?: string;
  /** What happened before: a word of `DONE`. */
  readonly done?: string | undefined;
  readonly status?: number;
}

const DONE: Readonly<Record<string, string>> = {
  password:
    "Your password has been changed. You are signed out everywhere: sign in with the new one.",
  joined: "Welcome. Sign in with the password you have just chosen.",
  signed_out: "You are signed out.",
  closed: "The account has been closed.",
};

export function signInPage(view: SignInView): Answer {
  const { csrf, next, email = "", problem, done = "" } = view;
  const text = doneText(DONE, done);
  return narrowPage({
    title: "Sign in",
    status: view.status ?? 200,
    message: [
      problem !== undefined && problemSummary([{ message: problem }], "That did not work"),
      text !== undefined && flash({ tone: "good", text }),
    ],
    content: postForm({
      action: "/sign-in",
      csrf,
      hidden: { next },
      content: html`${textField({
        name: "email",
        label: "E-mail",
        type: "email",
        value: email,
        required: true,
        autocomplete: "username",
        autofocus: email === "",
      })}
${passwordField({
  name: "password",
  label: "Password",
  required: true,
  autocomplete: "current-password",
  autofocus: email !== "",
})}
${button({ text: "Sign in", kind: "primary" })}`,
    }),
    below: html`<p><a href="/forgot">Forgot your password?</a></p>`,
  });
}

export function forgotPage(view: {
  readonly csrf: string;
  readonly canSendMail: boolean;
  readonly problem?: string;
}): Answer {
  return narrowPage({
    title: "Forgot your password?",
    status: view.problem === undefined ? 200 : 422,
    message: view.problem !== undefined && problemSummary([{ message: view.problem }]),
    content: view.canSendMail
      ? postForm({
          action: "/forgot",
          csrf: view.csrf,
          content: html`<p>Give us your e-mail address, and we send you a link to set a new one.</p>
${textField({
  name: "email",
  label: "E-mail",
  type: "email",
  required: true,
  autocomplete: "username",
})}
${button({ text: "Send the link", kind: "primary" })}`,
        })
      : notice({
          tone: "warn",
          heading: "E-mail is not set up",
          text: "Ask the operator of this service for a link to set a new password.",
        }),
    below: html`<p><a href="/sign-in">Back to the sign-in</a></p>`,
  });
}

/** The same for an e-mail that somebody has and for one that nobody has. */
export function forgotDonePage(): Answer {
  return narrowPage({
    title: "Check your e-mail",
    content: html`<p>If that address belongs to somebody here, a link to set a new password is being
sent to it. It works once, within 30 minutes.</p>
<p>Nothing there after a few minutes? Look in your spam folder, and check the address.</p>`,
    below: html`<p><a href="/sign-in">Back to the sign-in</a></p>`,
  });
}
