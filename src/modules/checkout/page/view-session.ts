/** What the page shows of a session: its facts, in the words and shapes of the page. */

import type { Config } from "../../../infra/config.ts";
import { isUnreachable } from "../../../words/checkout/decline-reason.ts";
import type { Texts } from "../../../words/checkout/en.ts";
import { isSubdivision, subdivisionsOf } from "../../platforms/subdivisions.ts";
import { receiptUrl } from "../../receipts/receipt-token.ts";
import { itemAmount } from "../../transactions/order-items.ts";
import type { PageDetailName, PageDetails } from "../../transactions/payment-details.ts";
import type { Customer } from "../../transactions/transaction.ts";
import { isBillingCountry } from "../form/countries.ts";
import type { KeptValues } from "../form/form-values.ts";
import { splitPhone } from "../form/phone-parts.ts";
import type { NewerPayment } from "../session/newer-payment.ts";
import { NO_CARDS, NOT_TAKEN } from "../session/result-messages.ts";
import type { NamedCard, SessionStep, SessionView, StoredCard } from "../session/session.ts";
import { takesSandboxCards } from "../session/submit-card.ts";
import { bankSources } from "./challenge-headers.ts";
import type { CardStep, CheckoutView, EndedStep } from "./checkout-view.ts";
import { formToken } from "./form-token.ts";

/** What the form was sent with and what came of it, when it is shown again at once. */
export type Again = Partial<Pick<CardStep, "values" | "problems" | "isLimited" | "isAddressOpen">>;

type ViewConfig = Pick<Config, "http" | "tokenPeppers" | "powertranz" | "liveGateway">;

interface View {
  readonly token: string;
  readonly t: Texts;
  /** The merchant's address with the result, once there is one. */
  readonly returnUrl?: string | undefined;
  readonly goesOn?: boolean;
  /** The payment that replaced this one, while it is open or once it is paid. */
  readonly newer?: NewerPayment | undefined;
  readonly again?: Again;
}

const FEE_IS = {
  customer_pay: "customer's",
  split: "shared",
  merchant_absorb: "merchant's",
} as const;

/** `[2-R51]: `, which is for machines. */
const CODE = /^\[\d-R([^\]]*)\]: /;

const OUR_FAULTS: ReadonlyMap<string, "now" | "settings"> = new Map([
  [NOT_TAKEN.message, "now"],
  [NO_CARDS.message, "settings"],
]);

export function viewSession(config: ViewConfig, session: SessionView, shown: View): CheckoutView {
  const { merchant, amounts, orderId, transactionId, purpose } = session;
  const labels: PageDetails = shown.t.details;
  return {
    path: `/checkout/${shown.token}`,
    purpose,
    layout: layoutOf(session),
    isSandbox: session.environment === "sandbox",
    merchant: viewMerchant(merchant),
    orderId,
    details: Object.entries<string>(session.details)
      .filter(([, value]) => value !== "")
      .map(([name, value]) => ({ label: labels[name as PageDetailName], value })),
    description: session.description,
    items: session.items?.map((item) => ({
      name: item.name,
      quantity: item.quantity,
      amount: itemAmount(item, amounts.total.currency),
    })),
    reference: transactionId,
    receiptUrl: isPaid(session) ? receiptUrl(config, transactionId) : undefined,
    amounts: session.isAmountSecret ? undefined : amounts,
    feeIs: FEE_IS[session.feeStructure],
    step: stepOf(config, session, shown),
  };
}

/** Its e-mail is never shown. */
function viewMerchant({ name, picture, logo, accent }: SessionView["merchant"]) {
  return { name, picture, ...(logo && { logo }), accent };
}

export function layoutOf({ method }: Pick<SessionView, "method">): CheckoutView["layout"] {
  return method === "3co_simple" ? "simple" : "full";
}

/** A card that was saved is no payment: what proved it goes back. */
function isPaid({ purpose, step }: SessionView): boolean {
  return purpose !== "card" && step.kind === "ended" && step.outcome === "paid";
}

