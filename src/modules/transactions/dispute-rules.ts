/**
 * When the bank of a card can dispute a payment (Decision 0030): said once, for the use cases and
 * for what a simulation offers.
 */

import { isZero } from "../../kit/money.ts";
import { leftOf, type PaidRow } from "./refund.ts";

export function mayOpenChargeback(paid: PaidRow): boolean {
  return whyNoChargeback(paid) === undefined;
}

export function mayConfirmFraud(paid: PaidRow): boolean {
  return whyNoFraud(paid) === undefined;
}

/** Undefined: one can be opened. */
export function whyNoChargeback(paid: PaidRow): string | undefined {
  if (paid.status !== "success") return notPaid(paid);
  if (/^(Chargeback|Fraud)/.test(paid.status_desc))
    return `A chargeback cannot be opened: the transaction is ${paid.status_desc}.`;
  if (isZero(leftOf(paid)))
    return "A chargeback cannot be opened: all that was paid is refunded or being refunded.";
  return undefined;
}

/** Undefined: it can be confirmed. */
export function whyNoFraud(paid: PaidRow): string | undefined {
  if (paid.status !== "success") return notPaid(paid);
  if (paid.status_desc === "Chargeback Processed" || paid.status_desc === "Fraud Confirmed")
    return `Fraud cannot be confirmed: the transaction is ${paid.status_desc}.`;
  // Rejected later, it would leave the merchant money that could not be taken back any more.
  if (paid.refund_pending_minor > 0n)
    return "Fraud cannot be confirmed while a refund is under way.";
  return undefined;
}

function notPaid({ status }: PaidRow): string {
  return `The transaction was not paid: it is ${status}.`;
}
