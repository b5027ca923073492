/** Amounts in the sentences of commands, which have them as a terminal does: `1500.00 TTD`. */

import { CURRENCIES, type Currency, readFormatted } from "../kit/money.ts";
import { moneyText } from "../parts/money.ts";

const AMOUNT = new RegExp(`(?<![\\w.,-])(-?\\d+\\.\\d{2}) (${CURRENCIES.join("|")})\\b`, "g");

export function inAmountsOfPage(sentence: string): string {
  return sentence.replace(AMOUNT, (_, amount: string, currency: Currency) =>
    moneyText(readFormatted(currency, amount)),
  );
}
