/** What surrounds every step of a payment: whom, for what, how much. */

import { type Html, type HtmlValue, html } from "../../../kit/html.ts";
import type { Money } from "../../../kit/money.ts";
import { itemList } from "../../../parts/item-list.ts";
import { shopPicture } from "../../../parts/shop-picture.ts";
import type { Texts } from "../../../words/checkout/en.ts";
import { moneyIn } from "../../../words/locale.ts";
import type { CheckoutView } from "./checkout-view.ts";

export function aroundStep(view: CheckoutView, t: Texts, step: Html): Html {
  return html`<div class="sheet">
<aside class="order" aria-label="${t.summary.heading}">
<div class="shop">
${shopPicture(view.merchant)}
<p><span class="soft">${t.summary.payTo}</span>
<strong><bdi>${view.merchant.name}</bdi></strong></p>
${view.isSandbox && html`<span class="badge">${t.sandbox.badge}</span>`}
</div>
${view.layout === "simple" ? foldedLines(view, t) : orderParts(view, t)}
</aside>
<main aria-label="${t.main}">
${step}
</main>
</div>`;
}

/** The shop around the frame shows the order already: here the total will do, until asked for. */
function foldedLines(view: CheckoutView, t: Texts): Html {
  return html`<details class="lines">
<summary><span class="unseen">${t.summary.total}</span> ${amountTexts(view, t).total}</summary>
${orderParts(view, t)}
</details>`;
}

function orderParts(view: CheckoutView, t: Texts): Html {
  return html`${view.description && html`<p class="about"><bdi>${view.description}</bdi></p>`}
${orderItems(view, t)}
${orderLines(view, t)}
<p class="soft small fee">${feeWords(view, t)}</p>`;
}

/** More than these are folded, so that the card form stays near. */
const ITEMS_OPEN_MAX = 4;

/** A frame stands in a page that shows the order already: there they are always folded. */
function orderItems({ items = [], layout }: CheckoutView, t: Texts): HtmlValue {
  if (items.length === 0) return undefined;
  const heading = t.summary.items(items.length);
  const lines = items.map((item) => ({ ...item, amount: moneyIn(t.language, item.amount) }));
  const list = itemList(heading, lines);
  if (layout === "full" && items.length <= ITEMS_OPEN_MAX) return list;
  return html`<details><summary>${heading}</summary>
${list}</details>`;
}

function orderLines(view: CheckoutView, t: Texts): Html {
  const { summary } = t;
  const amounts = amountTexts(view, t);
  const own = (label: string, value: string) => line(label, html`<bdi>${value}</bdi>`);
  return html`<dl>
${view.orderId !== "" && own(summary.order, view.orderId)}
${view.details?.map(({ label, value }) => own(label, value))}
${view.feeIs !== "merchant's" && line(summary.price, amounts.price)}
${view.feeIs !== "merchant's" && line(summary.fee, amounts.fee)}
<div class="total"><dt>${summary.total}</dt><dd>${amounts.total}</dd></div>
</dl>`;
}

function line(label: string, value: Html | string): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`;
}

export function amountTexts({ amounts }: CheckoutView, { language, summary: { secret } }: Texts) {
  if (amounts === undefined) return { price: secret, fee: secret, total: secret };
  const { price, fee, total } = amounts;
  const text = (amount: Money) => moneyIn(language, amount);
  return { price: text(price), fee: text(fee), total: text(total) };
}

/** What the button of the form says. */
export function payWords(view: CheckoutView, t: Texts): string {
  return t.card.pay(amountTexts(view, t).total);
}

function feeWords(view: CheckoutView, t: Texts): string {
  const { fee } = amountTexts(view, t);
  switch (view.feeIs) {
    case "customer's":
      return t.summary.feePaidByCustomer(fee);
    case "shared":
      return t.summary.feeShared(fee);
    case "merchant's":
      return t.summary.feeNone;
  }
}
