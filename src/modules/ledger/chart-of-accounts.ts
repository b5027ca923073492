/**
 * The chart of accounts: where money can be (Decision 0023).
 *
 * A merchant has two for each environment and currency: available, and held for something in
 * progress. The house has the others, each in ten rows by the last digit of the merchant's number,
 * so that no row is locked by every payment. Credits add and debits subtract: what we owe is above
 * zero, what is owed to us below it. Rows are created when they are first needed.
 */

import type { Currency } from "../../kit/money.ts";
import type { Environment } from "../../kit/vocabulary.ts";

export const MERCHANT_KINDS = ["available", "held"] as const;

export type LedgerAccountKind =
  | (typeof MERCHANT_KINDS)[number]
  /** What the gateway and its bank hold for us, as a negative balance. */
  | "gateway_clearing"
  /** What the acquirer has paid out to our bank, as a negative balance (Decision 0082). */
  | "bank"
  /** What the acquirer has kept for itself. */
  | "acquirer_fees"
  /** What we have earned. */
  | "fee_income"
  /** What we have collected for the state. */
  | "tax"
  /** Payouts that were sent to the bank and are not confirmed. */
  | "payouts_in_transit"
  /** Small amounts that prove a card and are refunded to its holder. */
  | "card_checks"
  /** The source of the demo world's money. */
  | "opening_funds"
  /** What was charged back to us and could not be recovered from a merchant. */
  | "losses";

/** The environment comes from the posting, the currency from the amount that moves. */
export interface LedgerAccount {
  readonly kind: LedgerAccountKind;
  /** The owner; of a house account, the merchant that the transfer concerns. */
  readonly accountNumber: string;
}

/** The name in the database. Balances are locked in the order of names. */
export function ledgerAccountName(
  { kind, accountNumber }: LedgerAccount,
  book: { environment: Environment; currency: Currency },
): string {
  const isMerchants = (MERCHANT_KINDS as readonly string[]).includes(kind);
  const holder = isMerchants ? accountNumber : accountNumber.slice(-1);
  return `${book.environment} ${book.currency} ${kind} ${holder}`;
}
