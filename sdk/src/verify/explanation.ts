/**
 * What the explaining verifier says, as data: the terminal and the page each show it in their way.
 *
 * A mistake is named because undoing it made the digests fit, never because
 * it looked likely; what only looks likely is a note. No secret stands in any of it.
 */

import type { Difference } from "./first-difference.ts";

export interface Mistake {
  readonly code: string;
  /** What happened. */
  readonly says: string;
  /** What to do about it. */
  readonly instead: string;
  /** Between what was signed and what arrived, or was built, where that shows it. */
  readonly difference?: Difference;
}

export interface Step {
  readonly title: string;
  readonly text: string;
}

export interface Explanation {
  readonly verified: boolean;
  readonly summary: string;
  readonly mistakes: readonly Mistake[];
  readonly notes: readonly string[];
  /** How the digests come about. */
  readonly steps: readonly Step[];
  /** How many ways it could have gone wrong were computed. */
  readonly tried: number;
}

/** A part of the message as it may have been; without a mistake, as it was given. */
export interface Guess<T> {
  readonly value: T;
  readonly mistake?: Mistake;
}

export function triedWords({ tried }: Explanation): string {
  return `${tried} ${tried === 1 ? "way" : "ways"} computed.`;
}

export const NOT_FOUND = "not_found";

export function mistake(code: string, says: string, instead: string): Mistake {
  return { code, says, instead };
}

/** `own`: those of the merchant's code, which count once the message itself is right. */
export function summaryOf(mistakes: readonly Mistake[], own: readonly Mistake[] = []): string {
  const [first] = mistakes;
  if (first === undefined)
    return own[0] ? `It verifies; your own code is wrong. ${own[0].says}` : "It verifies.";
  if (first.code === NOT_FOUND) return "It does not verify, and none of the usual mistakes fits.";
  return `It does not verify. ${first.says}`;
}
