/** The feed of events, newest first, and one of them with its body. */

import type { Answer } from "../../infra/http/answer.ts";
import { html } from "../../kit/html.ts";
import type { ListedEvent } from "../../modules/events/list-events.ts";
import { codeBlock } from "../../parts/code-block.ts";
import { copyable } from "../../parts/copy.ts";
import { definitionList } from "../../parts/definition-list.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { linkButton } from "../../parts/form.ts";
import { pager } from "../../parts/pager.ts";
import { panel } from "../../parts/panel.ts";
import { table } from "../../parts/table.ts";
import { timeHtml } from "../../parts/time.ts";
import { consolePage } from "../page.ts";
import type { Visitor } from "../visitor.ts";
import { subjectOf } from "./event-words.ts";
import { EVENTS, inDevelopers, WEBHOOKS } from "./tabs.ts";
import { readableJson } from "./webhook-words.ts";

export interface EventList {
  readonly rows: readonly ListedEvent[];
  readonly isNewest: boolean;
  readonly hasOlder: boolean;
}

export function eventListPage(visitor: Visitor, list: EventList): Answer {
  const { rows, isNewest, hasOlder } = list;
  const { timeZone } = visitor;
  const last = rows.at(-1)?.sequence;
  return consolePage(visitor, {
    title: "Events",
    ...inDevelopers(visitor, "Events"),
    content: panel({
      // Older parts of the list never change.
      ...(isNewest ? { live: "events" } : {}),
      isFlush: true,
      content: [
        table<ListedEvent>({
          caption: "Events",
          rows,
          href: ({ sequence }) => `${EVENTS}/${sequence}`,
          columns: [
            { label: "Event", phone: "lead", cell: ({ event }) => event },
            { label: "Number", align: "end", phone: "side", cell: ({ sequence }) => sequence },
            {
              label: "Time",
              phone: "note",
              cell: (row) => timeHtml(row.occurred_at, timeZone, "seconds"),
            },
            { label: "About", cell: ({ resource }) => html`<code>${resource}</code>` },
          ],
          empty: emptyState({
            heading: "Nothing has happened yet",
            text: html`Payments, refunds, withdrawals and cards show here as they change, the same as your <a href="${WEBHOOKS}">webhooks</a> are sent.`,
          }),
        }),
        (!isNewest || hasOlder) &&
          pager({
            shown: `${rows.length} events`,
            newer: isNewest ? undefined : EVENTS,
            older: hasOlder && last !== undefined ? `${EVENTS}?before=${last}` : undefined,
          }),
      ],
    }),
  });
}

export function eventPage(visitor: Visitor, row: ListedEvent): Answer {
  const { event, event_id: id, sequence, occurred_at: at, resource, body } = row;
  const subject = subjectOf(visitor, row);
  return consolePage(visitor, {
    title: event,
    ...inDevelopers(visitor, "Events"),
    back: { name: "Events", href: EVENTS },
    beside:
      subject && linkButton({ text: `Open the ${subject.name.toLowerCase()}`, href: subject.href }),
    content: [
      panel({
        content: definitionList([
          { term: "Id", value: copyable(id, "id") },
          { term: "Number", value: sequence },
          { term: "Time", value: timeHtml(at, visitor.timeZone, "seconds") },
          { term: "About", value: html`<code>${resource}</code>` },
        ]),
      }),
      codeBlock({ title: "Body, formatted", code: readableJson(body ?? "") }),
    ],
  });
}
