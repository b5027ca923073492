/**
 * The test cards that reach the gateway through the payment page. The others are the sandbox's own
 * test cards, which live payments refuse, invalid numbers, or of brands that are not taken.
 */

import { readNumber } from "../../src/modules/checkout/form/card-fields.ts";
import { cardForm as words } from "../../src/words/card-form/en.ts";
import { CARDS, describeCard } from "./cards.ts";

/** As a customer of a live payment types it. */
function isTaken(number: string): boolean {
  const rules = { only: undefined, isAvs: false, at: new Date(), takesSandboxCards: false, words };
  return "value" in readNumber(number, rules);
}

export function usableCards(): { readonly number: string; readonly about: string }[] {
  return CARDS.flatMap((card) =>
    card.numbers.filter(isTaken).map((number) => ({ number, about: describeCard(card) })),
  );
}
