/** The way back without paying, below the form and below the bank's question. */

import { type Html, html } from "../../../kit/html.ts";
import type { Texts } from "../../../words/checkout/en.ts";
import type { CheckoutView } from "./checkout-view.ts";

export function giveUpForm(
  { path, merchant }: CheckoutView,
  { formToken }: { readonly formToken: string },
  { card }: Texts,
): Html {
  return html`<form method="post" action="${path}/back" class="center">
<input type="hidden" name="form_token" value="${formToken}">
<button class="quiet">${card.giveUp(merchant.name)}</button>
</form>`;
}
