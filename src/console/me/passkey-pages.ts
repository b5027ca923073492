/** The pages of passkeys: one to add, one for each that there is. */

import type { Answer } from "../../infra/http/answer.ts";
import { html } from "../../kit/html.ts";
import type { findPasskey } from "../../modules/people/passkeys.ts";
import { passkeyScript } from "../../parts/console-assets.ts";
import { textField } from "../../parts/field.ts";
import { button, buttonRow, cancelLink, confirmForm, postForm } from "../../parts/form.ts";
import { notice } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import { consolePage } from "../page.ts";
import { passkeyForm } from "../passkey-form.ts";
import type { RefusedForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { BACK_TO_ME, LAST_FACTOR } from "./own-factors.ts";

function nameField(name = "", refused?: RefusedForm) {
  return textField({
    name: "name",
    label: "Name",
    hint: "To recognise it by, such as the name of the device.",
    value: name,
    required: true,
    maxlength: 60,
    autocomplete: "off",
    error: refused?.errorOf("name"),
  });
}

export interface AddView {
  /** Absent: the address of the page has no name that a passkey could belong to. */
  readonly options: object | undefined;
  /** As it was typed. */
  readonly name?: string;
  readonly refused?: RefusedForm;
}

export function addPasskeyPage(visitor: Visitor, { options, name, refused }: AddView): Answer {
  const unable = notice({
    tone: "warn",
    heading: "Passkeys do not work here",
    text:
      options === undefined
        ? "They belong to the name of a site. Open the console by its name, not its IP address."
        : "This browser does not support them, or scripts are switched off.",
  });
  return consolePage(visitor, {
    title: "Add a passkey",
    back: BACK_TO_ME,
    scripts: [passkeyScript],
    problem: refused?.summary,
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
  fields: nameField(name, refused),
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
  { isLast, refused }: { readonly isLast: boolean; readonly refused?: RefusedForm },
): Answer {
  const path = `/console/me/passkeys/${passkey.passkey_id}`;
  return consolePage(visitor, {
    title: passkey.name,
    back: BACK_TO_ME,
    problem: refused?.summary,
    content: [
      panel({
        heading: "Name",
        content: postForm({
          action: path,
          csrf: visitor.formToken,
          content: html`${nameField(passkey.name, refused)}
${buttonRow(button({ text: "Save name", kind: "primary" }), cancelLink("/console/me"))}`,
        }),
      }),
      panel({
        heading: "Remove",
        content: confirmForm({
          action: `${path}/remove`,
          csrf: visitor.formToken,
          text: html`<p>It will no longer sign you in. Remove it from your device as well.</p>
${isLast && LAST_FACTOR}`,
          button: "Remove passkey",
          isDangerous: true,
          cancelHref: "/console/me",
        }),
      }),
    ],
  });
}
