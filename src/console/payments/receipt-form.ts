/**
 * The form that sends a receipt again: in a dialog of the payment's page, and on a page of its own
 * where no scripts run.
 */

import { type Html, html } from "../../kit/html.ts";
import type { PaidRow } from "../../modules/transactions/refund.ts";
import { textField } from "../../parts/field.ts";
import { button, buttonRow, cancelLink, postForm } from "../../parts/form.ts";
import { oneTimeField } from "../one-time-form.ts";
import type { RefusedForm, SentForm } from "../refused.ts";
import type { Visitor } from "../visitor.ts";
import { PAYMENTS } from "./payment-filters.ts";

export function receiptHref(transactionId: string): string {
  return `${PAYMENTS}/${transactionId}/receipt`;
}

/** What the page knows of a receipt. */
export interface ReceiptView {
  /** Where its holder reads it. */
  readonly url: string;
  /** A mail server refused the customer's address the last time. */
  readonly isBouncing: boolean;
}

interface ReceiptFormParts extends ReceiptView {
  readonly paid: PaidRow;
  readonly typed?: SentForm;
  readonly refused?: RefusedForm;
}

export function receiptForm(visitor: Visitor, parts: ReceiptFormParts): Html {
  const { paid, typed = {}, refused, isBouncing } = parts;
  const { transaction_id: id, customer } = paid;
  return postForm({
    action: receiptHref(id),
    csrf: visitor.formToken,
    content: html`${oneTimeField()}
${textField({
  name: "email",
  label: "E-mail",
  type: "email",
  value: typed.email ?? customer.email ?? "",
  hint: isBouncing
    ? "Mail to the customer's address was refused the last time."
    : "The customer's, unless you change it.",
  error: refused?.errorOf("email"),
  required: true,
  autocomplete: "off",
})}
${buttonRow(button({ text: "Send receipt", kind: "primary" }), cancelLink(`${PAYMENTS}/${id}`))}`,
  });
}

/** Opens beside the console: it is the page that the customer has. */
export function seeReceipt({ url }: ReceiptView): Html {
  return html`<a class="button secondary" href="${url}" target="_blank"
rel="noreferrer">See receipt</a>`;
}
