/** The pages after a payment link: why it cannot be paid, and what became of a payment. */

import { attributes, type Html, type HtmlValue, html } from "../../kit/html.ts";
import { mailtoOf } from "../../parts/mail-address.ts";
import { receiptWords } from "../../words/receipt/receipt-words.ts";
import { type LinkPage, pathOf, renderAround } from "./link-document.ts";
import type { Offer, OfferState } from "./offer.ts";

/** Why it cannot be paid, and whom to ask. */
export function renderClosed(
  page: LinkPage,
  offer: Offer,
  state: Exclude<OfferState, "open">,
): string {
  const { closed } = page.t;
  const isForOne = state === "full" && offer.max_payments === 1;
  const { heading, text } = isForOne ? closed.paid : closed[state];
  return renderAround(page, offer, {
    title: heading,
    main: html`<h1>${heading}</h1>
<p><bdi>${offer.title}</bdi></p>
<p>${text(offer.shop)}</p>
${contact(page, offer)}`,
  });
}

function contact({ t }: LinkPage, offer: Offer): HtmlValue {
  const { support_email: email, support_phone: phone, website } = offer;
  if (email === null && phone === null && website === null) return undefined;
  const way = (label: string, href: string, text: string) => html`<div><dt>${label}</dt>
<dd><a${attributes({ href, target: "_top" })}>${text}</a></dd></div>`;
  return html`<h2>${t.contact(offer.shop)}</h2>
<dl class="facts">
${email && way(t.email, mailtoOf(email), email)}
${phone && way(t.phone, `tel:${phone}`, phone)}
${website && way(t.website, website, website)}
</dl>`;
}

export interface DoneFacts {
  readonly outcome: "paid" | "notPaid" | "notKnown";
  readonly total: string;
  readonly reference: string;
  /** Whether the link can be paid again. */
  readonly isOpen: boolean;
  /** Of the payment page, which has the receipt. */
  readonly receiptUrl: string;
}

export function renderDone(page: LinkPage, offer: Offer, facts: DoneFacts): string {
  const { t, isFramed } = page;
  const { done } = t;
  const isPaid = facts.outcome === "paid";
  const text = isPaid ? done.paidText(facts.total, offer.shop) : done[`${facts.outcome}Text`];
  const mayRepeat = facts.isOpen && facts.outcome !== "notKnown";
  const again = isPaid ? done.payAgain : done.tryAgain;
  return renderAround(page, offer, {
    title: done[facts.outcome],
    main: html`<h1>${done[facts.outcome]}</h1>
<p>${text}</p>
${isPaid && offer.success_message && paragraphs(offer.success_message)}
<dl class="facts">
<div><dt>${done.reference}</dt><dd class="reference">${facts.reference}</dd></div>
</dl>
${isPaid && receiptLink(page, facts)}
${mayRepeat && html`<p><a href="${pathOf(offer, isFramed)}">${again}</a></p>`}
${contact(page, offer)}`,
  });
}

/** No page may frame a receipt. */
function receiptLink({ language, isFramed }: LinkPage, { receiptUrl: href }: DoneFacts): Html {
  const where = { href, ...(isFramed && { target: "_blank" }) };
  return html`<p><a${attributes(where)} rel="noreferrer">${receiptWords(language).see}</a></p>`;
}

function paragraphs(text: string): Html {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return html`<div class="message">${lines.map((line) => html`<p><bdi>${line}</bdi></p>\n`)}</div>`;
}
