/**
 * How often the amount that proved a card may be guessed wrong in a day, whichever of its records
 * was guessed at (Decision 0043): who saves the same number again and again has no more guesses.
 *
 * What must hold: whoever looks holds the count, so that many at once, each at a record of
 * its own, guess one after the other. In live alone: the sandbox tells the amount, and everybody
 * tries its few cards.
 */

import { insertAudit } from "../../infra/audit.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import {
  type Count,
  countInDay,
  TooManyAttempts,
  windowKey,
} from "../../infra/http/admit/rate-limiter.ts";
import type { Environment } from "../../kit/vocabulary.ts";

/** Those of two records. */
const WRONG_PER_DAY_MAX = 6;

export interface GuessedCard {
  readonly accountNumber: string;
  readonly environment: Environment;
  readonly fingerprint: Buffer;
}

/** How long until it may be guessed again; undefined: it may. */
export async function secondsUntilGuess(tx: Tx, card: GuessedCard): Promise<number | undefined> {
  if (card.environment !== "live") return undefined;
  const { remaining, retryAfterSeconds } = await count(tx, card, 0);
  return remaining > 0 ? undefined : retryAfterSeconds;
}

/** Before the amount is compared, so that the answer says nothing of it. */
export async function demandGuess(tx: Tx, card: GuessedCard): Promise<void> {
  const seconds = await secondsUntilGuess(tx, card);
  if (seconds !== undefined) throw new TooManyAttempts(seconds);
}

/** The one that fills the count is audited. */
export async function countWrongAmount(
  tx: Tx,
  card: GuessedCard,
  { uuid }: { uuid: string },
): Promise<void> {
  if (card.environment !== "live") return;
  const { remaining } = await count(tx, card, 1);
  if (remaining > 0) return;
  const { accountNumber } = card;
  await insertAudit(tx, {
    action: "card_guess_limit_reached",
    accountNumber,
    actor: "trusted cards",
    detail: { uuid },
  });
}

function count(tx: Tx, card: GuessedCard, weight: 0 | 1): Promise<Count> {
  const { accountNumber, environment, fingerprint } = card;
  const subject = `${environment} ${accountNumber} ${fingerprint.toString("hex")}`;
  const key = windowKey("wrong amounts", subject);
  return countInDay(tx, { key, max: WRONG_PER_DAY_MAX, weight });
}
