/**
 * Amounts for people: `TTD 1,234.50` on one line, the currency always with it, in figures of one
 * width. A negative one has a true minus sign, which screen readers say; colour adds nothing.
 */

import { type Html, html } from "../kit/html.ts";
import type { Money } from "../kit/money.ts";
import { moneyIn } from "../words/locale.ts";

export function moneyText(amount: Money): string {
  return moneyIn("en", amount);
}

export function moneyHtml(amount: Money): Html {
  return html`<span class="money">${moneyText(amount)}</span>`;
}
