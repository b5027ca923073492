/** The pages of a list of payees: its upload with what is wrong in it, and what it would pay. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, html } from "../../kit/html.ts";
import { platformOf } from "../../modules/platforms/platform.ts";
import {
  LIST_LINES_MAX,
  type ListProblem,
  listColumns,
} from "../../modules/withdrawals/payee-lists/read-list.ts";
import { fileField } from "../../parts/field.ts";
import {
  button,
  buttonRow,
  cancelLink,
  choiceLink,
  linkButton,
  postForm,
} from "../../parts/form.ts";
import { moneyHtml } from "../../parts/money.ts";
import { notice, problemSummary } from "../../parts/notice.ts";
import { panel } from "../../parts/panel.ts";
import { table } from "../../parts/table.ts";
import { oneTimeField } from "../one-time-form.ts";
import { consolePage } from "../page.ts";
import type { RefusedForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { LISTS, TEMPLATE, WITHDRAWALS } from "./paths.ts";
import type { ListTotal, PlannedPayment } from "./plan-list.ts";

export const FILE_FIELD = "file";
/** So many are shown; the rest are counted. */
const PROBLEMS_SHOWN = 200;
const LINES_SHOWN = 100;

export function uploadPage(visitor: Visitor, problems: readonly ListProblem[] = []): Answer {
  const platform = platformOf(visitor.account.countryCode);
  return consolePage(visitor, {
    title: "Pay a list",
    section: "Withdrawals",
    back: { name: "Withdrawals", href: WITHDRAWALS },
    ...(problems.length > 0 && { problem: summaryOf(problems) }),
    content: [
      problems.length > 0 && problemPanel(problems),
      panel({
        heading: "Upload a file",
        text: "Nothing is paid yet: you first see what would be paid.",
        content: postForm({
          action: LISTS,
          csrf: visitor.formToken,
          takesFiles: true,
          content: html`${fileField({
            name: FILE_FIELD,
            label: "CSV file",
            accept: ".csv,text/csv",
            required: true,
            hint: `Up to ${LIST_LINES_MAX} payees and 1 MB, in UTF-8.`,
          })}
${buttonRow(button({ text: "Check the file", kind: "primary" }), cancelLink(WITHDRAWALS))}`,
        }),
      }),
      panel({
        heading: "What goes into the file",
        actions: linkButton({ text: "Download a template", href: TEMPLATE }),
        content: html`<div class="prose"><p>The first line names the columns, in any order;
each further line is one payee, by the rules of a single payment. A payee with a bank account has
the type <code>sub_banked</code>, one without <code>sub_unbanked</code>.</p>
<p>${listColumns(platform).map((name) => html`<code>${name}</code> `)}</p></div>`,
      }),
    ],
  });
}

function summaryOf(problems: readonly ListProblem[]): Html {
  const count = problems.length;
  const some = count === 1 ? "problem" : `${count} problems`;
  const message = `Fix the ${some} below, then upload the file again.`;
  return problemSummary([{ message }], "The list cannot be paid as it is");
}

function problemPanel(problems: readonly ListProblem[]): Html {
  const more = problems.length - PROBLEMS_SHOWN;
  return panel({
    heading: problems.length === 1 ? "1 problem" : `${problems.length} problems`,
    text: "Nothing was paid.",
    isFlush: true,
    content: [
      table<ListProblem>({
        caption: "What is wrong in the file",
        rows: problems.slice(0, PROBLEMS_SHOWN),
        columns: [
          { label: "Line", phone: "lead", cell: ({ line }) => `Line ${line}` },
          { label: "Problem", phone: "note", cell: ({ message }) => message },
        ],
        empty: html``,
      }),
      more > 0 && html`<p class="soft">And ${more} more.</p>`,
    ],
  });
}

export interface PlannedList {
  readonly listId: string;
  readonly payments: readonly PlannedPayment[];
  readonly totals: readonly ListTotal[];
  /** Of the lines, from 1. */
  readonly page: number;
  readonly refused?: RefusedForm;
}

export function confirmListPage(visitor: Visitor, view: PlannedList): Answer {
  const { payments, totals, refused } = view;
  const count = payments.length === 1 ? "1 payee" : `${payments.length} payees`;
  return consolePage(visitor, {
    title: `Pay ${count}?`,
    section: "Withdrawals",
    back: { name: "Pay a list", href: LISTS },
    problem: refused?.summary,
    content: [
      panel({
        heading: "In total",
        isFlush: true,
        content: totalTable(totals),
      }),
      payPanel(visitor, view),
      panel({ heading: "Line by line", isFlush: true, content: lineTable(view) }),
      linePages(view),
    ],
  });
}

function payPanel(visitor: Visitor, { listId, totals }: PlannedList): Html {
  const short = totals.filter(({ left }) => left.minor < 0n).map(({ total }) => total.currency);
  if (short.length > 0)
    return notice({
      tone: "bad",
      heading: `There is not enough ${short.join(" and ")} for the whole list`,
      text: "A list is paid as a whole or not at all. Remove some lines, or wait for more funds.",
      action: linkButton({ text: "Upload another file", href: LISTS }),
    });
  return panel({
    content: postForm({
      action: `${LISTS}/${listId}`,
      csrf: visitor.formToken,
      content: html`${oneTimeField()}
<p>All of them are paid, or none. Each is a withdrawal of its own, which you can cancel until it
is sent.</p>
${buttonRow(button({ text: "Pay", kind: "primary" }), cancelLink(LISTS))}`,
    }),
  });
}

function totalTable(totals: readonly ListTotal[]): Html {
  return table<ListTotal>({
    caption: "In total",
    rows: totals,
    columns: [
      { label: "Currency", phone: "lead", cell: ({ total }) => total.currency },
      { label: "Payments", align: "end", cell: ({ count }) => count },
      { label: "Amounts", align: "end", cell: ({ amounts }) => moneyHtml(amounts) },
      { label: "Fees", align: "end", cell: ({ fees }) => moneyHtml(fees) },
      { label: "Taken", align: "end", cell: ({ total }) => moneyHtml(total) },
      { label: "Left afterwards", align: "end", cell: ({ left }) => moneyHtml(left) },
    ],
    empty: html``,
  });
}

function lineTable({ payments, page }: PlannedList): Html {
  return table<PlannedPayment>({
    caption: "Line by line",
    rows: payments.slice((page - 1) * LINES_SHOWN, page * LINES_SHOWN),
    columns: [
      { label: "Line", phone: "note", cell: ({ line }) => `Line ${line}` },
      { label: "Payee", phone: "lead", cell: ({ payee }) => payee },
      { label: "Goes to", phone: "note", cell: ({ place }) => place },
      { label: "Amount", phone: "side", align: "end", cell: ({ amount }) => moneyHtml(amount) },
    ],
    empty: html`<p class="soft">There are no such lines.</p>`,
  });
}

function linePages({ listId, payments, page }: PlannedList): Html {
  const pages = Math.ceil(payments.length / LINES_SHOWN);
  if (pages === 1) return html``;
  const links = Array.from({ length: pages }, (_, at) => {
    const last = Math.min((at + 1) * LINES_SHOWN, payments.length);
    return choiceLink({
      text: `${at * LINES_SHOWN + 1} to ${last}`,
      href: `${LISTS}/${listId}?page=${at + 1}`,
      isCurrent: at + 1 === page,
    });
  });
  return html`<nav class="pager" aria-label="Lines">${links}</nav>`;
}
