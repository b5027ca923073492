/**
 * Recipes: what each business event does to the books, as pure functions from amounts to transfers
 * (Decision 0023). Nothing is edited later: a reversal is a recipe of its own, and restores every
 * balance. An amount of zero makes no transfer. Callers decide whether and when a recipe applies.
 */

import assert from "node:assert/strict";
import { addMoney, compareMoney, type Money, subtractMoney } from "../../kit/money.ts";
import type { LedgerAccountKind } from "./chart-of-accounts.ts";
import type { Transfer } from "./posting.ts";

interface Merchant {
  readonly accountNumber: string;
}

/** Between accounts of one merchant and the house. */
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
  /** The whole fee, tax included, no matter which side pays it. */
  readonly fee: Money;
  /** The part of the fee that goes to the state. */
  readonly tax: Money;
  /** The customer's total less the fee, under every fee structure. */
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

/** What the customer paid goes back; the fee is not returned. */
export function refundPaid({ amount, ...merchant }: AmountOf) {
  return transfersOf(merchant, [["held", "gateway_clearing", amount]]);
}

export function refundRejected({ amount, ...merchant }: AmountOf) {
  return transfersOf(merchant, [["held", "available", amount]]);
}

export interface DisputedAmount extends AmountOf {
  /** The part that the merchant's balance covers (`lockAvailable`). */
  readonly covered: Money;
}

/** Holds the covered part; nothing else moves yet. */
export function chargebackOpened({ covered, ...merchant }: Omit<DisputedAmount, "amount">) {
  return transfersOf(merchant, [["available", "held", covered]]);
}

/** The card's bank takes the whole amount; the uncovered part is our loss. */
export function chargebackProcessed({ amount, covered, ...merchant }: DisputedAmount) {
  return transfersOf(merchant, [
    ["held", "gateway_clearing", covered],
    ["losses", "gateway_clearing", subtractMoney(amount, covered)],
  ]);
}

export function chargebackReleased({ covered, ...merchant }: Omit<DisputedAmount, "amount">) {
  return transfersOf(merchant, [["held", "available", covered]]);
}

/** A chargeback opened and processed at once. */
export function fraudConfirmed({ amount, covered, ...merchant }: DisputedAmount) {
  return transfersOf(merchant, [
    ["available", "gateway_clearing", covered],
    ["losses", "gateway_clearing", subtractMoney(amount, covered)],
  ]);
}

export interface WithdrawalAmounts extends AmountOf {
  /** On top of the amount, and earned only when the payout is confirmed. */
  readonly fee: Money;
}

export function withdrawalRequested({ amount, fee, ...merchant }: WithdrawalAmounts) {
  return transfersOf(merchant, [
    ["available", "held", amount],
    ["available", "held", fee],
  ]);
}

/** The order was sent to the bank; the fee stays held. */
export function withdrawalSent({ amount, ...merchant }: AmountOf) {
  return transfersOf(merchant, [["held", "payouts_in_transit", amount]]);
}

export function withdrawalCompleted({ amount, fee, ...merchant }: WithdrawalAmounts) {
  return transfersOf(merchant, [
    ["payouts_in_transit", "gateway_clearing", amount],
    ["held", "fee_income", fee],
  ]);
}

/** After it was sent: the bank returns the amount, and the fee is not earned. */
export function withdrawalFailed({ amount, fee, ...merchant }: WithdrawalAmounts) {
  return transfersOf(merchant, [
    ["payouts_in_transit", "available", amount],
    ["held", "available", fee],
  ]);
}

/** The bank stopped the payout: the money is held again as before. */
export function withdrawalStopped({ amount, ...merchant }: AmountOf) {
  return transfersOf(merchant, [["payouts_in_transit", "held", amount]]);
}

/** Before it was sent, by its owner or by a failure. */
export function withdrawalCancelled({ amount, fee, ...merchant }: WithdrawalAmounts) {
  return transfersOf(merchant, [
    ["held", "available", amount],
    ["held", "available", fee],
  ]);
}

/** After it was paid: the bank sends the amount back, and the fee is given back with it. */
export function withdrawalReturned({ amount, fee, ...merchant }: WithdrawalAmounts) {
  return transfersOf(merchant, [
    ["gateway_clearing", "available", amount],
    ["fee_income", "available", fee],
  ]);
}

export function cardCheckCharged({ amount, ...merchant }: AmountOf) {
  return transfersOf(merchant, [["gateway_clearing", "card_checks", amount]]);
}

export function cardCheckReturned({ amount, ...merchant }: AmountOf) {
  return transfersOf(merchant, [["card_checks", "gateway_clearing", amount]]);
}

export interface SettledAmounts extends AmountOf {
  /** What the acquirer keeps of it. */
  readonly fee: Money;
}

/** The acquirer pays a sale out to our bank (Decision 0082). */
export function saleSettled({ amount, fee, ...merchant }: SettledAmounts) {
  return transfersOf(merchant, [
    ["bank", "gateway_clearing", amount],
    ["acquirer_fees", "bank", fee],
  ]);
}

/** The acquirer takes a refund back from our bank. */
export function refundSettled({ amount, fee, ...merchant }: SettledAmounts) {
  return transfersOf(merchant, [
    ["gateway_clearing", "bank", amount],
    ["acquirer_fees", "bank", fee],
  ]);
}

export function fundsOpened({ amount, ...merchant }: AmountOf) {
  return transfersOf(merchant, [["opening_funds", "available", amount]]);
}
