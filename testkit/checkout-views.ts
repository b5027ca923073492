/** One view of the payment page for each state it can be in: for tests and for looking at. */

import { money } from "../src/kit/money.ts";
import type { CardStep, CheckoutView } from "../src/modules/checkout/page/checkout-view.ts";
import { NO_CARDS, NOT_TAKEN } from "../src/modules/checkout/session/result-messages.ts";
import type { Texts } from "../src/words/checkout/en.ts";

export const BASE_VIEW: Omit<CheckoutView, "step"> = {
  path: "/checkout/x",
  purpose: "payment",
  layout: "full",
  isSandbox: true,
  merchant: { name: "Sea Grape Books" },
  orderId: "order-1042",
  reference: "SB-TT-01JCZ8Q7W3K5V9H2M4N6P8R0S1",
  amounts: {
    price: money("TTD", 10_000n),
    fee: money("TTD", 520n),
    total: money("TTD", 10_520n),
  },
  feeIs: "customer's",
};

export const CARD_STEP: CardStep = {
  kind: "card",
  secondsLeft: 176,
  triesLeft: 5,
  attempts: 0,
  isAvs: false,
  at: new Date("2026-11-18T12:00:00Z"),
  takesSandboxCards: true,
  formToken: "form-token",
  values: {},
  problems: [],
};

const CHALLENGE_STEP = {
  kind: "challenge",
  secondsLeft: 100,
  attempts: 1,
  formToken: "token",
  needsScripts: false,
} as const;

const ended = { kind: "ended", returnUrl: "https://shop.example/back?a=1", goesOn: false } as const;

export const STATES = {
  card: CARD_STEP,
  "card with an address": {
    ...CARD_STEP,
    isAvs: true,
    secondsLeft: 299,
    values: { country: "US", state: "US-CA", dial: "US" },
  },
  problems: {
    ...CARD_STEP,
    problems: [
      { field: "number", message: "This is not a card number." },
      { field: "expiry", message: "This card has expired." },
      { field: "city", message: "Enter your city or town." },
    ],
    values: { holder: "Maya Joseph", country: "TT", dial: "TT", phone: "291-1234" },
  },
  "card with an e-mail": { ...CARD_STEP, asksEmail: true },
  "an e-mail that is wrong": {
    ...CARD_STEP,
    asksEmail: true,
    problems: [
      { field: "email", message: "This is the seller's e-mail address. Please enter yours." },
    ],
    values: { holder: "Maya Joseph", email: "shop@example.com", country: "TT", dial: "TT" },
  },
  declined: {
    ...CARD_STEP,
    attempts: 1,
    triesLeft: 4,
    secondsLeft: 45,
    declined: { card: "Visa ending in 3333", message: "Transaction is declined." },
  },
  limited: { ...CARD_STEP, isLimited: true },
  "not taken": {
    ...CARD_STEP,
    attempts: 1,
    declined: { card: "Visa ending in 2222", message: NOT_TAKEN.message, ourFault: "now" },
  },
  "no cards now": {
    ...CARD_STEP,
    attempts: 1,
    declined: { card: "Visa ending in 2222", message: NO_CARDS.message, ourFault: "settings" },
  },
  challenge: CHALLENGE_STEP,
  "a real bank's challenge": { ...CHALLENGE_STEP, needsScripts: true },
  working: { kind: "working", attempts: 1, waitedSeconds: 2 },
  "working for long": { kind: "working", attempts: 1, waitedSeconds: 12 },
  "working for very long": { kind: "working", attempts: 1, waitedSeconds: 31 },
  paid: { ...ended, outcome: "paid", card: "Visa ending in 1111" },
  "not paid": {
    ...ended,
    outcome: "notPaid",
    card: "Visa ending in 3333",
    message: "Transaction is declined.",
  },
  "not known": { ...ended, outcome: "notKnown" },
  expired: { ...ended, outcome: "expired" },
  replaced: {
    ...ended,
    outcome: "replaced",
    newer: { url: "https://pay.example.com/checkout/y", leavesFrame: false },
  },
  "replaced by nothing open": { ...ended, outcome: "replaced" },
} as const satisfies Record<string, CheckoutView["step"]>;

/** The same state as a customer of that language sees it, with its words. */
export function stateIn(t: Texts, step: CheckoutView["step"]): CheckoutView["step"] {
  const card = t.card.endingIn("Visa", "3333");
  const message = t.declined.reason("05", "Transaction is declined.");
  if (step.kind === "ended")
    return { ...step, card: step.card && card, message: step.message && message };
  if (step.kind !== "card") return step;
  const { declined } = step;
  const fault = declined?.ourFault && t.notTaken[declined.ourFault].text(declined.message);
  const texts = { number: t.fields.number.amex, expiry: t.fields.expiry.over };
  const wrong = { ...texts, city: t.fields.city.missing, email: t.fields.email.sellers };
  const problems = step.problems.map(({ field }) => ({
    field,
    message: Object.entries(wrong).find(([name]) => name === field)?.[1] ?? t.fields.line.signs,
  }));
  return {
    ...step,
    problems,
    declined: declined && { ...declined, card, message: fault ?? message },
  };
}
