/**
 * Amounts for people: `TTD 1,234.50` on one line, the currency always with it, in figures of one
 * width. A negative one has a true minus sign, which screen readers say; colour adds nothing.
 */

import { type Html, html } from "../kit/html.ts";
import { formatMoney, type Money } from "../kit/money.ts";

const NO_BREAK = "\u00a0";
const MINUS = "\u2212";

export function moneyText(amount: Money): string {
  const { currency, minor } = amount;
  const size = formatMoney({ currency, minor: minor < 0n ? -minor : minor });
  const grouped = size.replace(/\d(?=(?:\d{3})+\.)/g, "$&,");
  return `${minor < 0n ? MINUS : ""}${currency}${NO_BREAK}${grouped}`;
}

export function moneyHtml(amount: Money): Html {
  return html`<span class="money">${moneyText(amount)}</span>`;
}
