/** The page of a payment link that can be paid: what it offers, and the form that leads on. */

import { attributes, type Html, html } from "../../kit/html.ts";
import { money } from "../../kit/money.ts";
import { textField } from "../../parts/field.ts";
import { itemList } from "../../parts/item-list.ts";
import { moneyIn } from "../../words/locale.ts";
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
<p class="soft small">${t.fee[offer.fee_structure]}</p>
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
${
  minor !== null &&
  html`<dl><div class="total"><dt>${t.price}</dt>
<dd>${moneyIn(language, money(currency, minor))}</dd></div></dl>`
}`;
}
