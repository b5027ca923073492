/**
 * What the page says where a card is saved, or a saved one is charged (Decision 0042): the
 * payment's words but for those that would be wrong.
 */

import { english, type Texts } from "./texts-en.ts";

export const savingACard: Texts = {
  ...english,
  title: (merchant) => `Save your card with ${merchant}`,
  main: "Save a card",
  summary: {
    ...english.summary,
    heading: "Your card",
    payTo: "Save card with",
    total: "Card check",
    secret: "USD\u00a00.50–0.99",
    feeNone:
      "To check that the card is yours, a small amount between USD\u00a00.50 and USD\u00a00.99 " +
      "is charged. You find it on your card's statement, and it is returned to you.",
  },
  card: {
    ...english.card,
    heading: "Save your card",
    pay: () => "Save card",
    safe: "The seller never sees your card number. Nothing more is charged without you.",
    giveUp: (merchant) => `Go back to ${merchant} without saving`,
  },
  time: {
    ...english.time,
    label: "Time left",
    left: (words) => `Please save your card within ${words}.`,
    warnings: {
      60: "One minute left. After that the card is not saved and you can start again.",
      20: "20 seconds left.",
    },
    over: "The time is over. One moment.",
  },
  challenge: {
    ...english.challenge,
    text: "Please answer your bank below. Saving your card goes on by itself after that.",
    answeredText: "One moment: saving your card goes on.",
  },
  working: {
    ...english.working,
    stay: "Please do not close this page and do not start again: the card is saved only once.",
  },
  ended: {
    ...english.ended,
    paid: {
      heading: "Card saved",
      text: (_amount, merchant) =>
        `Your card is saved with ${merchant}. Look for the small amount on your card's ` +
        `statement: ${merchant} may ask you for it, and it is returned to you.`,
    },
    notPaid: {
      heading: "Card not saved",
      text: "No money was taken. You can start again.",
    },
    notKnown: {
      heading: "We do not know yet",
      text:
        "Your bank has not told us whether it accepts the card. The card is not saved. If a " +
        "small amount was charged, it will be undone.",
    },
    expired: {
      heading: "The time is over",
      text: "The card is not saved, and no money was taken. You can start again.",
    },
    referenceHelp: "Name it if you have a question.",
  },
  gone: {
    heading: "This page is over",
    text: "Whether your card was saved was told to the seller. Please ask there.",
  },
};

export const chargingACard: Texts = {
  ...english,
  card: { ...english.card, heading: "Pay with your saved card" },
  problems: {
    ...english.problems,
    again: "For your safety, the security code is never kept: enter it again.",
  },
  declined: {
    ...english.declined,
    noMoney: "No money was taken. You can try again with the security code, or ask the seller.",
  },
};
