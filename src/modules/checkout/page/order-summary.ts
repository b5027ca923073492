/** What surrounds every step of a payment: whom, for what, how much. */

import { type Html, html } from "../../../kit/html.ts";
import { moneyText } from "../../../parts/money.ts";
import type { CheckoutView } from "./checkout-view.ts";
import type { Texts } from "./texts-en.ts";

export function aroundStep(view: CheckoutView, t: Texts, step: Html): Html {
  return html`<div class="sheet">
<aside class="order" aria-label="${t.summary.heading}">
<div class="shop">
${merchantPicture(view)}
<p><span class="soft">${t.summary.payTo}</span>
<strong><bdi>${view.merchant.name}</bdi></strong></p>
${view.isSandbox && html`<span class="badge">${t.sandbox.badge}</span>`}
</div>
${view.layout === "simple" ? foldedLines(view, t) : orderLines(view, t)}
</aside>
<main aria-label="${t.main}">
${step}
</main>
</div>`;
}

function merchantPicture({ merchant: { name, picture } }: CheckoutView): Html {
  if (picture) return html`<img src="${picture}" alt="" width="48" height="48">`;
  const initial = [...name.trim()][0]?.toLocaleUpperCase() ?? "";
  return html`<span class="initial" aria-hidden="true">${initial}</span>`;
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
</dl>
<p class="soft small fee">${feeWords(view, t)}</p>`;
}

/** The shop around the frame shows the order already: here the total will do, until asked for. */
function foldedLines(view: CheckoutView, t: Texts): Html {
  return html`<details class="lines">
<summary><span class="unseen">${t.summary.total}</span> ${amountTexts(view, t).total}</summary>
${orderLines(view, t)}
</details>`;
}

function line(label: string, value: Html | string): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>\n`;
}

export function amountTexts({ amounts }: CheckoutView, { summary: { secret } }: Texts) {
  if (amounts === undefined) return { price: secret, fee: secret, total: secret };
  return {
    price: moneyText(amounts.price),
    fee: moneyText(amounts.fee),
    total: moneyText(amounts.total),
  };
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
