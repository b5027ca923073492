/** What was sent to an endpoint, newest first. */

import { type Html, html } from "../../kit/html.ts";
import { type DeliveryState, type DeliveryView, STATES } from "../../modules/webhooks/delivery.ts";
import type { EndpointRow } from "../../modules/webhooks/endpoint.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { choiceLink } from "../../parts/form.ts";
import { pager } from "../../parts/pager.ts";
import { panel } from "../../parts/panel.ts";
import { table } from "../../parts/table.ts";
import { timeHtml } from "../../parts/time.ts";
import type { Visitor } from "../visitor.ts";
import { WEBHOOKS } from "./tabs.ts";
import { deliveryBadge, lastAnswer } from "./webhook-words.ts";

export const DELIVERIES_SHOWN = 20;

interface DeliveryList {
  readonly row: EndpointRow;
  readonly deliveries: readonly DeliveryView[];
  readonly state: DeliveryState | undefined;
  readonly page: number;
  readonly hasOlder: boolean;
}

const STATE_WORDS: Readonly<Record<DeliveryState, string>> = {
  waiting: "Waiting",
  delivered: "Delivered",
  failed: "Failed",
  cancelled: "Cancelled",
};

export function deliveriesPanel({ timeZone }: Visitor, list: DeliveryList): Html {
  const { row, deliveries, state, page, hasOlder } = list;
  const pageHref = (number: number) => hrefOf(row, state, number);
  return panel({
    heading: "Deliveries",
    live: "deliveries",
    isFlush: true,
    actions: stateLinks(row, state),
    content: [
      table<DeliveryView>({
        caption: "Deliveries",
        rows: deliveries,
        href: ({ id }) => `${WEBHOOKS}/${row.endpoint_id}/deliveries/${id}`,
        columns: [
          { label: "Event", phone: "lead", cell: ({ event }) => event },
          { label: "State", phone: "side", cell: deliveryBadge },
          { label: "Time", phone: "note", cell: (each) => timeHtml(each.created_at, timeZone) },
          { label: "Attempts", align: "end", cell: ({ attempt_count }) => attempt_count },
          { label: "Last answer", cell: lastAnswer },
          {
            label: "Next try",
            cell: ({ next_attempt_at: next }) => next !== null && timeHtml(next, timeZone),
          },
        ],
        empty: emptyState({
          heading: state === undefined ? "Nothing has been sent yet" : "None in this state",
          text: "What happens in this environment from now on is sent, and shown here for 30 days.",
        }),
      }),
      (page > 1 || hasOlder) &&
        pager({
          shown: `${deliveries.length} deliveries`,
          newer: page > 1 ? pageHref(page - 1) : undefined,
          older: hasOlder ? pageHref(page + 1) : undefined,
        }),
    ],
  });
}

function hrefOf({ endpoint_id }: EndpointRow, state?: DeliveryState, page = 1): string {
  const query = new URLSearchParams(state === undefined ? {} : { state });
  if (page > 1) query.set("page", `${page}`);
  return `${WEBHOOKS}/${endpoint_id}${query.size === 0 ? "" : `?${query}`}`;
}

function stateLinks(row: EndpointRow, current: DeliveryState | undefined): Html {
  const link = (state: DeliveryState | undefined, text: string) =>
    choiceLink({ text, href: hrefOf(row, state), isCurrent: state === current });
  return html`${link(undefined, "All")}${STATES.map((state) => link(state, STATE_WORDS[state]))}`;
}
