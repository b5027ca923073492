/**
 * Recipes: what each business event does to the books, as pure functions from amounts to transfers
 * (Decision 0023). Nothing is edited later: what is taken back is a recipe of its own.
 *
 * The rule that matters: an amount of zero is no transfer, and each recipe that undoes another
 * leaves every balance where it was. Who may do what, and when, is the business of the callers.
 */

import assert from "node:assert/strict";
import { addMoney, compareMoney, type Money, subtractMoney } from "../../kit/money.ts";
import type { LedgerAccountKind } from "./chart-of-accounts.ts";
import type { Transfer } from "./posting.ts";

interface Merchant {
  readonly accountNumber: string;
}

/** Of one merchant and the house: from, to, how much. */
type Move = readonly [debit: LedgerAccountKind, credit: LedgerAccountKind, amount: Money];

function transfersOf({ accountNumber }: Merchant, moves: readonly Move[]): Transfer[] {
  return moves.flatMap(([debit, credit, amount]) => {
    assert(amount.minor >= 0n, `a transfer of ${amount.minor} ${amount.currency}`);
    if (amount.minor === 0n) return [];
    return [
      { debit: { kind: debit, accountNumber }, credit: { kind: credit, accountNumber }, amount },
    ];
  });
}

export interface PaymentAmounts extends Merchant {
  /** What the customer paid. */
  readonly customerTotal: Money;
  /** All of what is taken, whoever bears it, tax included. */
  readonly fee: Money;
  /** The part of the fee that is the state's. */
  readonly tax: Money;
  /** What the merchant gets: the customer's total less the fee, under every fee structure. */
  readonly net: Money;
}

export function paymentApproved({ customerTotal, fee, tax, net, ...merchant }: PaymentAmounts) {
  assert(compareMoney(addMoney(fee, net), customerTotal) === 0, "fee and net make the total");
  return transfersOf(merchant, [
    ["gateway_clearing", "available", net],
    ["gateway_clearing", "fee_income", subtractMoney(fee, tax)],
    ["gateway_clearing", "tax", tax],
  ]);
}

export interface AmountOf extends Merchant {
  readonly amount: Money;
}

export function refundRequested({ amount, ...merchant }: AmountOf) {
  return transfersOf(merchant, [["available", "held", amount]]);
}

/** The fee stays: only what the customer paid goes back. */
export function refundPaid({ amount, ...merchant }: AmountOf) {
  return transfersOf(merchant, [["held", "gateway_clearing", amount]]);
}

export function refundRejected({ amount, ...merchant }: AmountOf) {
  return transfersOf(merchant, [["held", "available", amount]]);
}

export interface DisputedAmount extends AmountOf {
  /** What the merchant had of it: all, part or nothing (`lockAvailable`). */
  readonly covered: Money;
}

/** Holds what the merchant has of the disputed amount; nothing else moves yet. */
export function chargebackOpened({ covered, ...merchant }: Omit<DisputedAmount, "amount">) {
  return transfersOf(merchant, [["available", "held", covered]]);
}

/** The card's bank takes the whole amount; what the merchant could not cover is our loss. */
export function chargebackProcessed({ amount, covered, ...merchant }: DisputedAmount) {
  return transfersOf(merchant, [
    ["held", "gateway_clearing", covered],
    ["losses", "gateway_clearing", subtractMoney(amount, covered)],
  ]);
}

export function chargebackReleased({ covered, ...merchant }: Omit<DisputedAmount, "amount">) {
  return transfersOf(merchant, [["held", "available", covered]]);
}

/** As a chargeback that is opened and processed at once. */
export function fraudConfirmed({ amount, covered, ...merchant }: DisputedAmount) {
  return transfersOf(merchant, [
    ["available", "gateway_clearing", covered],
    ["losses", "gateway_clearing", subtractMoney(amount, covered)],
  ]);
}

export interface WithdrawalAmounts extends AmountOf {
  /** Taken beside the amount, and earned only when the money has arrived. */
  readonly fee: Money;
}

export function withdrawalRequested({ amount, fee, ...merchant }: WithdrawalAmounts) {
  return transfersOf(merchant, [
    ["available", "held", amount],
    ["available", "held", fee],
  ]);
}

/** The bank has been told; the fee stays held. */
export function withdrawalSent({ amount, ...merchant }: AmountOf) {
  return transfersOf(merchant, [["held", "payouts_in_transit", amount]]);
}

export function withdrawalCompleted({ amount, fee, ...merchant }: WithdrawalAmounts) {
  return transfersOf(merchant, [
    ["payouts_in_transit", "gateway_clearing", amount],
    ["held", "fee_income", fee],
  ]);
}

/** After it was sent: the bank gives the amount back, and the fee is not earned. */
export function withdrawalFailed({ amount, fee, ...merchant }: WithdrawalAmounts) {
  return transfersOf(merchant, [
    ["payouts_in_transit", "available", amount],
    ["held", "available", fee],
  ]);
}

/** The bank has stopped what it was told: the money waits again as it did before. */
export function withdrawalStopped({ amount, ...merchant }: AmountOf) {
  return transfersOf(merchant, [["payouts_in_transit", "held", amount]]);
}

/** Before it was sent, whether its owner or its failure ended it. */
export function withdrawalCancelled({ amount, fee, ...merchant }: WithdrawalAmounts) {
  return transfersOf(merchant, [
    ["held", "available", amount],
    ["held", "available", fee],
  ]);
}

export function cardCheckCharged({ amount, ...merchant }: AmountOf) {
  return transfersOf(merchant, [["gateway_clearing", "card_checks", amount]]);
}

export function cardCheckReturned({ amount, ...merchant }: AmountOf) {
  return transfersOf(merchant, [["card_checks", "gateway_clearing", amount]]);
}

export function fundsOpened({ amount, ...merchant }: AmountOf) {
  return transfersOf(merchant, [["opening_funds", "available", amount]]);
}
