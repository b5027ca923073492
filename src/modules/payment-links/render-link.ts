/**
 * The pages of a payment link as text, made from what they show and nothing else. They look like
 * the payment page that follows, and work without scripts.
 */

import { attributes, type Html, type HtmlValue, html } from "../../kit/html.ts";
import { money } from "../../kit/money.ts";
import type { Language } from "../../kit/vocabulary.ts";
import { accentStyle } from "../../parts/accent.ts";
import { textField } from "../../parts/field.ts";
import { renderDocument } from "../../parts/page.ts";
import type { LinkWords } from "../../words/link/en.ts";
import { moneyIn } from "../../words/locale.ts";
import { ASSETS_PATH, script, style } from "../checkout/page/assets.ts";
import { itemAmount } from "../transactions/order-items.ts";
import { boundsText, type Problems, REFERENCE_LENGTH_MAX, type Typed } from "./link-form.ts";
import type { Offer, OfferState } from "./offer.ts";

/** How a page is made: of which layout, in which words. */
export interface LinkPage {
  readonly t: LinkWords;
  readonly language: Language;
  readonly isFramed: boolean;
  readonly nonce: string;
}

export interface LinkForm {
  readonly orderId: string;
  readonly formToken: string;
  readonly typed: Typed;
  readonly problems: Problems;
}

export function renderOffer(page: LinkPage, offer: Offer, form: LinkForm): string {
  const { t } = page;
  return around(page, offer, {
    title: Object.keys(form.problems).length > 0 ? t.problems.heading : t.title(offer.shop),
    main: html`<h1><bdi>${offer.title}</bdi></h1>
${offer.description && html`<p class="about"><bdi>${offer.description}</bdi></p>`}
${offer.environment === "sandbox" && html`<p class="soft small">${t.sandboxNote}</p>`}
${payForm(page, offer, form)}`,
    summary: summary(page, offer),
  });
}

function payForm(page: LinkPage, offer: Offer, form: LinkForm): Html {
  const { t, isFramed } = page;
  const { problems, typed } = form;
  const hidden = (name: string, value: string) =>
    html`<input type="hidden"${attributes({ name, value })}>`;
  return html`<form method="post"${attributes({ action: pathOf(offer, isFramed) })}>
${(problems.amount ?? problems.reference) ? html`<p role="alert">${t.problems.heading}</p>` : ""}
${hidden("order", form.orderId)}${hidden("form_token", form.formToken)}
${
  offer.amount_minor === null &&
  textField({
    name: "amount",
    label: t.amount(offer.currency),
    hint: boundsText(offer, t, page.language),
    value: typed.amount,
    error: problems.amount,
    required: true,
    inputmode: "decimal",
    autocomplete: "off",
    maxlength: 20,
    isCode: true,
  })
}
${
  offer.reference_label !== null &&
  textField({
    name: "reference",
    label: offer.reference_label,
    value: typed.reference,
    error: problems.reference,
    required: true,
    autocomplete: "off",
    maxlength: REFERENCE_LENGTH_MAX,
  })
}
<button class="pay">${t.go}</button>
<p class="soft small center">${t.next}</p>
</form>`;
}

function summary(page: LinkPage, offer: Offer): Html {
  const { t, language } = page;
  const { amount_minor: minor, currency } = offer;
  const lines = offer.items?.map(
    (item) => html`<li><span>${item.quantity} × <bdi>${item.name}</bdi></span>
<span>${moneyIn(language, itemAmount(item, currency))}</span></li>
`,
  );
  return html`${lines && html`<ul class="items" aria-label="${t.items(lines.length)}">${lines}</ul>`}
${
  minor !== null &&
  html`<dl><div class="total"><dt>${t.total}</dt>
<dd>${moneyIn(language, money(currency, minor))}</dd></div></dl>`
}
<p class="soft small fee">${t.fee[offer.fee_structure]}</p>`;
}

