/** The webhook endpoints of the environment. */

import type { Answer } from "../../infra/http/answer.ts";
import { html } from "../../kit/html.ts";
import type { EndpointRow } from "../../modules/webhooks/endpoint.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { linkButton } from "../../parts/form.ts";
import { panel } from "../../parts/panel.ts";
import { table } from "../../parts/table.ts";
import { timeHtml } from "../../parts/time.ts";
import { consolePage } from "../page.ts";
import type { Visitor } from "../visitor.ts";
import { inDevelopers, WEBHOOKS } from "./tabs.ts";
import { endpointBadge, eventsText } from "./webhook-words.ts";

export function webhookListPage(visitor: Visitor, rows: readonly EndpointRow[]): Answer {
  const add = linkButton({ text: "Add an endpoint", kind: "primary", href: `${WEBHOOKS}/new` });
  return consolePage(visitor, {
    title: "Webhooks",
    ...inDevelopers(visitor, "Webhooks"),
    beside: rows.length > 0 && add,
    content: panel({
      live: "endpoints",
      isFlush: true,
      content: table<EndpointRow>({
        caption: "Endpoints",
        rows,
        href: ({ endpoint_id }) => `${WEBHOOKS}/${endpoint_id}`,
        columns: [
          { label: "Address", phone: "lead", cell: ({ url }) => html`<code>${url}</code>` },
          { label: "State", phone: "side", cell: endpointBadge },
          { label: "Description", phone: "note", cell: ({ description }) => description },
          { label: "Events", cell: eventsText },
          {
            label: "Failing since",
            cell: ({ failing_since }) =>
              failing_since !== null && timeHtml(failing_since, visitor.timeZone),
          },
        ],
        empty: emptyState({
          heading: "No endpoints yet",
          text:
            "An endpoint is an address of your server to which we send what happens: " +
            "a payment, a refund, a withdrawal.",
          icon: "developers",
          action: add,
        }),
      }),
    }),
  });
}
