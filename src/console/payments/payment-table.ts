/** Payments as a table, and what stands in its place while there are none. */

import { type Html, type HtmlValue, html } from "../../kit/html.ts";
import type { TransactionRow } from "../../modules/transactions/transaction.ts";
import { emptyState } from "../../parts/empty-state.ts";
import { linkButton } from "../../parts/form.ts";
import { moneyHtml } from "../../parts/money.ts";
import { type Column, table } from "../../parts/table.ts";
import { recentTimeHtml } from "../../parts/time.ts";
import { LINKS, LINKS_ACCESS } from "../links/link-words.ts";
import { maySee, type Visitor } from "../visitor.ts";
import { PAYMENTS } from "./payment-filters.ts";
import { customerName, paidAmount, paymentBadge, shortCardText } from "./payment-words.ts";

/** A link needs no programmer; the guide is for shops. */
export function noPayments(visitor: Visitor): Html {
  const guide = { text: "Connect a shop", href: "/docs/start" };
  return emptyState({
    heading: "No payments yet",
    text: "Each payment shows here as soon as a customer is asked to pay.",
    icon: "payments",
    action: html`${
      maySee(visitor, LINKS_ACCESS) &&
      linkButton({ text: "Make a payment link", href: `${LINKS}/new`, kind: "primary" })
    }${linkButton(guide)}`,
  });
}

/** Newest first; each row leads to its payment. */
export function paymentTable(
  { timeZone }: Pick<Visitor, "timeZone">,
  rows: readonly TransactionRow[],
  { now, ...parts }: { readonly caption: string; readonly empty: Html; readonly now: Date },
): Html {
  const columns: Column<TransactionRow>[] = [
    { label: "Order", phone: "lead", isClipped: true, cell: orderOf },
    { label: "Customer", phone: "note", isClipped: true, cell: customerOf },
    {
      label: "Card",
      phone: "hidden",
      cell: (row) => html`<span class="money">${shortCardText(row)}</span>`,
    },
    {
      label: "Time",
      phone: "note",
      cell: ({ created_at }) => recentTimeHtml(created_at, timeZone, now),
    },
    { label: "Status", phone: "side", cell: (row) => paymentBadge(row) },
    {
      label: "Amount",
      align: "end",
      phone: "side",
      cell: (row) => moneyHtml(paidAmount(row)),
    },
  ];
  const href = ({ transaction_id }: TransactionRow) => `${PAYMENTS}/${transaction_id}`;
  return table({ ...parts, columns, rows, href });
}

/** Orders of payment links are made up: what was sold says more. */
function orderOf({ order_id: order, payment_link: link, description }: TransactionRow): HtmlValue {
  return link === null || description === null
    ? order
    : html`${description} <span class="soft">${order}</span>`;
}

/** And what was typed for a payment link, in no column of its own: most payments have none. */
function customerOf(row: TransactionRow): HtmlValue {
  const name = customerName(row) || (row.customer.email ?? "");
  return [name, row.link_reference ?? ""].filter(Boolean).join(", ");
}