/** Why it cannot be paid, and whom to ask. */
export function renderClosed(
  page: LinkPage,
  offer: Offer,
  state: Exclude<OfferState, "open">,
): string {
  const { heading, text } = page.t.closed[state];
  return around(page, offer, {
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
  const way = (label: string, href: string, text: string) =>
    html`<div><dt>${label}</dt><dd><a${attributes({ href, target: "_top" })}>${text}</a></dd></div>`;
  return html`<h2>${t.contact(offer.shop)}</h2>
<dl class="facts">
${email && way(t.email, `mailto:${email}`, email)}
${phone && way(t.phone, `tel:${phone}`, phone)}
${website && way(t.website, website, website)}
</dl>`;
}

export interface DoneFacts {
  readonly outcome: "paid" | "notPaid" | "notKnown";
  readonly total: string;
  readonly reference: string;
  /** Of the payment page, which has the receipt. */
  readonly paymentPath: string | undefined;
}

export function renderDone(page: LinkPage, offer: Offer, facts: DoneFacts): string {
  const { t, isFramed } = page;
  const { done } = t;
  const isPaid = facts.outcome === "paid";
  const text = isPaid ? done.paidText(facts.total, offer.shop) : done[`${facts.outcome}Text`];
  const again = isPaid ? done.payAgain : done.tryAgain;
  return around(page, offer, {
    title: done[facts.outcome],
    main: html`<h1>${done[facts.outcome]}</h1>
<p>${text}</p>
${isPaid && offer.success_message && paragraphs(offer.success_message)}
<dl class="facts">
<div><dt>${done.reference}</dt><dd class="reference">${facts.reference}</dd></div>
</dl>
${isPaid && facts.paymentPath && html`<p><a href="${facts.paymentPath}">${done.details}</a></p>`}
${facts.outcome !== "notKnown" && html`<p><a href="${pathOf(offer, isFramed)}">${again}</a></p>`}
${contact(page, offer)}`,
  });
}

function paragraphs(text: string): Html {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return html`<div class="message">${lines.map((line) => html`<p><bdi>${line}</bdi></p>\n`)}</div>`;
}

/** A page that knows of no link. */
export function renderPlain(
  { t, language, isFramed }: Omit<LinkPage, "nonce">,
  words: { readonly heading: string; readonly text: string; readonly link?: Html },
): string {
  return renderDocument({
    title: words.heading,
    lang: language,
    htmlClass: isFramed ? "simple" : "full",
    styles: [style],
    body: html`<div class="sheet plain"><main>
<h1>${words.heading}</h1>
<p>${words.text}</p>
${words.link}
</main></div>
${footer(t)}`,
  });
}

export function pathOf({ slug }: { readonly slug: string }, isFramed: boolean): string {
  return `/pay/${slug}${isFramed ? "?frame=1" : ""}`;
}

function around(
  { t, language, isFramed, nonce }: LinkPage,
  offer: Offer,
  parts: { readonly title: string; readonly main: Html; readonly summary?: Html },
): string {
  const { accent_colour: accent } = offer;
  return renderDocument({
    title: parts.title,
    lang: language,
    htmlClass: isFramed ? "simple" : "full",
    head: html`<meta name="referrer" content="same-origin">\n`,
    styles: accent === null ? [style] : [style, accentStyle(ASSETS_PATH, accent)],
    scripts: [script],
    nonce,
    body: html`<div class="sheet">
<aside class="order" aria-label="${t.order}">
<div class="shop">
${picture(offer)}
<p><span class="soft">${t.payTo}</span>
<strong><bdi>${offer.shop}</bdi></strong></p>
${offer.environment === "sandbox" && html`<span class="badge">${t.sandbox}</span>`}
</div>
${parts.summary}
</aside>
<main>
${parts.main}
</main>
</div>
${footer(t)}`,
  });
}

function picture({ shop, logo_id, logo_width, logo_height }: Offer): Html {
  if (logo_id === null || logo_width === null || logo_height === null) {
    const initial = [...shop.trim()][0]?.toLocaleUpperCase() ?? "";
    return html`<span class="initial" aria-hidden="true">${initial}</span>`;
  }
  const size = { width: logo_width, height: logo_height };
  return html`<img class="logo"${attributes({ src: `/logos/${logo_id}`, ...size, alt: "" })}>`;
}

function footer(t: LinkWords): Html {
  return html`<footer><p>${t.footer}</p></footer>`;
}
