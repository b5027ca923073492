/** The pages of passkeys: one to add, one for each that there is. */

import type { Answer } from "../../infra/http/answer.ts";
import { html } from "../../kit/html.ts";
import type { findPasskey } from "../../modules/people/passkeys.ts";
import { passkeyScript } from "../../parts/console-assets.ts";
import { textField } from "../../parts/field.ts";
import { button, buttonRow, cancelLink, confirmForm, postForm } from "../../parts/form.ts";
import { notice, problemSummary } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import { consolePage } from "../page.ts";
import { passkeyForm } from "../passkey-form.ts";
import type { Visitor } from "../visitor.ts";

const back = { name: "Your profile", href: "/console/me" };

function nameField(name: string, error?: string) {
  return textField({
    name: "name",
    label: "Name",
    hint: "To know it again, such as the name of the device.",
    value: name,
    required: true,
    maxlength: 60,
    autocomplete: "off",
    error,
  });
}

const LAST = html`<p>It is your only second factor: your password alone will open this account,
and your recovery codes are deleted.</p>`;

export interface AddView {
  /** Absent: the address of the page has no name that a passkey could belong to. */
  readonly options: object | undefined;
  readonly name: string;
  readonly problem?: string | undefined;
}

export function addPasskeyPage(visitor: Visitor, { options, name, problem }: AddView): Answer {
  const isName = problem !== undefined && name === "";
  const unable = notice({
    tone: "warn",
    heading: "Passkeys do not work here",
    text:
      options === undefined
        ? "They belong to the name of a site. Open the console under its name, not its address."
        : "This browser has none, or scripts are switched off.",
  });
  return consolePage(visitor, {
    title: "Add a passkey",
    back,
    scripts: [passkeyScript],
    status: problem === undefined ? 200 : 422,
    problem:
      problem !== undefined &&
      problemSummary([isName ? { field: "name", message: problem } : { message: problem }]),
    content: panel({
      content:
        options === undefined
          ? unable
          : html`<p>Your browser asks for your fingerprint, your face or the PIN of your device.
None of them reaches us.</p>
<div data-no-passkey>${unable}</div>
${passkeyForm({
  ceremony: "create",
  options,
  action: "/console/me/passkeys/new",
  csrf: visitor.formToken,
  fields: nameField(name, isName ? problem : undefined),
  button: "Add passkey",
  isPrimary: true,
})}`,
    }),
  });
}

type Passkey = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

export function onePasskeyPage(
  visitor: Visitor,
  passkey: Passkey,
  { isLast, problem }: { readonly isLast: boolean; readonly problem?: string },
): Answer {
  const path = `/console/me/passkeys/${passkey.passkey_id}`;
  return consolePage(visitor, {
    title: passkey.name,
    back,
    status: problem === undefined ? 200 : 422,
    problem: problem !== undefined && problemSummary([{ field: "name", message: problem }]),
    content: [
      panel({
        heading: "Name",
        content: postForm({
          action: path,
          csrf: visitor.formToken,
          content: html`${nameField(passkey.name, problem)}
${buttonRow(button({ text: "Save name", kind: "primary" }), cancelLink("/console/me"))}`,
        }),
      }),
      panel({
        heading: "Remove",
        content: confirmForm({
          action: `${path}/remove`,
          csrf: visitor.formToken,
          text: html`<p>It will no longer sign you in. Remove it from your device as well.</p>
${isLast && LAST}`,
          button: "Remove passkey",
          isDangerous: true,
          cancelHref: "/console/me",
        }),
      }),
    ],
  });
}
