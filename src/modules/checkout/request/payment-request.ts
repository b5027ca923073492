/**
 * A payment request that has been read: what is to be recorded, and the digest by which the same
 * request is recognised when it is sent again (Decision 0077).
 */

import type { Config } from "../../../infra/config.ts";
import type { CardNetwork } from "../../../kit/card-network.ts";
import { money } from "../../../kit/money.ts";
import { derivedKey, keyedDigest, type SecretKey, sameBytes } from "../../../kit/secrets.ts";
import { isPayable } from "../../platforms/fee-quote.ts";
import type { OwnTerms } from "../../platforms/own-terms.ts";
import type { NewTransaction } from "../../transactions/new-transaction.ts";
import { eachDetail } from "../../transactions/payment-details.ts";
import { CUSTOMER_FIELDS, type Customer } from "../../transactions/transaction.ts";
import type { PurposeName } from "../session/session.ts";
import type { RequestValues } from "./request-fields.ts";

type Peppers = Pick<Config, "tokenPeppers">;

/** What distinguishes requests: values by the names of their fields. */
export type RequestWords = Readonly<Record<string, unknown>>;

export interface PaymentRequest {
  readonly purpose: Extract<PurposeName, "payment" | "charge" | "link">;
  readonly transaction: NewTransaction;
  /** The customer's, for the rule that it is not the merchant's; absent, the page asks for it. */
  readonly email: string | undefined;
  readonly responseUrl: string;
  readonly isAvs: boolean;
  readonly cardType: CardNetwork | undefined;
  readonly words: RequestWords;
}

export function paymentRequestOf(values: RequestValues): PaymentRequest {
  // Without its signature: a shop that starts to sign, or signs with a new secret, sends the same
  // request, and the digests of open payments must not change.
  const { signature: _, ...words } = values;
  const { language, description, items } = values;
  return {
    purpose: "payment",
    transaction: {
      accountNumber: values.account_number,
      environment: values.environment,
      countryCode: values.country_code,
      total: money(values.currency, values.total),
      feeStructure: values.fee_structure,
      orderId: values.order_id,
      checkoutMethod: values.method,
      origin: values.origin,
      customer: customerOf(values),
      details: eachDetail((name) => values[name]),
      order: { language, description, items },
    },
    email: values.email,
    responseUrl: values.response_url,
    isAvs: values.avs,
    cardType: values.card_type,
    words,
  };
}

/** With the terms of the account that is paid (Decision 0129). */
export function withTerms(request: PaymentRequest, own: OwnTerms): PaymentRequest {
  return { ...request, transaction: { ...request.transaction, own } };
}

/** Whether its account may be paid as much or as little as that. */
export function isWithinLimits({ transaction: { total, own } }: PaymentRequest): boolean {
  return isPayable(total, own);
}

/** One order, in locks and queues. */
export function orderKey(
  order: Pick<NewTransaction, "accountNumber" | "environment" | "orderId">,
): string {
  return `order ${order.accountNumber} ${order.environment} ${order.orderId}`;
}

/** With a key: a request may hold an address, and a plain digest of that can be guessed at. */
export function requestDigest({ tokenPeppers }: Peppers, words: RequestWords): Buffer {
  return digestUnder(tokenPeppers.current, canonical(words));
}

/** Whether it is the digest of this request, under any pepper and in either form. */
export function isDigestOf(
  { tokenPeppers }: Peppers,
  { words, purpose }: Pick<PaymentRequest, "words" | "purpose">,
  digest: Buffer,
): boolean {
  const names = BY_POSITION[purpose];
  const texts = [canonical(words), ...(names ? [canonicalByPosition(words, names)] : [])];
  return tokenPeppers.all.some((pepper) =>
    texts.some((text) => sameBytes(digestUnder(pepper, text), digest)),
  );
}

function digestUnder(pepper: SecretKey, text: string): Buffer {
  return keyedDigest(derivedKey(pepper, "payment request"), text);
}

/**
 * The fields that are there, by name, in the order of their names. Absent, empty and false are the
 * same, so that a field which a later release adds changes no digest of a request without it.
 */
function canonical(words: RequestWords): string {
  const present = Object.entries(words).filter(([, value]) => value !== false && textOf(value));
  const named = present.map(([name, value]) => [name, textOf(value)] as const);
  return JSON.stringify(named.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function canonicalByPosition(words: RequestWords, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => textOf(words[name])));
}

/** Items are a list of objects, which are read in one spelling and with one order of keys. */
function textOf(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
}

/**
 * Until November 2026 the digest was of the values by position, in this order. Payments that were
 * open when a service was upgraded are recognised by it; no field is ever added here.
 */
const BY_POSITION: Partial<Readonly<Record<PaymentRequest["purpose"], readonly string[]>>> = {
  payment: [
    ...["account_number", "country_code", "currency", "environment", "fee_structure", "method"],
    ...["order_id", "origin", "response_url", "total", "email", "data", "version", "fname"],
    ...["lname", "name", "addr1", "addr2", "city", "state", "zipcode", "country", "phone", "avs"],
    "card_type",
  ],
  charge: [
    ...["card_uuid", "currency", "fee_structure", "order_id", "response_url", "total", "origin"],
    ...["data", "email"],
  ],
};

function customerOf(values: RequestValues): Customer {
  const { fname, lname } = values.fname === undefined ? splitName(values.name) : values;
  const known = { ...values, fname, lname };
  const given = CUSTOMER_FIELDS.filter((name) => known[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, known[name]]));
}

/** At the last space; one word alone is the first name. */
function splitName(name: string | undefined): { fname?: string; lname?: string } {
  const whole = name?.trim() ?? "";
  const at = whole.lastIndexOf(" ");
  if (whole === "") return {};
  if (at === -1) return { fname: whole };
  return { fname: whole.slice(0, at).trimEnd(), lname: whole.slice(at + 1) };
}
