/** How amounts and moments are written in each language. */

import { formatMoney, type Money } from "../../kit/money.ts";
import type { Language } from "../../kit/vocabulary.ts";

const TAGS: Readonly<Record<Language, string>> = {
  en: "en-GB",
  es: "es-419",
  fr: "fr-GP",
  nl: "nl-SR",
};

export function moneyIn(_language: Language, amount: Money): string {
  return `${amount.currency}\u00a0${formatMoney(amount)}`;
}

export function timeIn(
  language: Language,
  at: Date,
  { zone }: { readonly zone: string; readonly style: "long" },
): string {
  const style = { dateStyle: "long", timeStyle: "short", timeZone: zone } as const;
  return new Intl.DateTimeFormat(TAGS[language], style).format(at);
}
