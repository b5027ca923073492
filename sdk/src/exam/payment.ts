/**
 * The payment of an order, as `GET /transactions/{id}` shows it and events carry it. Where the
 * service knows a request for the order it is that record, so that a shop finds the transaction id
 * that it stored; else one is made up, with the same fields.
 */

import { randomBytes, randomUUID } from "node:crypto";
import type { Json } from "../tool/api.ts";
import type { ExamOrder } from "./orders.ts";

export interface Payment {
  /** Whether the shop got this transaction id from the service, and can compare it. */
  readonly isKnown: boolean;
  readonly record: Record<string, Json>;
}

/** What a case is about: an order of the shop, and its payment. */
export interface Assignment {
  readonly order: ExamOrder;
  readonly payment: Payment;
}

export interface Account {
  readonly accountNumber: string;
  readonly countryCode: string;
}

/** Crockford's base 32, as in the service's ids. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CURRENCIES: Readonly<Record<string, string>> = {
  BB: "BBD",
  GD: "XCD",
  GY: "GYD",
  JM: "JMD",
  TT: "TTD",
};
const APPROVED = "[1-R00]: Transaction is approved.";

export function knownPayment(record: Record<string, Json>): Payment {
  return { isKnown: true, record };
}

export function madeUpPayment({ id, total }: ExamOrder, { countryCode }: Account): Payment {
  const record = {
    transaction_id: newTransactionId(countryCode),
    order_id: id,
    environment: "sandbox",
    country_code: countryCode,
    currency: CURRENCIES[countryCode] ?? "TTD",
    total,
    customer_total: total,
    fee: "0.00",
    net: total,
    fee_structure: "merchant_absorb",
    method: "credit_card_co",
    origin: "exam",
    status: "incomplete",
    status_desc: "Normal",
    message: null,
    card: null,
    checks: { avs: null, cvv: null },
    customer: {},
    data: "",
    language: null,
    description: null,
    items: null,
    payment_link: null,
    link_reference: null,
    refunded_total: "0.00",
    created_at: new Date().toISOString(),
    finalised_at: null,
  };
  return { isKnown: false, record };
}

/** Another payment of the same order, for less: what anybody may request and pay. */
export function otherPayment({ record }: Payment, total: string): Payment {
  const transaction_id = newTransactionId(record.country_code);
  const paid = { total, customer_total: total, net: total, fee: "0.00" };
  return { isKnown: false, record: { ...record, transaction_id, ...paid } };
}

/**
 * The customer's name has letters beyond ASCII, as names do: bodies with them come out otherwise
 * from nearly every program that parses them and writes them anew.
 */
export function paid({ record }: Payment): Record<string, Json> {
  return {
    ...record,
    status: "success",
    status_desc: "Normal",
    message: APPROVED,
    card: "visa **** 1111",
    customer: { email: "zoe@example.com", ...record.customer, fname: "Zoë", lname: "Désirée" },
    finalised_at: new Date().toISOString(),
  };
}

export function refunded(payment: Payment): Record<string, Json> {
  const record = paid(payment);
  return { ...record, status_desc: "Refunded", refunded_total: record.customer_total };
}

export function chargedBack(payment: Payment): Record<string, Json> {
  return { ...paid(payment), status_desc: "Chargeback Pending" };
}

function newTransactionId(countryCode: string): string {
  let time = Date.now();
  let text = "";
  for (let at = 0; at < 10; at += 1) {
    text = `${LETTERS[time % 32]}${text}`;
    time = Math.floor(time / 32);
  }
  const rest = Array.from(randomBytes(16), (byte) => LETTERS[byte % 32]).join("");
  return `SB-${countryCode}-${text}${rest}`;
}

/** Version 7, as the ids of events are: the milliseconds, then chance. */
export function newEventId(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