function stepOf(
  config: ViewConfig,
  session: SessionView,
  { token, t, returnUrl = "", goesOn = false, newer, again = {} }: View,
): CheckoutView["step"] {
  const { step, secondsLeft, attempts } = session;
  switch (step.kind) {
    case "challenge": {
      const needsScripts = bankSources(config, session.environment) !== undefined;
      const proof = formToken(config, token);
      return { kind: "challenge", secondsLeft, attempts, formToken: proof, needsScripts };
    }
    case "working":
      return { kind: "working", attempts, waitedSeconds: step.waitedSeconds };
    case "ended": {
      const card = step.card === undefined ? undefined : nameCard(step.card, t);
      // Where the page has sentences of its own, the message is not repeated.
      const message = step.outcome === "notPaid" ? reasonOf(step.message, t) : undefined;
      const { outcome } = step;
      const next = newer && newerPage(session, newer);
      return { kind: "ended", outcome, message, card, newer: next, returnUrl, goesOn };
    }
    case "card":
      return {
        kind: "card",
        secondsLeft,
        attempts,
        triesLeft: session.triesLeft,
        isAvs: session.isAvs,
        at: session.at,
        takesSandboxCards: takesSandboxCards(config, session),
        asksEmail: session.asksEmail,
        only: session.only,
        stored: session.stored && {
          card: nameCard(session.stored, t),
          expiry: showExpiry(session.stored),
        },
        formToken: formToken(config, token),
        values: prefill(session.customer),
        problems: [],
        declined: step.declined && viewDeclined(step.declined, t),
        ...again,
      };
  }
}

/** The full page refuses to stand in the frame that the simple one stands in. */
function newerPage(older: SessionView, newer: NewerPayment): EndedStep["newer"] {
  if (newer.url === undefined) return undefined;
  const leavesFrame = layoutOf(older) === "simple" && layoutOf(newer) === "full";
  return { url: newer.url, leavesFrame };
}

/** As people say it. */
function nameCard({ brand, lastFour }: NamedCard, t: Texts): string {
  const networks: Readonly<Record<string, string>> = t.card.networks;
  return t.card.endingIn(networks[brand] ?? brand, lastFour);
}

/** As it stands on the card. */
function showExpiry({ expMonth, expYear }: StoredCard): string {
  return `${String(expMonth).padStart(2, "0")} / ${String(expYear % 100).padStart(2, "0")}`;
}

function viewDeclined(
  { card, code, message }: NonNullable<Extract<SessionStep, { kind: "card" }>["declined"]>,
  t: Texts,
): CardStep["declined"] {
  const ourFault = OUR_FAULTS.get(message);
  const words = ourFault && t.notTaken[ourFault].text(message);
  return {
    card: nameCard(card, t),
    message: words ?? t.declined.reason(code, message),
    ourFault,
    isUnreachable: isUnreachable(code),
  };
}

/** Of a result that has ended a payment, in the language of the page. */
function reasonOf(message: string, t: Texts): string {
  return t.declined.reason(CODE.exec(message)?.[1] ?? "", message.replace(CODE, ""));
}

/**
 * What the form shows before anything was typed: the customer as the merchant described them, by
 * the four rules of Interface §2.4. The merchant's own country says nothing of the customer's.
 */
export function prefill(customer: Customer): KeptValues {
  const { country: given = "", fname, lname, addr1, addr2, city, zipcode } = customer;
  const country = isBillingCountry(given) ? given : undefined;
  const phone = splitPhone(customer.phone ?? "") ?? { dial: country, phone: undefined };
  const known = {
    holder: [fname, lname].filter((name) => name !== undefined).join(" ") || undefined,
    country,
    addr1,
    addr2,
    city,
    state: country === undefined ? undefined : fullCode(country, customer.state ?? ""),
    zipcode,
    dial: phone.dial,
    phone: phone.phone,
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

function fullCode(country: string, state: string): string | undefined {
  if (!isSubdivision(country, state)) return undefined;
  return Object.hasOwn(subdivisionsOf(country), state) ? state : `${country}-${state}`;
}
