/**
 * The English words of the page where a card is saved, or a saved one is charged (Decision 0042):
 * those of a payment, with the differences.
 */

import { english, type Texts } from "../checkout/en.ts";

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
      "To check that the card is yours, we charge a small amount between USD\u00a00.50 and " +
      "USD\u00a00.99. It appears on your card statement and is returned to you.",
  },
  card: {
    ...english.card,
    heading: "Save your card",
    pay: () => "Save card",
    safe: "The seller never sees your card number. You approve every further payment.",
    giveUp: (merchant) => `Go back to ${merchant} without saving`,
  },
  time: {
    ...english.time,
    label: "Time left",
    left: (words) => `Please save your card within ${words}.`,
    warnings: {
      60: "1 minute left. After that you will need to start again.",
      20: "20 seconds left.",
    },
    over: "Time is up. One moment, please.",
  },
  challenge: {
    ...english.challenge,
    text: "Follow your bank's steps below. Saving your card then continues automatically.",
    checking: {
      ...english.challenge.checking,
      text:
        "Your bank is checking your card. If it asks you to confirm, follow its steps below. " +
        "Saving your card then continues automatically.",
    },
    answeredText: "One moment while we save your card.",
    scripts: {
      ...english.challenge.scripts,
      onPage: "Turn JavaScript on and load this page again, or go back without saving.",
      back: "Back to your card",
    },
  },
  working: {
    ...english.working,
    stay: "Please do not close this page or start again. Your card is only saved once.",
  },
  ended: {
    ...english.ended,
    paid: {
      heading: "Card saved",
      text: (_amount, merchant) =>
        `Your card is saved with ${merchant}. ${merchant} may ask you for the small amount on ` +
        "your card statement. It is returned to you.",
    },
    notPaid: {
      heading: "Card not saved",
      text: "No money was taken. You can start again.",
    },
    notKnown: {
      heading: "Waiting for your bank",
      text:
        "Your bank has not confirmed the card. The card is not saved. If a small amount was " +
        "charged, it will be returned to you.",
    },
    expired: {
      heading: "Time is up",
      text: "The card is not saved, and no money was taken. You can start again.",
    },
    referenceHelp: "Use this reference if you contact the seller.",
  },
  gone: {
    heading: "This page has expired",
    text: "Please contact the seller to check whether your card was saved.",
  },
};

export const chargingACard: Texts = {
  ...english,
  card: { ...english.card, heading: "Pay with your saved card" },
  problems: {
    ...english.problems,
    again: "For your security we do not keep your security code. Please enter it again.",
  },
  declined: {
    ...english.declined,
    noMoney: "No money was taken. Check the security code and try again, or contact the seller.",
  },
};
