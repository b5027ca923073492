/**
 * One payment: its amounts, who paid with which card, what happened to it. A record of the other
 * environment than the session's is shown too, under the band of its own: a shared link opens.
 */

import type { Answer } from "../../infra/http/answer.ts";
import { type Html, html } from "../../kit/html.ts";
import { type Money, money } from "../../kit/money.ts";
import type { LinkRow } from "../../modules/payment-links/payment-link.ts";
import type { TimelineItem } from "../../modules/statements/read-timeline.ts";
import type { DisputeRow } from "../../modules/transactions/dispute.ts";
import type { PaidRow, RefundRow } from "../../modules/transactions/refund.ts";
import { copyable } from "../../parts/copy.ts";
import { definitionList } from "../../parts/definition-list.ts";
import { dialog, dialogButton } from "../../parts/dialog.ts";
import { moneyHtml, moneyText } from "../../parts/money.ts";
import { panel, panelGrid } from "../../parts/panel.ts";
import { timeHtml } from "../../parts/time.ts";
import { ENVIRONMENT_NAMES } from "../environment-words.ts";
import { LANGUAGE_NAMES } from "../language-names.ts";
import { atRecord, otherEnvironment } from "../other-environment.ts";
import { consolePage } from "../page.ts";
import type { Simulated } from "../simulate-panel.ts";
import type { Visitor } from "../visitor.ts";
import { itemsPanel } from "./items-panel.ts";
import { linkPanel } from "./link-panel.ts";
import { disputesPanel, refundsPanel, refundWords } from "./money-back.ts";
import { PAYMENTS } from "./payment-filters.ts";
import { paymentTimeline } from "./payment-timeline.ts";
import { cardText, customerName, paidAmount, paymentBadge } from "./payment-words.ts";
import { type ReceiptView, receiptForm, receiptHref, seeReceipt } from "./receipt-form.ts";
import { refundForm, refundHref } from "./refund-form.ts";
import { codeOfResult, resultWords } from "./result-words.ts";
import { simulatePaymentPanel } from "./simulate-payment-panel.ts";

const DIALOG = "refund";
const RECEIPT_DIALOG = "receipt";

export interface PaymentView {
  readonly paid: PaidRow;
  readonly refunds: readonly RefundRow[];
  readonly disputes: readonly DisputeRow[];
  readonly timeline: readonly TimelineItem[];
  /** What the visitor may refund; undefined: nothing. */
  readonly most: Money | undefined;
  readonly isLimited: boolean;
  /** Undefined: there is none, or the visitor may not send it. */
  readonly receipt: ReceiptView | undefined;
  /** By which it was made. */
  readonly link: LinkRow | undefined;
  /** A simulation that was refused. */
  readonly simulated?: Simulated | undefined;
}

export function paymentPage(visitor: Visitor, view: PaymentView): Answer {
  const { paid, most, receipt, link } = view;
  const { timeZone } = visitor;
  return consolePage(atRecord(visitor, paid), {
    title: moneyText(paidAmount(paid)),
    section: "Payments",
    back: { name: "Payments", href: PAYMENTS },
    beside: headOf(view),
    problem: view.simulated?.refused.summary,
    done: refundWords(view),
    content: [
      otherEnvironment(visitor, paid, "payment"),
      html`<div class="stack" id="payment" data-live>
${panelGrid(
  panel({ heading: "Payment", content: paymentFacts(visitor, paid) }),
  panel({ heading: "Amounts", content: amountFacts(paid) }),
  panel({ heading: "Customer", content: customerFacts(paid) }),
  panel({ heading: "Card", content: cardFacts(paid) }),
  linkPanel(visitor, paid, link),
)}
${itemsPanel(paid)}
${refundsPanel(view, timeZone)}
${disputesPanel(view, timeZone)}
${panel({ heading: "Timeline", content: paymentTimeline(view.timeline, timeZone) })}
</div>`,
      simulatePaymentPanel(visitor, paid, view.simulated),
      most !== undefined &&
        dialog({
          id: DIALOG,
          heading: "Refund",
          content: refundForm(visitor, { ...view, most }, "dialog"),
        }),
      receipt !== undefined &&
        dialog({
          id: RECEIPT_DIALOG,
          heading: "Send receipt",
          content: receiptForm(visitor, { ...receipt, paid }),
        }),
    ],
  });
}

