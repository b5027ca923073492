/**
 * The chart of accounts: every place where money can be (Decision 0023).
 *
 * A merchant has two of each environment and currency: what may be spent, and what is held for
 * something under way. The house has the others, each in ten rows by the last digit of the merchant
 * it deals with, so that no row is locked by every payment. Credits add and debits take away: what
 * we owe stands above zero, what is owed to us below it. Rows are made when they are first needed.
 */

import type { Currency } from "../../kit/money.ts";
import type { Environment } from "../../kit/vocabulary.ts";

export const MERCHANT_KINDS = ["available", "held"] as const;

export type LedgerAccountKind =
  | (typeof MERCHANT_KINDS)[number]
  /** What the gateway and the bank behind it have for us: below zero while they do. */
  | "gateway_clearing"
  /** What we have earned. */
  | "fee_income"
  /** What we have taken for the state. */
  | "tax"
  /** Payouts that the bank has been told of and has not confirmed. */
  | "payouts_in_transit"
  /** Small amounts that prove a card, and go back to whoever holds it. */
  | "card_checks"
  /** Where the money of the development world comes from. */
  | "opening_funds"
  /** What was taken back from us and could not be taken back from a merchant. */
  | "losses";

/** The environment comes from the posting, the currency from the amount that moves. */
export interface LedgerAccount {
  readonly kind: LedgerAccountKind;
  /** Whose it is; of a house account, whose business it is about. */
  readonly accountNumber: string;
}

/** As the database knows it. Sorted, names are the order in which balances are locked. */
export function ledgerAccountName(
  { kind, accountNumber }: LedgerAccount,
  book: { environment: Environment; currency: Currency },
): string {
  const isMerchants = (MERCHANT_KINDS as readonly string[]).includes(kind);
  const holder = isMerchants ? accountNumber : accountNumber.slice(-1);
  return `${book.environment} ${book.currency} ${kind} ${holder}`;
}
