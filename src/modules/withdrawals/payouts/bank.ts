/**
 * The bank as a port, where withdrawals are paid by calls (Decision 0046). The other way to pay is
 * a file for the bank, which needs no port.
 *
 * Every order carries our reference, and the same reference is the same payment, however often it
 * is sent. So a lost answer costs nothing: we ask about the reference, or send the order again. A
 * call is made between two txs, never inside one. A method that throws means an unknown outcome.
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
  /** Where the money goes, as copied when the withdrawal was created. */
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
  /** The bank has the order and has no outcome yet. */
  | { readonly outcome: "unknown" }
  /** An order may still arrive. */
  | { readonly outcome: "never seen" };

export interface Bank {
  pay(order: PayOrder): Promise<PayAnswer>;
  outcomeOf(order: Pick<PayOrder, "reference" | "attempt">): Promise<PayOutcome>;
}

/** Undefined: what is withdrawn there waits for a bank file. */
export type Banks = Readonly<Record<Environment, Bank | undefined>>;
