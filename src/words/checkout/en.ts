/**
 * The English words of the payment page, and the shape of the others: `Texts` makes the compiler
 * report what is missing (Decisions 0041, 0095). English is fixed by the interface and its tests.
 *
 * A sentence says what happened, whether money was taken, and what to do next, in everyday words.
 */

import { NETWORK_NAMES } from "../../kit/card-network.ts";
import type { Language } from "../../kit/vocabulary.ts";
import { cardForm } from "../card-form/en.ts";
import { plural } from "../locale.ts";
import { englishReason } from "./decline-reason.ts";

const language = "en" as const;

export const english = {
  language,
  title: (merchant: string) => `Pay ${merchant}`,
  titleWithProblem: (title: string) => `Please check: ${title}`,
  main: "Payment",
  fields: cardForm,
  optional: "optional",
  chooseCountry: "Choose a country",
  chooseState: "Choose one",
  showStates: "Show states and provinces",

  summary: {
    heading: "Your order",
    payTo: "Pay to",
    order: "Order",
    items: (count: number) => (count === 1 ? "1 item" : `${count} items`),
    price: "Price",
    fee: "Processing fee",
    total: "Total",
    /** Replaces an amount that the page does not show. */
    secret: "",
    feePaidByCustomer: (fee: string) =>
      `${fee} of this is the card processing fee. It is the same for every card.`,
    feeShared: (fee: string) =>
      `${fee} of this is your half of the card processing fee. The seller pays the other half.`,
    feeNone: "No fee for you. The seller pays it.",
  },

  /** Labels of what the merchant says of the payment, by the names of its fields. */
  details: {},

  sandbox: {
    badge: "Sandbox",
    note: "Test payment. No money is taken.",
    cards: "Test cards",
    approved: "Approved",
    declined: "Declined",
    asked: "3-D Secure",
  },

  card: {
    heading: "Pay by card",
    detected: { visa: "This is a Visa card.", mastercard: "This is a Mastercard." },
    networks: NETWORK_NAMES,
    endingIn: (network: string, lastFour: string) => `${network} ending in ${lastFour}`,
    billing: "Billing address",
    contact: "Billing details",
    billingHelp: "The address on your card statements. Your bank checks it.",
    saved: "Your saved card",
    expires: (expiry: string) => `Expires ${expiry}`,
    pay: (amount: string) => `Pay ${amount}`,
    safe: "The seller never sees your card details.",
    giveUp: (merchant: string) => `Go back to ${merchant} without paying`,
  },

  time: {
    label: "Time left to pay",
    left: (words: string) => `Please pay within ${words}.`,
    /** Announced once each, also to screen readers. */
    warnings: {
      60: "1 minute left to pay. After that you will need to start again.",
      20: "20 seconds left to pay.",
    },
    over: "Time is up. One moment, please.",
    minutes: (count: number) =>
      plural(language, count, { one: `${count} minute`, other: `${count} minutes` }),
    seconds: (count: number) =>
      plural(language, count, { one: `${count} second`, other: `${count} seconds` }),
  },

  problems: {
    heading: (count: number) =>
      plural(language, count, {
        one: `Please check ${count} field`,
        other: `Please check ${count} fields`,
      }),
    again: "For your security we do not keep your card details. Please enter them again.",
  },

  declined: {
    heading: "Your card was declined",
    text: (card: string, message: string) => `${card}: ${message}`,
    noMoney: "No money was taken. Check the details or try another card.",
    /** Where nobody has declined: the card and what was typed may be right. */
    noMoneyTryAgain: "No money was taken. Please try again in a moment.",
    triesLeft: (count: number) =>
      plural(language, count, {
        one: `You have ${count} try left.`,
        other: `You have ${count} tries left.`,
      }),
    /** By the code of a result; `said`: its own words, which are English. */
    reason: englishReason,
  },

  /** In place of `declined` when no card could be charged. */
  notTaken: {
    now: {
      heading: "We could not charge your card",
      text: (said: string) => said,
      again: "Please try again in a moment.",
    },
    settings: {
      heading: "This shop cannot take cards right now",
      text: (said: string) => said,
      again: "Please try again later, or ask the shop for another way to pay.",
    },
  },

  limited: {
    heading: "Too many attempts",
    text: "Please wait a while before you try again. No money was taken.",
  },

  challenge: {
    heading: "Confirm with your bank",
    text: "Follow your bank's steps below. Your payment then continues automatically.",
    /** Many real banks ask nothing. */
    checking: {
      heading: "Checking with your bank",
      text:
        "Your bank is checking your card. If it asks you to confirm, follow its steps below. " +
        "Your payment then continues automatically.",
    },
    frame: "Your bank's page",
    full: "Open your bank's page",
    fullText: "Your bank asks you to confirm on its own page and then brings you back here.",
    fallback: "Nothing above? Open your bank's page here.",
    answered: "Thank you",
    answeredText: "One moment while we finish your payment.",
    next: "Continue",
    scripts: {
      heading: "This step needs JavaScript",
      text: "Your bank's page cannot be shown without it. Your card was not charged.",
      onPage: "Turn JavaScript on and load this page again, or go back without paying.",
      reload: "Load this page again",
      back: "Back to the payment page",
    },
  },

  working: {
    heading: "One moment, please",
    text: "We are checking with your bank. This takes a few seconds.",
    stay: "Please do not close this page or pay again. You will only be charged once.",
    long: "This is taking longer than usual. You do not need to do anything.",
    veryLong:
      "Your bank still has not answered. We keep asking until it does, and the result appears " +
      "here.",
    unreachable: "There is no connection at the moment. The result appears here when it is back.",
    look: "Check again",
  },

  /** While the form is under way in the background, and where it got lost. */
  sending: {
    slow: "Your connection is slow. We are still sending your details.",
    again: "Try again",
    kept: "Everything you typed is still here.",
    offline: {
      heading: "You are offline",
      text: "Nothing was sent, and no money was taken. Check your connection, then try again.",
    },
    lost: {
      heading: "The connection was lost",
      text:
        "We do not know yet whether your details reached us. Try again: you will not be charged " +
        "twice.",
    },
    trouble: {
      heading: "Please try again in a moment",
      text: "Something went wrong on our side. Try again: you will not be charged twice.",
    },
  },

  ended: {
    paid: {
      heading: "Paid",
      text: (amount: string, merchant: string) => `You paid ${amount} to ${merchant}.`,
    },
    notPaid: {
      heading: "Not paid",
      text: "No money was taken. You can order again.",
    },
    notKnown: {
      heading: "Waiting for your bank",
      text:
        "Your bank has not confirmed whether the payment went through. Please do not pay again. " +
        "If you were charged, the money will be returned to you.",
    },
    expired: {
      heading: "Time is up",
      text: "No money was taken. You can order again.",
    },
    replaced: {
      heading: "This payment was replaced",
      text:
        "There is a newer payment for this order, so you can no longer pay here. No money was " +
        "taken on this page. Check your order in the shop.",
    },
    toNewer: "Continue to the new payment page",
    newerHelp: "Your order may have changed. Check the total before you pay.",
    message: "Reason",
    card: "Card",
    reference: "Reference",
    referenceHelp: "Use this reference if you contact the seller.",
    returnUrl: (merchant: string) => `Continue to ${merchant}`,
    forward: (merchant: string) => `You are being taken back to ${merchant}.`,
    stuck: (merchant: string) =>
      `If ${merchant} does not open, do not worry: your result is saved.`,
  },

  notFound: {
    heading: "Payment page not found",
    text: "Please go back to the shop and start again. No money was taken on this page.",
  },
  notStarted: {
    heading: "This payment could not be started",
    /** `said`: what is wrong with the shop's request, in English and for the shop. */
    text: (said: string) => said,
  },
  gone: {
    heading: "This payment has ended",
    text: "Please contact the seller for the result.",
  },
  refused: {
    heading: "Please go back to the payment page",
    text: "No money was taken. Open the payment page and try again there.",
    again: "Open the payment page",
  },
  trouble: {
    heading: "Please try again in a moment",
    text:
      "Something went wrong on our side. Check again to see the status of your payment. You " +
      "will not be charged twice.",
    again: "Check again",
  },
  footer: "Secure payment by Windward",
};

export interface Texts extends Omit<typeof english, "language"> {
  readonly language: Language;
}
