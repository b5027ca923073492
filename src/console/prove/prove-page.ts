/** Where a person shows a password or a second factor again, before something that needs it. */

import type { Answer } from "../../infra/http/answer.ts";
import { html } from "../../kit/html.ts";
import { passkeyScript } from "../../parts/console-assets.ts";
import { passwordField } from "../../parts/field.ts";
import { button, buttonRow, cancelLink, postForm } from "../../parts/form.ts";
import { problemSummary } from "../../parts/notice.ts";
import { codeField } from "../code-field.ts";
import { narrowPage } from "../page.ts";
import { passkeyForm } from "../passkey-form.ts";

export interface ProveView {
  readonly csrf: string;
  readonly next: string;
  readonly hasApp: boolean;
  readonly passkeyOptions?: object | undefined;
  readonly problem?: { readonly field?: "password" | "code"; readonly message: string };
}

export function provePage(view: ProveView): Answer {
  const { csrf, next, hasApp, problem, passkeyOptions } = view;
  const errorOf = (field: string) => (problem?.field === field ? problem.message : undefined);
  const form = postForm({
    action: "/console/prove",
    csrf,
    hidden: { next },
    content: html`${passwordField({
      name: "password",
      label: "Password",
      required: !hasApp,
      autocomplete: "current-password",
      autofocus: problem === undefined,
      error: errorOf("password"),
    })}
${
  hasApp &&
  html`<p class="soft">or</p>
${codeField({ error: errorOf("code") })}`
}
${buttonRow(button({ text: "Continue", kind: "primary" }), cancelLink("/console"))}`,
  });
  return narrowPage({
    title: "Confirm that it is you",
    status: problem === undefined ? 200 : 422,
    scripts: [passkeyScript],
    message: problem !== undefined && problemSummary([problem]),
    content: html`<p>The next step is protected. You will not be asked again for five minutes.</p>
${form}
${
  passkeyOptions !== undefined &&
  passkeyForm({
    ceremony: "get",
    options: passkeyOptions,
    action: "/console/prove/passkey",
    csrf,
    hidden: { next },
    button: "Use a passkey",
  })
}`,
  });
}
