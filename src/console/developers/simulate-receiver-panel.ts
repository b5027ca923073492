/** How the receiver of a sandbox endpoint can be simulated, in words for people. */

import { type HtmlValue, html } from "../../kit/html.ts";
import { RECEIVERS } from "../../modules/sandbox-controls/simulate-receiver.ts";
import type { EndpointRow } from "../../modules/webhooks/endpoint.ts";
import { textField } from "../../parts/field.ts";
import { notice } from "../../parts/notice.ts";
import { timeHtml } from "../../parts/time.ts";
import { type Simulated, simulatePanel } from "../simulate-panel.ts";
import type { Visitor } from "../visitor.ts";
import { WEBHOOKS } from "./tabs.ts";

const USUAL_SECONDS = "60";

const WORDS: Readonly<Record<(typeof RECEIVERS)[number], string>> = {
  ok: "It answers 200",
  error: "It answers 500",
  timeout: "It never answers",
  gone: "It answers 410, and is disabled",
};

export function simulateReceiverPanel(
  visitor: Visitor,
  row: EndpointRow,
  simulated: Simulated | undefined,
): HtmlValue {
  if (row.environment !== "sandbox" || row.status !== "active") return undefined;
  return simulatePanel(visitor, {
    href: `${WEBHOOKS}/${row.endpoint_id}`,
    choice: { name: "receiver", label: "What the receiver does" },
    options: RECEIVERS.map((value) => ({ value, text: WORDS[value] })),
    more: textField({
      name: "seconds",
      label: "For how many seconds",
      inputmode: "numeric",
      hint: "Meanwhile nothing is sent to the address. 0 ends a simulation.",
      value: simulated?.sent.seconds ?? USUAL_SECONDS,
      error: simulated?.refused.errorOf("seconds"),
      required: true,
      autocomplete: "off",
    }),
    simulated,
  });
}

/** Nobody should look for events in a log that they cannot have reached. */
export function simulatedNotice({ timeZone }: Visitor, row: EndpointRow): HtmlValue {
  const { simulated_receiver: receiver, simulated_until: until } = row;
  if (receiver === null || until === null) return undefined;
  return notice({
    tone: "plain",
    heading: "The receiver is simulated",
    text: html`${WORDS[receiver]}, until ${timeHtml(until, timeZone, "seconds")}. Nothing is sent to
the address.`,
  });
}
