/**
 * What a result says in words: `[<kind>-R<code>]: <sentence>`, the kind being 1 for approved, 2 for
 * refused and 3 for what never came to an answer (Interface §2.5, Decision 0040).
 */

import type { Decided } from "../../gateway/gateway.ts";
import type { AttemptRow } from "./attempt.ts";

export const TIMED_OUT = "[3-R98]: Transaction timed out.";
export const REPLACED = "[3-R97]: Replaced by a newer request.";
export const NOT_KNOWN = "[3-R96]: The outcome of the transaction is not known.";
export const GIVEN_UP = "[2-R17]: The customer went back without paying.";

/** The gateway never saw the order, so no money moved. */
export const NOT_SENT = { code: "92", message: "The card network could not be reached." } as const;

/** The bank asked, and the customer never answered or went away. */
export const NOT_CONFIRMED = {
  code: "98",
  message: "The card's bank had no answer in time.",
} as const;

/** Nothing was sent: the card that was stored does not open any more. */
export const UNUSABLE = { code: "93", message: "The saved card cannot be used." } as const;

export function approvedMessage({ code, message }: Pick<Decided, "code" | "message">): string {
  return `[1-R${code}]: ${message}`;
}

export function declinedMessage({ code, message }: { code: string; message: string }): string {
  return `[2-R${code}]: ${message}`;
}

/** What a session ends with when its last card was declined. */
export function endOf({ outcome_code, message }: AttemptRow): string {
  if (outcome_code === null || message === null) return TIMED_OUT;
  return declinedMessage({ code: outcome_code, message });
}
