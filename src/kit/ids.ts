/** Identifiers we hand out. None of them says anything, and knowing one gives nothing. */

import { randomInt, randomUUID } from "node:crypto";

export function newRequestId(): string {
  return randomUUID();
}

export function newGrantId(): string {
  return randomUUID();
}

/**
 * Ten digits, never beginning with 0, so that the number survives clients that send it as a number.
 */
export function newAccountNumber(): string {
  return String(randomInt(1_000_000_000, 10_000_000_000));
}
