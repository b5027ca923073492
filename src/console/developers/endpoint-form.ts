/** The form of a webhook endpoint, and the one page that shows its secret. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, html } from "../../kit/html.ts";
import { EVENT_NAMES } from "../../modules/events/catalogue.ts";
import type { EndpointRow } from "../../modules/webhooks/endpoint.ts";
import { copyable } from "../../parts/copy.ts";
import { radioGroup, textField } from "../../parts/field.ts";
import { button, buttonRow, cancelLink, linkButton, postForm } from "../../parts/form.ts";
import { notice } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import { ENVIRONMENT_WORDS } from "../environment-words.ts";
import { oneTimeField } from "../one-time-form.ts";
import { consolePage } from "../page.ts";
import type { RefusedForm, SentForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { checkboxGroup } from "./checkbox-group.ts";
import { inDevelopers, WEBHOOKS } from "./tabs.ts";
import { endpointName } from "./webhook-words.ts";

export function newEndpointPage(
  visitor: Visitor,
  sent: SentForm = {},
  refused?: RefusedForm,
): Answer {
  return consolePage(visitor, {
    title: "Add an endpoint",
    ...inDevelopers(visitor, "Webhooks"),
    back: { name: "Webhooks", href: WEBHOOKS },
    problem: refused?.summary,
    content: panel({
      heading: `An endpoint for ${ENVIRONMENT_WORDS[visitor.environment]}`,
      text: "Its secret, with which your server checks signatures, is shown once.",
      content: postForm({
        action: `${WEBHOOKS}/new`,
        csrf: visitor.formToken,
        content: html`${oneTimeField()}${endpointInputs(sent, refused)}
${buttonRow(button({ text: "Add the endpoint", kind: "primary" }), cancelLink(WEBHOOKS))}`,
      }),
    }),
  });
}

export function changeEndpointPage(
  visitor: Visitor,
  row: EndpointRow,
  {
    sent = sentOf(row),
    refused,
  }: { readonly sent?: SentForm; readonly refused?: RefusedForm } = {},
): Answer {
  const href = `${WEBHOOKS}/${row.endpoint_id}`;
  return consolePage(visitor, {
    title: "Change the endpoint",
    ...inDevelopers(visitor, "Webhooks"),
    back: { name: endpointName(row), href },
    problem: refused?.summary,
    content: panel({
      content: postForm({
        action: `${href}/change`,
        csrf: visitor.formToken,
        content: html`${endpointInputs(sent, refused)}
${buttonRow(button({ text: "Save", kind: "primary" }), cancelLink(href))}`,
      }),
    }),
  });
}

function sentOf({ url, description, events }: EndpointRow): SentForm {
  const boxes = (events ?? []).map((name) => [name, "yes"]);
  return {
    url,
    description: description ?? "",
    which: events === null ? "all" : "some",
    ...Object.fromEntries(boxes),
  };
}

function endpointInputs(sent: SentForm, refused: RefusedForm | undefined): Html {
  return html`${textField({
    name: "url",
    label: "Address",
    value: sent.url ?? "",
    inputmode: "url",
    isCode: true,
    required: true,
    placeholder: "https://shop.example.com/webhooks",
    error: refused?.errorOf("url"),
  })}
${textField({
  name: "description",
  label: "Description",
  optional: "optional",
  value: sent.description ?? "",
  maxlength: 255,
  autocomplete: "off",
  error: refused?.errorOf("description"),
})}
${radioGroup({
  name: "which",
  id: "events",
  label: "Events",
  value: sent.which ?? "all",
  options: [
    { value: "all", text: "Every event", hint: "Including kinds that are added later." },
    { value: "some", text: "Only the ones I choose" },
  ],
  error: refused?.errorOf("events"),
})}
<details class="folded"${sent.which === "some" && html` open`}>
<summary class="button secondary small">Choose events</summary>
<div class="folded-panel">
${Object.entries(SUBJECTS).map(([subject, label]) => eventGroup(subject, label, sent))}</div>
</details>`;
}

const SUBJECTS = {
  payment: "Payments",
  withdrawal: "Withdrawals",
  trusted_card: "Trusted cards",
  webhook: "Webhooks",
};

function eventGroup(subject: string, label: string, sent: SentForm): Html {
  const names = EVENT_NAMES.filter((name) => name.startsWith(`${subject}.`));
  return checkboxGroup({
    id: `events-${subject}`,
    label,
    boxes: names.map((name) => ({ name, text: name, isChecked: sent[name] !== undefined })),
  });
}

/** The answer to the form that made the secret: it is in this page and nowhere else. */
export function secretPage(
  visitor: Visitor,
  { row, secret }: { readonly row: EndpointRow; readonly secret: string },
): Answer {
  return consolePage(visitor, {
    title: "The endpoint's secret",
    ...inDevelopers(visitor, "Webhooks"),
    content: [
      notice({
        tone: "warn",
        heading: "Copy it now",
        text: "It is not shown again. Your server checks with it that an event is from us.",
      }),
      panel({
        heading: endpointName(row),
        content: [
          html`<p>${copyable(secret, "the secret")}</p>`,
          row.previous_secret_until !== null &&
            html`<p class="soft">The old secret signs beside it for 24 hours.</p>`,
          buttonRow(
            linkButton({ text: "I have copied it", href: `${WEBHOOKS}/${row.endpoint_id}` }),
          ),
        ],
      }),
    ],
  });
}
