/** The list of payment links, and what they came to by label and by month. */

import type { Answer } from "../../infra/http/answer.ts";
import type { HtmlValue } from "../../kit/html.ts";
import type { LabelTotal, MonthTotal } from "../../modules/payment-links/link-totals.ts";
import type { LinkRow } from "../../modules/payment-links/payment-link.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { linkButton } from "../../parts/form.ts";
import { moneyHtml } from "../../parts/money.ts";
import { pager } from "../../parts/pager.ts";
import { panel, panelGrid } from "../../parts/panel.ts";
import { table } from "../../parts/table.ts";
import { timeHtml } from "../../parts/time.ts";
import { monthName } from "../balance/month.ts";
import { consolePage } from "../page.ts";
import type { Visitor } from "../visitor.ts";
import { LINKS, linkBadge, linkHref, paidWords, priceWords, sumOf } from "./link-words.ts";

export const PAGE_SIZE = 25;

export interface LinkList {
  readonly rows: readonly LinkRow[];
  readonly total: number;
  readonly page: number;
  readonly label: string | undefined;
  readonly byLabel: readonly LabelTotal[];
  readonly byMonth: readonly MonthTotal[];
}

export function linksPage(visitor: Visitor, list: LinkList): Answer {
  const { label, rows } = list;
  const make = linkButton({ text: "Make a link", href: `${LINKS}/new`, kind: "primary" });
  return consolePage(visitor, {
    title: label === undefined ? "Links" : `Links of “${label}”`,
    section: "Links",
    ...(label !== undefined && { back: { name: "Links", href: LINKS } }),
    beside: rows.length > 0 && make,
    content: [
      panel({ isFlush: true, live: "links", content: linkTable(visitor, rows) }),
      pagerOf(list),
      totals(list),
    ],
  });
}

function linkTable({ timeZone }: Visitor, rows: readonly LinkRow[]) {
  return table<LinkRow>({
    caption: "Payment links",
    rows,
    href: linkHref,
    columns: [
      { label: "Title", phone: "lead", cell: ({ title }) => title },
      { label: "State", phone: "side", cell: linkBadge },
      { label: "Amount", phone: "note", cell: priceWords },
      { label: "Payments", align: "end", cell: paidWords },
      { label: "Total", align: "end", cell: (link) => moneyHtml(sumOf(link)) },
      { label: "Label", isClipped: true, cell: ({ label }) => label },
      { label: "Made", cell: ({ created_at }) => timeHtml(created_at, timeZone) },
    ],
    empty: emptyState({
      icon: "links",
      heading: "Get paid without a shop",
      text:
        "A payment link is a page of yours at which anybody can pay by card. Send it in a " +
        "message, print its QR code, or put it on your site.",
      action: linkButton({ text: "Make a link", href: `${LINKS}/new`, kind: "primary" }),
    }),
  });
}

function pagerOf({ rows, total, page, label }: LinkList): HtmlValue {
  if (rows.length === 0) return undefined;
  const href = (to: number) =>
    `${LINKS}?${new URLSearchParams({ ...(label && { label }), page: String(to) })}`;
  return pager({
    shown: total === 1 ? "1 link" : `${total} links`,
    newer: page > 1 ? href(page - 1) : undefined,
    older: page * PAGE_SIZE < total ? href(page + 1) : undefined,
  });
}

function totals({ byLabel, byMonth, label }: LinkList): HtmlValue {
  if (byMonth.length === 0) return undefined;
  const hasLabels = label === undefined && byLabel.some((one) => one.label !== null);
  return panelGrid(monthPanel(byMonth), hasLabels && labelPanel(byLabel));
}

/** Also of one link. */
export function monthPanel(rows: readonly MonthTotal[]) {
  return panel({
    heading: "By month",
    text: "As they were paid, in your time zone. Refunds are not taken off.",
    isFlush: true,
    content: table<MonthTotal>({
      caption: "Paid by month",
      rows,
      columns: [
        { label: "Month", phone: "lead", cell: ({ month }) => monthName(month) },
        { label: "Payments", align: "end", cell: ({ paid_count }) => String(paid_count) },
        { label: "Total", align: "end", phone: "side", cell: (row) => moneyHtml(sumOf(row)) },
      ],
      empty: emptyState({ icon: "links", heading: "Not paid yet", text: "" }),
    }),
  });
}

function labelPanel(rows: readonly LabelTotal[]) {
  return panel({
    heading: "By label",
    isFlush: true,
    content: table<LabelTotal>({
      caption: "Paid by label",
      rows,
      href: ({ label }) => (label === null ? LINKS : `${LINKS}?${new URLSearchParams({ label })}`),
      columns: [
        { label: "Label", phone: "lead", cell: ({ label }) => label ?? "Without a label" },
        { label: "Payments", align: "end", cell: ({ paid_count }) => String(paid_count) },
        { label: "Total", align: "end", phone: "side", cell: (row) => moneyHtml(sumOf(row)) },
      ],
      empty: emptyState({ icon: "links", heading: "Not paid yet", text: "" }),
    }),
  });
}
