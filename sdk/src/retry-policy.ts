/**
 * What is tried again, and when (Decision 0053).
 *
 * A request goes out twice only if the first one cannot have had an effect
 * that the second would repeat. A request that only reads may be repeated, and so may one that
 * carries an `Idempotency-Key`. Of all others a repetition follows only on a 429, which is said
 * before anything is done.
 */

import { growingMs } from "./wait.ts";
import { retryAfterOf } from "./windward-error.ts";

/** Longer than this nobody is kept waiting: the error says when to come back. */
const RETRY_AFTER_SECONDS_MAX = 60;
const GROWTH = { firstMs: 250, mostMs: 8_000 };
/** Our 503 and what proxies say when they lost our answer: nobody knows what has happened. */
const UNKNOWN = [502, 503, 504];

export interface Repeatable {
  /** It only reads. */
  readonly isReading: boolean;
  /** It carries an `Idempotency-Key` that the service looks at. */
  readonly isKeyed: boolean;
}

/** How long to wait before the next try; undefined: there is none. No response: it was lost. */
export function pauseBeforeRetry(
  response: Pick<Response, "status" | "headers"> | undefined,
  attempt: number,
  request: Repeatable,
): number | undefined {
  if (!isWorthRepeating(response, request)) return undefined;
  const askedSeconds = (response && retryAfterOf(response.headers)) ?? 0;
  if (askedSeconds > RETRY_AFTER_SECONDS_MAX) return undefined;
  return askedSeconds * 1000 + growingMs(attempt, GROWTH);
}

function isWorthRepeating(
  response: Pick<Response, "status" | "headers"> | undefined,
  { isReading, isKeyed }: Repeatable,
): boolean {
  if (response === undefined || UNKNOWN.includes(response.status)) return isReading || isKeyed;
  if (response.status === 429) return true;
  // The first of two with this key is still running. Other conflicts do not pass by waiting.
  return response.status === 409 && isKeyed && retryAfterOf(response.headers) !== undefined;
}
