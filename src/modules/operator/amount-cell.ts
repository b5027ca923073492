/**
 * An amount in a report: a terminal shows `1500.00 TTD`, a page what it has of the same money. JSON
 * has the terminal's text.
 */

import { type Currency, type Money, readFormatted } from "../../kit/money.ts";

export interface AmountCell {
  /** As a terminal shows it. */
  readonly text: string;
  readonly money: Money;
  /** What else is in the cell, behind the amount. */
  readonly note?: string;
  toJSON(): string;
}

function cellOf(text: string, amount: Money, note?: string): AmountCell {
  return { text, money: amount, ...(note === undefined ? {} : { note }), toJSON: () => text };
}

export function amountIn(currency: Currency, amount: string, note?: string): AmountCell {
  const text = `${amount} ${currency}${note === undefined ? "" : ` (${note})`}`;
  return cellOf(text, readFormatted(currency, amount), note);
}

/** Without its currency on a terminal, which has it beside. */
export function bareAmountIn(currency: Currency, amount: string): AmountCell {
  return cellOf(amount, readFormatted(currency, amount));
}
