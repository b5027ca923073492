/** The list of payments: its search, its filters, the page that was asked for. */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, type HtmlValue, html } from "../../kit/html.ts";
import { CURRENCIES } from "../../kit/money.ts";
import type { SavedFilter } from "../../modules/people/saved-filters.ts";
import type { SearchPage } from "../../modules/transactions/search-payments.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { dateField, selectField, textField } from "../../parts/field.ts";
import { filterForm } from "../../parts/filter-form.ts";
import { linkButton } from "../../parts/form.ts";
import { notice } from "../../parts/notice.ts";
import { pager } from "../../parts/pager.ts";
import { panel } from "../../parts/panel.ts";
import { linkHref } from "../links/link-words.ts";
import { consolePage } from "../page.ts";
import type { RefusedForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { csvForm } from "./csv-form.ts";
import { FILTER_LABELS, listHref, PAYMENTS, type TypedFilters } from "./payment-filters.ts";
import { noPayments, paymentTable } from "./payment-table.ts";
import { savedFilterBar } from "./saved-filter-bar.ts";

export interface PaymentList {
  readonly typed: TypedFilters;
  /** Undefined when a filter was refused. */
  readonly found: SearchPage | undefined;
  readonly now: Date;
  readonly saved: readonly SavedFilter[];
  readonly refused?: RefusedForm | undefined;
}

export function paymentsPage(visitor: Visitor, list: PaymentList): Answer {
  const { typed, found, refused } = list;
  return consolePage(visitor, {
    title: "Payments",
    section: "Payments",
    problem: refused?.summary,
    content: [
      searchForm(list),
      found !== undefined && [
        savedFilterBar(visitor, list),
        tooManyNotice(found),
        ofLinkNotice(typed),
        foundPanel(visitor, list, found),
        (found.rows.length > 0 || Object.keys(typed).length > 0) && csvForm(typed),
      ],
    ],
  });
}

const RESULT_CHOICES = [
  { value: "success", text: "Paid" },
  { value: "failed", text: "Failed" },
  { value: "error", text: "Error" },
  { value: "incomplete", text: "Incomplete" },
];
const LATER_CHOICES = [
  { value: "refund_requested", text: "Refund requested" },
  { value: "refunded", text: "Refunded" },
  { value: "refund_rejected", text: "Refund rejected" },
  { value: "disputed", text: "Disputed" },
  { value: "chargeback_pending", text: "Disputed, still open" },
  { value: "chargeback_processed", text: "Charged back" },
  { value: "fraud_confirmed", text: "Fraud confirmed" },
];

function searchForm({ typed, refused }: PaymentList): Html {
  const { q, ...filters } = typed;
  const error = (name: string) => refused?.errorOf(name);
  const of = (name: keyof typeof filters) => ({
    name,
    value: typed[name] ?? "",
    error: error(name),
  });
  const currencies = CURRENCIES.map((value) => ({ value, text: value }));
  return filterForm({
    action: PAYMENTS,
    search: {
      name: "q",
      label: "Search payments",
      value: q ?? "",
      placeholder: "Order, reference, e-mail, last four, amount",
    },
    filtersSet: Object.keys(filters).length,
    isOpen: refused !== undefined && refused.errorOf("name") === undefined,
    clearHref: Object.keys(typed).length === 0 ? undefined : PAYMENTS,
    filters: [
      selectField({ ...of("status"), label: "Status", options: RESULT_CHOICES, empty: "Any" }),
      selectField({
        ...of("status_desc"),
        label: "Refunds and disputes",
        options: LATER_CHOICES,
        empty: "Any",
      }),
      selectField({ ...of("currency"), label: "Currency", options: currencies, empty: "Any" }),
      dateField({ ...of("start_date"), label: FILTER_LABELS.start_date }),
      dateField({ ...of("end_date"), label: FILTER_LABELS.end_date }),
      textField({ ...of("total_min"), label: FILTER_LABELS.total_min, inputmode: "decimal" }),
      textField({ ...of("total_max"), label: FILTER_LABELS.total_max, inputmode: "decimal" }),
      typed.payment_link !== undefined &&
        html`<input type="hidden" name="payment_link" value="${typed.payment_link}">`,
    ],
  });
}

/** No field of the form shows it. */
function ofLinkNotice({ payment_link: id }: TypedFilters): HtmlValue {
  if (id === undefined) return undefined;
  const href = linkHref({ link_id: id });
  const text = html`Only payments made by one payment link. <a href="${href}">See the link</a>`;
  return notice({ tone: "plain", text });
}

function tooManyNotice({ tooMany }: SearchPage): HtmlValue {
  if (tooMany.length === 0) return undefined;
  return notice({
    tone: "plain",
    text: `Too many ${tooMany.join(" and ")} begin like this. Type more to find those too.`,
  });
}

function foundPanel(visitor: Visitor, { typed, now }: PaymentList, found: SearchPage): Html {
  const { rows, next, previous } = found;
  const isPaged = next !== null || previous !== null;
  return panel({
    live: "payments",
    isFlush: true,
    content: [
      paymentTable(visitor, rows, {
        caption: "Payments",
        now,
        empty: nothingFound(visitor, typed, isPaged),
      }),
      (isPaged || rows.length > 0) &&
        pager({
          shown: countWords(found),
          newer: previous === null ? undefined : listHref(typed, { page: previous }),
          older: next === null ? undefined : listHref(typed, { page: next }),
        }),
    ],
  });
}

function countWords({ rows, total }: SearchPage): string {
  const shown = `${rows.length} ${rows.length === 1 ? "payment" : "payments"}`;
  if (total === undefined || total <= rows.length) return shown;
  return `${rows.length} of ${total.toLocaleString("en-GB")} payments`;
}

function nothingFound(visitor: Visitor, typed: TypedFilters, isPaged: boolean): Html {
  if (isPaged)
    return emptyState({
      heading: "Nothing on this page",
      text: "None of the payments searched so far match. There may be some among the older ones.",
    });
  if (Object.keys(typed).length > 0)
    return emptyState({
      heading: "Nothing found",
      text: "Search by order, reference, e-mail, the card's last four digits or an amount.",
      icon: "search",
      action: linkButton({ text: "Show all payments", href: PAYMENTS }),
    });
  return noPayments(visitor);
}
