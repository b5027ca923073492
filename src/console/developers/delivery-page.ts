/**
 * One delivery: what was sent, what the receiver answered, and why it did not arrive. Answers are
 * foreign text and shown as such.
 */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, type HtmlValue, html } from "../../kit/html.ts";
import type { DeliveryView } from "../../modules/webhooks/delivery.ts";
import type { EndpointRow } from "../../modules/webhooks/endpoint.ts";
import { codeBlock } from "../../parts/code-block.ts";
import { definitionList } from "../../parts/definition-list.ts";
import { notice } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import { timeHtml } from "../../parts/time.ts";
import { type TimelineEntry, timeline } from "../../parts/timeline.ts";
import { oneTimeButton } from "../one-time-form.ts";
import { consolePage } from "../page.ts";
import type { Visitor } from "../visitor.ts";
import { reasonOf } from "./failure-words.ts";
import { EVENTS, inDevelopers, WEBHOOKS } from "./tabs.ts";
import { deliveryBadge, endpointName, lastReason, readableJson } from "./webhook-words.ts";

type Attempt = DeliveryView["attempts"][number];

export function deliveryPage(visitor: Visitor, row: EndpointRow, sent: DeliveryView): Answer {
  const href = `${WEBHOOKS}/${row.endpoint_id}`;
  return consolePage(visitor, {
    title: sent.event,
    ...inDevelopers(visitor, "Webhooks"),
    back: { name: endpointName(row), href },
    beside: [deliveryBadge(sent), row.status === "active" && resendForm(visitor, href, sent)],
    content: [
      reasonNotice(visitor, sent),
      panel({ heading: "Delivery", content: facts(visitor, sent) }),
      panel({
        heading: "Attempts",
        content:
          sent.attempts.length === 0
            ? html`<p class="soft">None yet.</p>`
            : timeline(
                "Attempts",
                sent.attempts.toReversed().map((each) => attemptEntry(visitor, each)),
              ),
      }),
      panel({
        heading: "Request",
        text: "Each attempt also carries its time and its signatures.",
        content: [
          codeBlock({ title: "Headers", code: headerLines(sent) }),
          codeBlock({
            title: "Body, formatted",
            code: readableJson(sent.request.body),
          }),
        ],
      }),
    ],
  });
}

function resendForm(visitor: Visitor, href: string, { id }: DeliveryView): Html {
  return oneTimeButton(visitor, { action: `${href}/deliveries/${id}/resend`, text: "Send again" });
}

function reasonNotice({ timeZone }: Visitor, sent: DeliveryView): HtmlValue {
  const reason = lastReason(sent);
  if (reason === undefined) return undefined;
  const { next_attempt_at: next } = sent;
  const after =
    next === null
      ? "It is not retried automatically."
      : html`It is retried at ${timeHtml(next, timeZone)}.`;
  return notice({ tone: "bad", heading: reason.what, text: html`${reason.todo} ${after}` });
}

function facts({ timeZone }: Visitor, sent: DeliveryView): Html {
  const { next_attempt_at: next, ended_at: ended } = sent;
  return definitionList([
    { term: "Event", value: html`<a href="${EVENTS}/${sent.sequence}">${sent.event_id}</a>` },
    { term: "Happened", value: timeHtml(sent.created_at, timeZone, "seconds") },
    { term: "Attempts", value: sent.attempt_count },
    { term: "Next try", value: next === null ? undefined : timeHtml(next, timeZone, "seconds") },
    { term: "Ended", value: ended === null ? undefined : timeHtml(ended, timeZone, "seconds") },
  ]);
}

function headerLines({ request: { url, headers } }: DeliveryView): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`POST ${url}`, ...lines].join("\n");
}

function attemptEntry({ timeZone }: Visitor, attempt: Attempt): TimelineEntry {
  const { response_status: status, response_head: head, duration_ms: duration } = attempt;
  const reason = reasonOf(attempt);
  const isUnderWay = duration === null;
  const took = isUnderWay ? "" : ` · ${duration} ms`;
  return {
    tone: isUnderWay ? "progress" : reason === undefined ? "good" : "bad",
    title: isUnderWay ? "Under way" : (reason?.what ?? `Accepted with ${status}`),
    at: html`${timeHtml(attempt.began_at, timeZone, "seconds")}${took}`,
    detail: [
      attempt.failure !== null && html`<p class="soft"><code>${attempt.failure}</code></p>`,
      head !== null &&
        head !== "" &&
        codeBlock({ title: `Answer to attempt ${attempt.attempt}, as text`, code: head }),
    ],
  };
}
