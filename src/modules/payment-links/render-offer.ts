/** The page of a payment link that can be paid: what it offers, and the form that leads on. */

import { attributes, type Html, html } from "../../kit/html.ts";
import { type Money, money } from "../../kit/money.ts";
import { textField } from "../../parts/field.ts";
import { itemList } from "../../parts/item-list.ts";
import { checkoutWords } from "../../words/checkout/checkout-words.ts";
import { moneyIn } from "../../words/locale.ts";
import { quoteFee } from "../platforms/fee-quote.ts";
import { platformOf } from "../platforms/platform.ts";
import { itemAmount } from "../transactions/order-items.ts";
import { type LinkPage, pathOf, renderAround } from "./link-document.ts";
import { boundsText, type Problems, REFERENCE_LENGTH_MAX, type Typed } from "./link-form.ts";
import type { Offer } from "./offer.ts";

export interface LinkForm {
  readonly orderId: string;
  readonly formToken: string;
  readonly typed: Typed;
  readonly problems: Problems;
}

export function renderOffer(page: LinkPage, offer: Offer, form: LinkForm): string {
  const { t } = page;
  return renderAround(page, offer, {
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
${feeNote(page, offer)}
<button class="pay">${t.go}</button>
<p class="soft small center">${t.next}</p>
</form>`;
}

function summary(page: LinkPage, offer: Offer): Html {
  const { t, language } = page;
  const { amount_minor: minor, currency } = offer;
  const lines = offer.items?.map((item) => ({
    ...item,
    amount: moneyIn(language, itemAmount(item, currency)),
  }));
  return html`${lines && itemList(t.items(lines.length), lines)}
${minor !== null && priceLines(page, offer, money(currency, minor))}`;
}

/** With the fee that the next page adds: nobody is to find a higher amount there. */
function priceLines({ t, language }: LinkPage, offer: Offer, amount: Money): Html {
  const { country_code, currency, fee_structure: feeStructure, at, own } = offer;
  const platform = platformOf(country_code);
  const { customer } = quoteFee({ platform, currency, amount, feeStructure, at, own });
  const words = checkoutWords(language).summary;
  const line = (label: string, value: Money) =>
    html`<div><dt>${label}</dt><dd>${moneyIn(language, value)}</dd></div>\n`;
  const total = (label: string, value: Money) =>
    html`<div class="total"><dt>${label}</dt><dd>${moneyIn(language, value)}</dd></div>`;
  if (customer.fee.minor === 0n) return html`<dl>${total(t.price, amount)}</dl>`;
  return html`<dl>
${line(words.price, amount)}
${line(words.fee, customer.fee)}
${total(words.total, customer.total)}
</dl>`;
}

/** Of a chosen amount it cannot be told yet. */
function feeNote({ t }: LinkPage, { amount_minor, fee_structure: payer }: Offer): Html | undefined {
  if (amount_minor !== null && payer !== "merchant_absorb") return undefined;
  return html`<p class="soft small">${t.fee[payer]}</p>`;
}
