/** Sending again what happened in a span of days. */

import { type Html, html } from "../../kit/html.ts";
import { dayAt } from "../../kit/local-day.ts";
import type { EndpointRow } from "../../modules/webhooks/endpoint.ts";
import { checkboxField, dateField } from "../../parts/field.ts";
import { button, buttonRow, postForm } from "../../parts/form.ts";
import { panel } from "../../parts/panel.ts";
import { oneTimeField } from "../one-time-form.ts";
import type { RefusedForm, SentForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { WEBHOOKS } from "./tabs.ts";

export function replayPanel(
  visitor: Visitor,
  parts: { readonly row: EndpointRow; readonly sent?: SentForm; readonly refused?: RefusedForm },
): Html {
  const { row, refused } = parts;
  const today = dayAt(row.failing_since ?? row.now, visitor.timeZone);
  const sent: SentForm = parts.sent ?? { since: today, until: "", only_failed: "yes" };
  return panel({
    heading: "Replay",
    text: "Sends the events of these days again, also those that were never sent to this endpoint.",
    content: postForm({
      action: `${WEBHOOKS}/${row.endpoint_id}/replay`,
      csrf: visitor.formToken,
      content: html`${oneTimeField()}
${dateField({
  name: "since",
  label: "From",
  value: sent.since ?? "",
  required: true,
  error: refused?.errorOf("since"),
})}
${dateField({
  name: "until",
  label: "To",
  optional: "optional",
  value: sent.until ?? "",
  error: refused?.errorOf("until"),
})}
${checkboxField({
  name: "only_failed",
  label: "Only what has not arrived",
  isChecked: sent.only_failed !== undefined,
})}
${buttonRow(button({ text: "Replay" }))}`,
    }),
  });
}