/** Refreshed with the rest: what is refunded cannot be refunded again. */
function headOf({ paid, most, receipt }: PaymentView): Html {
  const { transaction_id: id } = paid;
  const refund = { dialog: DIALOG, href: refundHref(id), text: "Refund" };
  const send = { dialog: RECEIPT_DIALOG, href: receiptHref(id), text: "Send receipt" };
  return html`<span class="buttons" id="payment-state" data-live>${paymentBadge(paid)}
${most !== undefined && dialogButton(refund)}
${receipt !== undefined && html`${dialogButton(send)}${seeReceipt(receipt)}`}</span>`;
}

function paymentFacts({ timeZone, mayDo }: Visitor, paid: PaidRow): Html {
  const { finalised_at: finalisedAt, message, origin, data, language } = paid;
  return definitionList([
    { term: "Reference", value: copyable(paid.transaction_id, "reference") },
    { term: "Order", value: paid.order_id },
    { term: "Description", value: paid.description ?? undefined },
    { term: "Status", value: paymentBadge(paid) },
    { term: "Result", value: message === null ? undefined : resultWords(message) },
    { term: "Requested", value: timeHtml(paid.created_at, timeZone, "seconds") },
    {
      term: "Finished",
      value: finalisedAt === null ? undefined : timeHtml(finalisedAt, timeZone, "seconds"),
    },
    { term: "Environment", value: ENVIRONMENT_NAMES[paid.environment] },
    { term: "Application", value: origin ?? undefined },
    { term: "Language", value: language === null ? undefined : LANGUAGE_NAMES[language] },
    { term: "Your data", value: data },
    {
      term: "Result code",
      value: message !== null && mayDo("request_log") ? codeOfResult(message) : undefined,
    },
  ]);
}

const FEE_PAYERS: Readonly<Record<PaidRow["fee_structure"], string>> = {
  customer_pay: "paid by the customer",
  merchant_absorb: "paid by you",
  split: "shared with the customer",
};

/** A payment that came to nothing has neither fee nor net. */
function amountFacts(paid: PaidRow): Html {
  const of = (minor: bigint) => moneyHtml(money(paid.currency, minor));
  const unlessZero = (minor: bigint) => (minor === 0n ? undefined : of(minor));
  const requested = { term: "Requested", value: of(paid.total_minor) };
  if (paid.status === "failed")
    return definitionList([requested, { term: "Customer paid", value: "Nothing" }]);
  if (paid.status === "error")
    return definitionList([requested, { term: "Customer paid", value: "Not known" }]);
  const isPaid = paid.status === "success";
  const fee = of(paid.fee_minor);
  const payer = html` <span class="soft">${FEE_PAYERS[paid.fee_structure]}</span>`;
  return definitionList([
    requested,
    {
      term: isPaid ? "Customer paid" : "Customer would pay",
      value: of(paid.customer_total_minor),
    },
    { term: isPaid ? "Fee" : "Fee, once paid", value: isPaid ? html`${fee}${payer}` : fee },
    { term: isPaid ? "Net" : "Net, once paid", value: of(paid.net_minor) },
    { term: "Refunded", value: unlessZero(paid.refunded_minor) },
    {
      term: "Net after refunds",
      value: paid.refunded_minor === 0n ? undefined : of(paid.net_minor - paid.refunded_minor),
    },
    { term: "Being refunded", value: unlessZero(paid.refund_pending_minor) },
    { term: "Disputed", value: unlessZero(paid.disputed_minor) },
  ]);
}

function customerFacts(paid: PaidRow): Html {
  const { email, phone, addr1, addr2, city, state, zipcode, country } = paid.customer;
  const address = [addr1, addr2, city, state, zipcode, country].filter(Boolean).join(", ");
  const facts = [
    { term: "Name", value: customerName(paid) },
    { term: "E-mail", value: email },
    { term: "Phone", value: phone },
    { term: "Address", value: address },
  ];
  if (facts.every(({ value }) => !value))
    return html`<p class="soft">Nothing is known of the customer yet.</p>`;
  return definitionList(facts);
}

const AVS_WORDS: Readonly<Record<NonNullable<PaidRow["avs_answer"]>, string>> = {
  M: "Street and postal code match",
  A: "Only the street matches",
  Z: "Only the postal code matches",
  N: "Neither street nor postal code matches",
  G: "The card's bank does not check addresses",
};

function cardFacts(paid: PaidRow): Html {
  const { avs_answer: avs, cvv_answer: cvv } = paid;
  const card = cardText(paid);
  if (card === "") return html`<p class="soft">No card was tried.</p>`;
  const code = cvv === null ? "Not checked" : cvv === "M" ? "Matches" : "Does not match";
  return definitionList([
    { term: "Card", value: card },
    { term: "Address check", value: avs === null ? "Not checked" : AVS_WORDS[avs] },
    { term: "Security code", value: code },
  ]);
}
