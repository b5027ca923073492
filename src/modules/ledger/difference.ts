/** A difference found in the books, and its description in one line. */

import { formatMoney, type Money } from "../../kit/money.ts";
import type { BrokenLink } from "./walk-chains.ts";

/** Enough to see what happened, even if everything differs. */
export const DIFFERENCES_SHOWN_MAX = 20;

/** A balance that is not what its transfers add up to. */
export interface WrongBalance {
  /** A ledger account by its name, or all accounts of an environment and currency together. */
  readonly where: string;
  /** What the transfers add up to; zero for a whole currency. */
  readonly expected: Money;
  /** What the books say. */
  readonly found: Money;
  /** The first broken link of the account's chain, if there is one. */
  readonly brokenLink?: BrokenLink;
}

/** Rows that do not match. */
export interface Mismatch {
  /** A posting or a transaction by its id, or a ledger account by its name. */
  readonly where: string;
  readonly words: string;
}

export type Difference = WrongBalance | Mismatch;

/** One line for the log or a terminal. */
export function describeDifference(difference: Difference): string {
  if ("words" in difference) return `${difference.where}: ${difference.words}`;
  const { where, expected, found } = difference;
  const words = `${where}: ${formatMoney(expected)} expected, ${formatMoney(found)} found`;
  const broken = brokenAt(difference);
  return broken === undefined ? words : `${words}, ${broken}`;
}

/** Where the chain of a balance breaks. */
function brokenAt({ brokenLink }: WrongBalance): string | undefined {
  if (brokenLink === undefined) return undefined;
  const { postingId, leg, entry } = brokenLink;
  return `broken at entry ${entry} (posting ${postingId}, leg ${leg})`;
}

/** As text and JSON: `what` is all but the place and the amounts. */
export function viewDifference(difference: Difference) {
  const { where } = difference;
  const words = describeDifference(difference);
  if ("words" in difference) {
    const none = { currency: null, expected: null, found: null, broken_link: null };
    return { where, words, what: difference.words, ...none };
  }
  const { expected, found, brokenLink } = difference;
  return {
    where,
    words,
    what: brokenAt(difference) ?? null,
    currency: expected.currency,
    expected: formatMoney(expected),
    found: formatMoney(found),
    broken_link:
      brokenLink === undefined
        ? null
        : { posting_id: brokenLink.postingId, leg: brokenLink.leg, entry: brokenLink.entry },
  };
}

export type DifferenceView = ReturnType<typeof viewDifference>;

/** How many there are, and the first of them. */
export interface Differences {
  readonly count: number;
  readonly first: readonly Difference[];
}
