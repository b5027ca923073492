/**
 * What a result says in words: `[<kind>-R<code>]: <sentence>`, the kind being 1 for approved, 2 for
 * refused and 3 for what never came to an answer (Interface §2.5, Decision 0040). A gateway's own
 * words are kept and shown, so they are tidied first.
 */

import { scrub } from "../../../kit/scrub.ts";
import type { SaleOutcome } from "../../gateway/port.ts";
import type { AttemptRow } from "./attempt.ts";

const MESSAGE_MAX = 200;
const CODE = /^[A-Za-z0-9]{1,8}$/;
const NO_CODE = "XX";

export const TIMED_OUT = "[3-R98]: Transaction timed out.";
export const REPLACED = "[3-R97]: Replaced by a newer request.";
export const NOT_KNOWN = "[3-R96]: The outcome of the transaction is not known.";
export const GIVEN_UP = "[2-R17]: The customer went back without paying.";

/** The code in brackets, such as "2-R17": figures are grouped by it. */
export function resultCode(message: string): string {
  return /^\[([^\]]+)\]/.exec(message)?.[1] ?? "none";
}

/** The gateway never saw the order, so no money moved. */
export const NOT_SENT = { code: "92", message: "The card network could not be reached." } as const;

/** The gateway accepts no orders now, and nothing of this one is left there. */
export const NOT_TAKEN = {
  code: "96",
  message: "Cards cannot be charged at the moment. Your card was not charged.",
} as const;

/** The gateway refuses us and not the card: until our settings are mended none is charged. */
export const NO_CARDS = {
  code: "96",
  message: "The payment could not be started. It is not your card, and nothing was charged.",
} as const;

/** The bank asked, and the customer never answered or went away. */
export const NOT_CONFIRMED = {
  code: "98",
  message: "The card's bank had no answer in time.",
} as const;

/** Nothing was sent: the card that was stored does not open any more. */
export const UNUSABLE = { code: "93", message: "The saved card cannot be used." } as const;

interface Said {
  readonly code: string;
  readonly message: string;
}

export function approvedMessage({ code, message }: Said): string {
  return `[1-R${code}]: ${message}`;
}

export function declinedMessage({ code, message }: Said): string {
  return `[2-R${code}]: ${message}`;
}

/** What a session ends with when its last card was declined. */
export function declineMessage({ outcome_code, message }: AttemptRow): string {
  if (outcome_code === null || message === null) return TIMED_OUT;
  return declinedMessage({ code: outcome_code, message });
}

/**
 * One line of at most 200 characters, a code of letters and digits, and no card number, should a
 * gateway repeat one.
 */
export function tidyAnswer(answer: SaleOutcome): SaleOutcome {
  if (answer.outcome === "approved") return { ...answer, message: tidy(answer.message) };
  if (answer.outcome !== "declined") return answer;
  const code = CODE.test(answer.code) ? answer.code : NO_CODE;
  return { ...answer, code, message: tidy(answer.message) };
}

function tidy(message: string): string {
  const line = scrub(message.replace(/[\p{Cc}\s]+/gu, " ").trim());
  return [...line].slice(0, MESSAGE_MAX).join("");
}

/**
 * The kind of an error, for the log. Not its words and not its cause: a gateway's library may have
 * put what it was sent into them, and the security code of a card looks like any three digits.
 */
export function errorKind(error: unknown): string {
  return error instanceof Error ? error.constructor.name : typeof error;
}
