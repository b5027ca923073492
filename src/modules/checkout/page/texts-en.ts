/**
 * Every English word of the payment page (Decision 0041). Another language is another file of this
 * shape: `Texts` makes the compiler name what is missing.
 *
 * What must hold: a sentence says what happened, whether money moved, and what to do next,
 * in words of a person who sells things, not of a bank.
 */

import type { FieldName } from "../form/form-values.ts";

interface FieldText {
  readonly label: string;
  /** Stands under the field before anything is wrong. */
  readonly help?: string;
  /** Said when it is empty, or does not look as it should, before the server has seen it. */
  readonly missing: string;
  readonly wrong?: string;
}

const fields: Readonly<Record<FieldName, FieldText>> = {
  number: {
    label: "Card number",
    help: "The long number on your card.",
    missing: "Enter the number on your card.",
    wrong: "Check the card number: it should have 13 to 19 digits.",
  },
  expiry: {
    label: "Expiry date",
    help: "MM / YY, as 09 / 29.",
    missing: "Enter the month and year that the card expires.",
    wrong: "Enter the month and year as they stand on the card, for example 09 / 29.",
  },
  cvv: {
    label: "Security code",
    help: "3 digits, on the back.",
    missing: "Enter the security code.",
    wrong: "The security code has 3 digits. It is on the back of the card.",
  },
  holder: {
    label: "Name on card",
    missing: "Enter the name as it stands on the card.",
  },
  email: {
    label: "E-mail",
    help: "So that the seller can reach you about this order.",
    missing: "Enter your e-mail address.",
    wrong: "Check the e-mail address: it should look like name@example.com.",
  },
  country: { label: "Billing country", missing: "Choose your billing country." },
  addr1: { label: "Address", missing: "Enter the address that your card statements go to." },
  addr2: { label: "Apartment, suite or district", missing: "" },
  city: { label: "City or town", missing: "Enter your city or town." },
  state: { label: "State, province or parish", missing: "Choose your state, province or parish." },
  zipcode: { label: "Postal code", missing: "Enter your postal code." },
  dial: { label: "Phone country", missing: "Choose the country of your phone." },
  phone: {
    label: "Phone",
    missing: "Enter your phone number.",
    wrong: "This is not a phone number of that country.",
  },
};

export const english = {
  language: "en",
  title: (merchant: string) => `Pay ${merchant}`,
  titleWithProblem: (title: string) => `Please check: ${title}`,
  main: "Payment",
  fields,
  optional: "optional",
  chooseCountry: "Choose a country",
  chooseState: "Choose one",
  showStates: "Show the list for this country",

  summary: {
    heading: "Your order",
    payTo: "Pay to",
    order: "Order",
    price: "Price",
    fee: "Processing fee",
    total: "Total",
    /** In place of an amount that the page does not tell. */
    secret: "",
    feePaidByCustomer: (fee: string) =>
      `${fee} of this is the fee for paying by card. It does not change with the card you use.`,
    feeShared: (fee: string) =>
      `${fee} of this is your half of the fee for paying by card. The seller pays the other half.`,
    feeNone: "There is no fee for you: the seller pays it.",
  },

  /** Of the details that the page shows, by the names of their fields. */
  details: {} as Readonly<Partial<Record<string, string>>>,

  sandbox: {
    badge: "Sandbox",
    note: "This is a test. No money moves.",
    cards: "Cards to try",
    approved: "Approved",
    declined: "Declined",
    asked: "Asks for confirmation",
  },

  card: {
    heading: "Pay by card",
    detected: { visa: "This is a Visa card.", mastercard: "This is a Mastercard." },
    networks: { visa: "Visa", mastercard: "Mastercard" },
    endingIn: (network: string, lastFour: string) => `${network} ending in ${lastFour}`,
    billing: "Billing address",
    contact: "Billing details",
    billingHelp: "The address that your card statements go to. Your bank compares it.",
    moreAddress: "Add your address",
    saved: "Your saved card",
    expires: (expiry: string) => `Expires ${expiry}`,
    pay: (amount: string) => `Pay ${amount}`,
    safe: "The seller never sees your card details.",
    giveUp: (merchant: string) => `Go back to ${merchant} without paying`,
  },

  time: {
    label: "Time left to pay",
    left: (words: string) => `Please pay within ${words}.`,
    /** Said once each, to those who hear the page, too. */
    warnings: {
      60: "One minute left to pay. After that the order is not paid and you can start again.",
      20: "20 seconds left to pay.",
    },
    over: "The time to pay is over. One moment.",
    minutes: (count: number) => (count === 1 ? "1 minute" : `${count} minutes`),
    seconds: (count: number) => (count === 1 ? "1 second" : `${count} seconds`),
  },

  problems: {
    one: "One thing needs your attention",
    many: (count: number) => `${count} things need your attention`,
    again:
      "For your safety, the card number and the security code are never kept: enter them again.",
  },

  declined: {
    heading: "This card was not accepted",
    text: (card: string, message: string) => `${card}: ${message}`,
    noMoney: "No money was taken. You can check the card, or use another one.",
    triesLeft: (count: number) => (count === 1 ? "One try is left." : `${count} tries are left.`),
  },

  limited: {
    heading: "Too many cards were tried",
    text: "Please wait a little before you try another card. No money was taken.",
  },

  challenge: {
    heading: "Your bank wants to know it is you",
    text: "Please answer your bank below. Your payment goes on by itself after that.",
    frame: "Your bank's page",
    full: "Open your bank's page",
    fullText: "Please answer your bank on its own page. It brings you back here.",
    fallback: "If you see nothing above, open your bank's page here.",
    answered: "Your bank has answered",
    answeredText: "One moment: your payment goes on.",
    next: "Continue",
  },

  working: {
    heading: "One moment, please",
    text: "We are asking your bank. This takes a few seconds.",
    stay: "Please do not close this page and do not pay again: you pay only once.",
    long: "It takes longer than usual. You do not need to do anything: we keep asking.",
    look: "Look again",
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
      heading: "We do not know yet",
      text:
        "Your bank has not told us whether the payment went through. Please do not pay again. " +
        "If it did, it will be undone, and your bank gives the money back.",
    },
    expired: {
      heading: "The time to pay is over",
      text: "No money was taken. You can order again.",
    },
    replaced: {
      heading: "This payment was replaced",
      text:
        "There is a newer payment request for this order, so you can no longer pay here. No " +
        "money was taken on this page. The shop shows how your order stands.",
    },
    toNewer: "Continue to the new payment page",
    newerHelp: "Your order may have changed. Check the total before you pay.",
    message: "Reason",
    card: "Card",
    reference: "Reference",
    referenceHelp: "Name it if you have a question about this payment.",
    returnUrl: (merchant: string) => `Continue to ${merchant}`,
    forward: (merchant: string) => `You are being taken back to ${merchant}.`,
    stuck: (merchant: string) =>
      `If the page of ${merchant} does not open, nothing is lost: this result stands.`,
  },

  notFound: {
    heading: "There is nothing to pay here",
    text: "Please go back to the shop and start again. No money was taken on this page.",
  },
  gone: {
    heading: "This payment is over",
    text: "Its result was told to the seller. Please ask there.",
  },
  refused: {
    heading: "This did not come from the payment page",
    text: "Please open the payment page again and pay there. No money was taken.",
    again: "Open the payment page",
  },
  trouble: {
    heading: "Please try again in a moment",
    text:
      "We could not answer, and may not have got what you sent. Look again: the page shows how " +
      "it stands, and nothing is paid twice.",
    again: "Look again",
  },
  footer: "Secure payment by Windward",
};

export type Texts = typeof english;
