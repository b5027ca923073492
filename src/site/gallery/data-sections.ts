/** The gallery's pages of data: an overview, a list, one payment. */

import { type Html, html } from "../../kit/html.ts";
import { money } from "../../kit/money.ts";
import { badge } from "../../parts/badge.ts";
import { barChart } from "../../parts/bar-chart.ts";
import { compactText } from "../../parts/chart-scale.ts";
import { codeBlock } from "../../parts/code-block.ts";
import { copyable } from "../../parts/copy.ts";
import { definitionList } from "../../parts/definition-list.ts";
import { dialog, dialogButton } from "../../parts/dialog.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { dateField, moneyField, selectField, textareaField } from "../../parts/field.ts";
import { filterForm } from "../../parts/filter-form.ts";
import { button, buttonRow, cancelLink, linkButton, postForm } from "../../parts/form.ts";
import { moneyHtml, moneyText } from "../../parts/money.ts";
import { notice } from "../../parts/notice.ts";
import { pager } from "../../parts/pager.ts";
import { panel, panelGrid } from "../../parts/panel.ts";
import { changeOf, changeOfRate, stat, statRow } from "../../parts/stat.ts";
import { type Column, table } from "../../parts/table.ts";
import { timeHtml } from "../../parts/time.ts";
import { timeline } from "../../parts/timeline.ts";
import {
  NOW,
  PAYMENTS,
  type SamplePayment,
  STATUSES,
  sampleDays,
  volumeOf,
  ZONE,
} from "./samples.ts";

const ttd = (minor: number | bigint) => money("TTD", BigInt(minor));
export const showTtd = (minor: number) => moneyText(ttd(minor));

const COLUMNS: readonly Column<SamplePayment>[] = [
  { label: "Order", cell: ({ order }) => order, phone: "lead", isClipped: true },
  { label: "Customer", cell: ({ email }) => email, phone: "note", isClipped: true },
  { label: "Card", cell: ({ card }) => card, phone: "hidden" },
  { label: "Time", cell: ({ at }) => timeHtml(at, ZONE), phone: "note" },
  { label: "State", cell: ({ status }) => stateOf(status), phone: "side" },
  { label: "Amount", cell: ({ amount }) => moneyHtml(amount), align: "end", phone: "side" },
];

function stateOf(status: SamplePayment["status"]): Html {
  const { tone, text } = STATUSES[status];
  return badge(tone, text);
}

const NO_PAYMENTS = emptyState({
  heading: "No payments found",
  text: "Try another search, or clear the filters.",
  icon: "search",
  action: linkButton({ href: "/dev/parts/list", text: "Clear" }),
});

function paymentTable(caption: string, rows: readonly SamplePayment[]): Html {
  return table({
    caption,
    columns: COLUMNS,
    rows,
    href: () => "/dev/parts/detail",
    empty: NO_PAYMENTS,
  });
}

export function overview(): Html {
  const before = "in the 30 days before";
  const volume = barChart({
    id: "volume",
    title: "Volume",
    note: "30 days, TTD",
    points: sampleDays(30, volumeOf),
    heads: { label: "Day", value: "Volume" },
    format: showTtd,
    formatTick: (minor) => compactText(minor / 100),
  });
  return html`${notice({
    tone: "warn",
    heading: "A webhook is failing",
    text: "12 events could not be delivered to https://shop.example/hooks since 9:40.",
    action: linkButton({ href: "/dev/parts/detail", text: "See why" }),
  })}
${statRow(
  stat({
    label: "Balance",
    value: moneyHtml(ttd(18_452_075n)),
    note: html`${moneyHtml(ttd(17_900_000n))} available`,
  }),
  stat({
    label: "Volume, 30 days",
    value: moneyHtml(ttd(4_120_950n)),
    change: changeOf(4_120_950, 3_680_000, before),
  }),
  stat({
    label: "Success rate, 30 days",
    value: "93.4%",
    change: changeOfRate(0.934, 0.949, before),
  }),
  stat({ label: "Refunds, 30 days", value: moneyHtml(ttd(0n)), change: changeOf(0, 0, before) }),
)}
${panel({ content: volume })}
${panel({
  heading: "Last payments",
  text: `Times of ${ZONE}.`,
  actions: html`<a href="/dev/parts/list">All payments</a>`,
  content: paymentTable("Last payments", PAYMENTS.slice(0, 5)),
  isFlush: true,
  live: "last-payments",
})}`;
}

export interface ListQuery {
  readonly q?: string | undefined;
  readonly status?: string | undefined;
}

