/**
 * A posting: transfers that happen together or not at all, under an id that its caller chooses. A
 * transfer has one debit side, one credit side and one positive amount, so it cannot be unbalanced
 * (Decision 0024).
 */

import assert from "node:assert/strict";
import { fixedRefusal } from "../../kit/errors.ts";
import type { Money } from "../../kit/money.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { type LedgerAccount, ledgerAccountName } from "./chart-of-accounts.ts";

export interface Transfer {
  /** Gives the amount. */
  readonly debit: LedgerAccount;
  /** Gets it. */
  readonly credit: LedgerAccount;
  readonly amount: Money;
}

export interface Posting {
  /**
   * Derived from the record and the occasion, never random: a retry after a lost answer must have
   * the same id. 1 to 128 characters.
   */
  readonly postingId: string;
  readonly environment: Environment;
  /** What happened, as in `refund_requested`. */
  readonly occasion: string;
  /** The record it belongs to, as in a `transaction_id`. */
  readonly reference: string;
  readonly transfers: readonly Transfer[];
}

/** `repeated`: it was posted before, with the same content; nothing moved this time. */
export type PostOutcome = "posted" | "repeated";

/** A merchant's balance would fall below zero. Nothing of the posting has happened. */
export class InsufficientFunds extends fixedRefusal("insufficient_funds") {}

/** Our mistake: two different postings have one id. */
export class PostingIdReused extends Error {
  constructor({ environment, postingId }: Posting) {
    super(`the ${environment} posting ${postingId} exists with other content`);
  }
}

/** A transfer with its accounts by name. */
export interface Leg {
  readonly debit: string;
  readonly credit: string;
  readonly currency: string;
  readonly amountMinor: bigint;
}

export function legsOf({ environment, transfers, postingId }: Posting): Leg[] {
  assert(transfers.length > 0, `the posting ${postingId} moves nothing`);
  return transfers.map(({ debit, credit, amount }) => {
    const book = { environment, currency: amount.currency };
    const leg = {
      debit: ledgerAccountName(debit, book),
      credit: ledgerAccountName(credit, book),
      currency: amount.currency,
      amountMinor: amount.minor,
    };
    assert(leg.amountMinor > 0n, `the posting ${postingId} moves ${leg.amountMinor}`);
    assert(leg.debit !== leg.credit, `the posting ${postingId} moves money to where it was`);
    return leg;
  });
}
