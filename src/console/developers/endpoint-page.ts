/** One webhook endpoint: its state, what was sent to it, and what can be done with it. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, type HtmlValue, html } from "../../kit/html.ts";
import type { DeliveryState, DeliveryView } from "../../modules/webhooks/delivery.ts";
import type { EndpointRow } from "../../modules/webhooks/endpoint.ts";
import { definitionList } from "../../parts/definition-list.ts";
import { dialog, dialogButton } from "../../parts/dialog.ts";
import { buttonRow, confirmForm, linkButton, postButton } from "../../parts/form.ts";
import { notice } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import { timeHtml } from "../../parts/time.ts";
import { oneTimeButton, oneTimeField } from "../one-time-form.ts";
import { consolePage } from "../page.ts";
import type { RefusedForm, SentForm } from "../refused.ts";
import type { Simulated } from "../simulate-panel.ts";
import type { Visitor } from "../visitor.ts";
import { deliveriesPanel } from "./deliveries-panel.ts";
import { replayPanel } from "./replay-panel.ts";
import { simulatedNotice, simulateReceiverPanel } from "./simulate-receiver-panel.ts";
import { inDevelopers, WEBHOOKS } from "./tabs.ts";
import { endpointBadge, endpointName, lastReason } from "./webhook-words.ts";

export interface EndpointView {
  readonly row: EndpointRow;
  readonly deliveries: readonly DeliveryView[];
  readonly state: DeliveryState | undefined;
  readonly page: number;
  readonly hasOlder: boolean;
  /** Of a replay that was refused. */
  readonly sent?: SentForm;
  readonly refused?: RefusedForm;
  /** A simulation that was refused. */
  readonly simulated?: Simulated;
}

export function endpointPage(visitor: Visitor, view: EndpointView): Answer {
  const { row } = view;
  const isActive = row.status === "active";
  return consolePage(visitor, {
    title: endpointName(row),
    ...inDevelopers(visitor, "Webhooks"),
    back: { name: "Webhooks", href: WEBHOOKS },
    beside: [endpointBadge(row), isActive && testForm(visitor, row)],
    problem: (view.refused ?? view.simulated?.refused)?.summary,
    content: [
      simulatedNotice(visitor, row),
      troubleNotice(visitor, view),
      panel({
        heading: "Endpoint",
        actions: linkButton({ text: "Change", href: `${hrefOf(row)}/change`, isSmall: true }),
        content: endpointFacts(visitor, row),
      }),
      deliveriesPanel(visitor, view),
      isActive && replayPanel(visitor, view),
      simulateReceiverPanel(visitor, row, view.simulated),
      morePanel(visitor, row),
      dialog({ id: "delete", heading: "Delete it?", content: deleteForm(visitor, row) }),
    ],
  });
}

function hrefOf({ endpoint_id }: EndpointRow): string {
  return `${WEBHOOKS}/${endpoint_id}`;
}

function testForm(visitor: Visitor, row: EndpointRow): Html {
  return oneTimeButton(visitor, { action: `${hrefOf(row)}/test`, text: "Send a test event" });
}

const DISABLED_TEXTS: Readonly<Record<string, string>> = {
  asked: "Nothing is sent to it until it is enabled.",
  gone: "It answered 410, which says that the address is gone for good.",
  failing: "Nothing arrived for five days, so we stopped sending.",
};

function troubleNotice(visitor: Visitor, { row, deliveries }: EndpointView): HtmlValue {
  if (row.status !== "active")
    return notice({
      tone: "warn",
      heading: "This endpoint is disabled",
      text: [
        DISABLED_TEXTS[row.disabled_because ?? "asked"] ?? "",
        " Once enabled, replay what it missed.",
      ],
      action: statusButton(visitor, row, "active"),
    });
  if (row.failing_since === null) return undefined;
  const reason = deliveries.map(lastReason).find((each) => each !== undefined);
  return notice({
    tone: "bad",
    heading: reason?.what ?? "Nothing is arriving",
    text: html`${reason?.todo} Nothing has arrived since
${timeHtml(row.failing_since, visitor.timeZone)}. Failed events are tried again for three days;
after five days without any success the endpoint is disabled.`,
  });
}

function endpointFacts({ timeZone }: Visitor, row: EndpointRow): Html {
  const { previous_secret_until: until, now } = row;
  return definitionList([
    { term: "Address", value: html`<code>${row.url}</code>` },
    { term: "Description", value: row.description ?? undefined },
    { term: "Events", value: row.events === null ? "Every event" : row.events.join(", ") },
    { term: "Added", value: timeHtml(row.created_at, timeZone) },
    {
      term: "Old secret",
      value:
        until !== null && until > now ? html`signs until ${timeHtml(until, timeZone)}` : undefined,
    },
  ]);
}

function morePanel(visitor: Visitor, row: EndpointRow): Html {
  const href = hrefOf(row);
  return panel({
    heading: "More",
    content: buttonRow(
      linkButton({ text: "New secret", href: `${href}/rotate` }),
      row.status === "active" && statusButton(visitor, row, "disabled"),
      dialogButton({ dialog: "delete", href: `${href}/delete`, text: "Delete", kind: "danger" }),
    ),
  });
}

function statusButton(visitor: Visitor, row: EndpointRow, status: "active" | "disabled"): Html {
  return postButton({
    action: `${hrefOf(row)}/status`,
    csrf: visitor.formToken,
    hidden: { status },
    text: status === "active" ? "Enable" : "Disable",
  });
}

function deleteForm(visitor: Visitor, row: EndpointRow): Html {
  return confirmForm({
    action: `${hrefOf(row)}/delete`,
    csrf: visitor.formToken,
    text: html`<p>Events that wait for <strong>${endpointName(row)}</strong> are not sent, and its
deliveries are no longer shown.</p>`,
    button: "Delete",
    isDangerous: true,
    cancelHref: hrefOf(row),
  });
}

export function deleteEndpointPage(visitor: Visitor, row: EndpointRow): Answer {
  return consolePage(visitor, {
    title: "Delete this endpoint?",
    ...inDevelopers(visitor, "Webhooks"),
    back: { name: endpointName(row), href: hrefOf(row) },
    content: panel({ content: deleteForm(visitor, row) }),
  });
}

export function rotateSecretPage(visitor: Visitor, row: EndpointRow): Answer {
  return consolePage(visitor, {
    title: "Make a new secret?",
    ...inDevelopers(visitor, "Webhooks"),
    back: { name: endpointName(row), href: hrefOf(row) },
    content: panel({
      content: confirmForm({
        action: `${hrefOf(row)}/rotate`,
        csrf: visitor.formToken,
        text: html`<p>It is shown once. For 24 hours events are signed with both, so that your
server can change over.</p>`,
        fields: oneTimeField(),
        button: "Make the secret",
        cancelHref: hrefOf(row),
      }),
    }),
  });
}