export function list({ q = "", status = "" }: ListQuery): Html {
  const rows = PAYMENTS.filter(
    (each) =>
      `${each.order} ${each.email}`.includes(q) && (status === "" || each.status === status),
  );
  const options = Object.entries(STATUSES).map(([value, { text }]) => ({ value, text }));
  const isNarrowed = q !== "" || status !== "";
  const listed = paymentTable("Payments", rows);
  const form = filterForm({
    action: "/dev/parts/list",
    search: {
      name: "q",
      label: "Search payments",
      value: q,
      placeholder: "Order, e-mail, last four",
    },
    filters: [
      selectField({ name: "status", label: "State", options, value: status, empty: "Any" }),
      dateField({ name: "from", label: "From" }),
      dateField({ name: "to", label: "To" }),
    ],
    filtersSet: status === "" ? 0 : 1,
    clearHref: isNarrowed ? "/dev/parts/list" : undefined,
  });
  const shown = rows.length === 1 ? "1 payment" : `${rows.length} payments`;
  const ends = pager({ shown, newer: "/dev/parts/list", older: "/dev/parts/list?q=order-103" });
  return html`${form}${panel({ content: html`${listed}${ends}`, isFlush: true })}
${panel({ heading: "Statement", content: statement(), isFlush: true })}`;
}

function statement(): Html {
  const rows = [
    { name: "Payments", count: 41, change: ttd(4_120_950n) },
    { name: "Fees", count: 41, change: ttd(-144_233n) },
    { name: "Refunds", count: 2, change: ttd(-55_520n) },
  ];
  return table({
    caption: "Statement of November",
    columns: [
      { label: "Kind", cell: ({ name }) => name, phone: "lead" },
      { label: "Entries", cell: ({ count }) => count, align: "end" },
      {
        label: "Change",
        cell: ({ change }) => moneyHtml(change),
        align: "end",
        phone: "side",
      },
    ],
    rows,
    empty: html``,
    foot: { Kind: "Closing balance", Change: moneyHtml(ttd(3_921_197n)) },
  });
}

/** `asPage`: what the button leads to without scripts. */
export function refundForm({
  csrf,
  asPage,
}: {
  readonly csrf: string;
  readonly asPage: boolean;
}): Html {
  return postForm({
    action: "/dev/parts",
    csrf,
    content: [
      moneyField({
        name: "amount",
        label: "Amount",
        currency: "TTD",
        value: "105.20",
        hint: html`Up to ${moneyHtml(ttd(10_520n))}`,
        required: true,
      }),
      textareaField({ name: "reason", label: "Reason", rows: 2, optional: "optional" }),
      buttonRow(
        button({ text: asPage ? "Refund" : "Refund TTD\u00a0105.20", kind: "primary" }),
        cancelLink("/dev/parts/detail"),
      ),
    ],
  });
}

export function detailButtons(csrf: string): Html {
  const content = refundForm({ csrf, asPage: false });
  return html`${stateOf("paid")}
${dialogButton({ dialog: "refund", href: "/dev/parts/refund", text: "Refund" })}
${dialog({ id: "refund", heading: "Refund order-1042", content })}`;
}

export function detail(): Html {
  const facts = definitionList([
    { term: "Amount", value: moneyHtml(ttd(10_520n)) },
    { term: "Fee", value: moneyHtml(ttd(-520n)) },
    { term: "Reference", value: copyable("SB-TT-01JCZ8Q7W3K5V9H2M4N6P8R0S1", "reference") },
    { term: "Customer", value: "maya.joseph@example.com" },
    { term: "Card", value: "Visa ending in 1111" },
  ]);
  const at = (minutes: number) =>
    timeHtml(new Date(NOW.getTime() + minutes * 60_000), ZONE, "seconds");
  const history = timeline("What happened", [
    { tone: "plain", title: "Payment requested", at: at(0) },
    {
      tone: "bad",
      title: "Card declined",
      at: at(1),
      detail: "Visa ending in 3333: insufficient funds",
    },
    { tone: "good", title: "Paid", at: at(2), detail: "Visa ending in 1111" },
    {
      tone: "warn",
      title: "Webhook failed",
      at: at(3),
      detail: "The receiver answered 500. The next try is in 2 minutes.",
    },
    { tone: "progress", title: "Refund under way", at: at(4) },
  ]);
  const body = { event: "payment.succeeded", data: { order_id: "order-1042", total: "105.20" } };
  const code = JSON.stringify(body, null, 2);
  return html`${panelGrid(
    panel({ heading: "Payment", content: facts }),
    panel({ heading: "Timeline", content: history, live: "timeline" }),
  )}
${panel({ heading: "Event", content: codeBlock({ title: "Request body", code }) })}`;
}
