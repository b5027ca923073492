/**
 * The English words of the sandbox's bank, and the shape of the others (Decisions 0038, 0095). It
 * says that it is simulated; its name is the same in every language.
 */

import { formatMoney, type Money } from "../../kit/money.ts";
import type { Language } from "../../kit/vocabulary.ts";

export interface BankWords {
  readonly language: Language;
  readonly amount: string;
  /** As English has shown it from the start: a plain space, and nothing grouped. */
  readonly money: (amount: Money) => string;
  readonly secret: string;
  readonly card: string;
  readonly endingIn: (network: string, lastFour: string) => string;
  readonly leading: { readonly title: string; readonly next: string };
  readonly question: {
    readonly heading: string;
    readonly confirm: string;
    readonly decline: string;
    readonly note: string;
  };
  readonly silent: { readonly heading: string; readonly text: string };
  readonly answered: {
    readonly heading: string;
    readonly passed: string;
    readonly refused: string;
    readonly finish: string;
    readonly back: string;
  };
  readonly nothing: { readonly heading: string; readonly text: string };
}

export const english: BankWords = {
  language: "en",
  amount: "Amount",
  money: (amount) => `${amount.currency} ${formatMoney(amount)}`,
  secret: "See your statement",
  card: "Card",
  endingIn: (network, lastFour) => `${network} ending in ${lastFour}`,
  leading: { title: "To your bank", next: "Continue to your bank" },
  question: {
    heading: "Confirm your payment",
    confirm: "Confirm the payment",
    decline: "Decline the payment",
    note: "This is a simulated bank. No money is taken; you choose the answer.",
  },
  silent: {
    heading: "Waiting for your bank",
    text:
      "This simulated bank never answers. Use this card to test how a payment ends without an " +
      "answer.",
  },
  answered: {
    heading: "Your bank has answered",
    passed: "You have confirmed the payment.",
    refused: "You have declined the payment.",
    finish: "Go back to the payment page to finish.",
    back: "Back to the payment page",
  },
  nothing: {
    heading: "Nothing to confirm here",
    text: "No payment was found at this address.",
  },
};
