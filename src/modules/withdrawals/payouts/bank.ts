/**
 * The bank as a port: what we ask of whoever pays withdrawals when it is told by calls (Decision
 * 0046). The other way to pay is a file for the bank, which needs no port.
 *
 * The rule that matters: every order carries our reference, and the same reference is the same
 * payment, however often it comes. So an answer that is lost costs nothing: we ask about the
 * reference, or send the order again. A call is made between two txs, never inside one. A method
 * that throws means that nobody knows.
 */

import type { Money } from "../../../kit/money.ts";
import type { Environment } from "../../../kit/vocabulary.ts";
import type { PayeeNumbers } from "../payee-numbers.ts";
import type { WithdrawalRow } from "../withdrawal.ts";

export interface PayOrder {
  readonly reference: string;
  /** From 1; a later one comes only when the bank had stopped the one before. */
  readonly attempt: number;
  readonly amount: Money;
  /** Where the money goes, as it was copied when it was asked for. */
  readonly payee: WithdrawalRow;
  readonly numbers: PayeeNumbers;
}

export type PayAnswer =
  | { readonly outcome: "paid" }
  | { readonly outcome: "rejected"; readonly reason: string }
  /** The bank has stopped it, and pays nothing unless a later attempt comes. */
  | { readonly outcome: "held"; readonly reason: string };

export type PayOutcome =
  | PayAnswer
  /** What was held may be sent again. */
  | { readonly outcome: "released" }
  /** The bank has the order and cannot tell yet. */
  | { readonly outcome: "unknown" }
  /** Says nothing of an order that is still on its way. */
  | { readonly outcome: "never seen" };

export interface Bank {
  pay(order: PayOrder): Promise<PayAnswer>;
  outcomeOf(order: Pick<PayOrder, "reference" | "attempt">): Promise<PayOutcome>;
}

/** Undefined: what is withdrawn there waits for a bank file. */
export type Banks = Readonly<Record<Environment, Bank | undefined>>;
