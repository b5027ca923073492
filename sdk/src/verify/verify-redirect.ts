/**
 * Checks what a customer's browser brought back, before anything is delivered: strictly, for use in
 * a shop's server. `explain-redirect.ts` tells why one is refused.
 *
 * The `signature` decides, because it covers the status, the order and all
 * else of ours. The MD5 `hash` covers neither; it is checked besides when its key is given.
 *
 * A good signature says that we said it, not that it is about your order: anybody may ask for a
 * payment in your name, with your `order_id` and a smaller total. `transactionId` settles that.
 */

import { isSameText, toHex, utf8 } from "./bytes.ts";
import { hmac } from "./digests.ts";
import type { Pair } from "./form-text.ts";
import {
  hashOf,
  type RedirectInput,
  readPairs,
  repeatedName,
  signedText,
} from "./redirect-parameters.ts";
import { VerificationError } from "./verification-error.ts";

export interface RedirectChecks {
  /** `signing_secret` of `GET /user/payment-key`, of the environment that was paid in. */
  readonly signingSecret: string;
  /** `hash_key` of the same answer: `hash` is checked as well. Needs `requestedTotal`. */
  readonly hashKey?: string;
  /** What you asked for, with two decimals; not `total`, which is what the customer pays. */
  readonly requestedTotal?: string;
  /** What your own request was answered with: settles the order, the total and the currency. */
  readonly transactionId?: string;
  /** The order that you expect here; another payment may have been asked for under its name. */
  readonly orderId?: string;
  /** The currency that you asked for. */
  readonly currency?: string;
  /** Refuses a result whose `date` is longer ago. */
  readonly maxAgeSeconds?: number;
  readonly now?: Date;
}

export interface VerifiedRedirect {
  readonly status: "success" | "failed" | "error";
  /** Empty when the request was refused before there was a transaction. */
  readonly transactionId: string;
  readonly message: string;
  readonly orderId?: string;
  /** What the customer paid. */
  readonly total?: string;
  readonly currency?: string;
  readonly date?: Date;
  /** Such as `visa **** 1111`; empty when none was used. */
  readonly card?: string;
  readonly data?: string;
  /** Of the card that was saved. */
  readonly uuid?: string;
}

const TWO_DECIMALS = /^(0|[1-9]\d*)\.\d{2}$/;
const CHECKS = [
  "hashKey",
  "requestedTotal",
  "transactionId",
  "orderId",
  "currency",
  "maxAgeSeconds",
] as const;

/** Throws a `VerificationError` unless everything is right. */
export async function verifyRedirect(
  redirect: RedirectInput,
  checks: RedirectChecks,
): Promise<VerifiedRedirect> {
  checkChecks(checks);
  const pairs = readPairs(redirect);
  const repeated = repeatedName(pairs);
  // Parsers differ in which of two they believe, and we send each name once.
  if (repeated !== undefined)
    throw new VerificationError("repeated_parameter", `${repeated} is there twice.`);
  const values = new Map(pairs);
  await checkSignature(pairs, values.get("signature"), checks);
  checkHash(values, checks);
  const result = resultOf(values);
  checkExpected(result, checks);
  checkAge(result, checks);
  return result;
}

/** What cannot be checked must not pass for checked: a lost session expects `undefined`. */
function checkChecks(checks: RedirectChecks): void {
  for (const name of CHECKS)
    if (name in checks && (checks[name] ?? "") === "")
      throw new VerificationError("missing_expectation", `${name} is to be checked, and is empty.`);
  const { hashKey, requestedTotal } = checks;
  if (requestedTotal !== undefined && hashKey === undefined) {
    const words = "The requested total is checked by the hash: give the hash key, too.";
    throw new VerificationError("malformed_key", words);
  }
  if (hashKey === undefined || TWO_DECIMALS.test(requestedTotal ?? "")) return;
  const words = 'Give the requested total with two decimals, such as "10.00".';
  throw new VerificationError("malformed_total", words);
}

async function checkSignature(
  pairs: readonly Pair[],
  given: string | undefined,
  { signingSecret }: RedirectChecks,
): Promise<void> {
  if (typeof signingSecret !== "string" || signingSecret === "")
    throw new VerificationError("malformed_key", "The signing secret is empty.");
  if (given === undefined)
    throw new VerificationError("missing_signature", "There is no signature.");
  const expected = toHex(await hmac(utf8(signingSecret), utf8(signedText(pairs))));
  if (!isSameText(given, expected))
    throw new VerificationError("wrong_signature", "The signature does not fit.");
}

function checkHash(
  values: ReadonlyMap<string, string>,
  { hashKey, requestedTotal }: RedirectChecks,
): void {
  const hash = values.get("hash");
  if (values.get("status") !== "success") {
    if (hash === undefined) return;
    throw new VerificationError("unexpected_hash", "Only a success carries a hash.");
  }
  if (hashKey === undefined) return;
  // Such as that of a saved card, which nobody paid anything for.
  if (!values.has("order_id"))
    throw new VerificationError("wrong_order", "This is the result of no order.");
  if (hash === undefined) throw new VerificationError("missing_hash", "There is no hash.");
  const expected = hashOf(values.get("transaction_id") ?? "", requestedTotal ?? "", hashKey);
  if (!isSameText(hash, expected))
    throw new VerificationError("wrong_hash", "The hash does not fit.");
}

function resultOf(values: ReadonlyMap<string, string>): VerifiedRedirect {
  const status = values.get("status");
  if (status !== "success" && status !== "failed" && status !== "error")
    throw new VerificationError("missing_parameter", "There is no status that is known.");
  const date = values.get("date");
  const named = (name: string, as: string) => {
    const value = values.get(name);
    return value === undefined ? {} : { [as]: value };
  };
  return {
    status,
    transactionId: values.get("transaction_id") ?? "",
    message: values.get("message") ?? "",
    ...named("order_id", "orderId"),
    ...named("total", "total"),
    ...named("currency", "currency"),
    ...named("card", "card"),
    ...named("data", "data"),
    ...named("uuid", "uuid"),
    ...(date === undefined ? {} : { date: new Date(date) }),
  };
}

function checkExpected(
  { transactionId, orderId, currency }: VerifiedRedirect,
  expected: RedirectChecks,
): void {
  if (expected.transactionId !== undefined && transactionId !== expected.transactionId)
    throw new VerificationError("wrong_transaction", "This is the result of another payment.");
  if (expected.orderId !== undefined && orderId !== expected.orderId)
    throw new VerificationError("wrong_order", "This is the result of another order.");
  if (expected.currency !== undefined && currency !== expected.currency)
    throw new VerificationError("wrong_currency", "This was paid in another currency.");
}

function checkAge(
  { date }: VerifiedRedirect,
  { maxAgeSeconds, now = new Date() }: RedirectChecks,
): void {
  if (maxAgeSeconds === undefined) return;
  const age = date === undefined ? Number.NaN : (now.getTime() - date.getTime()) / 1000;
  if (!(age <= maxAgeSeconds))
    throw new VerificationError("too_old", "The result is older than it may be.");
}
