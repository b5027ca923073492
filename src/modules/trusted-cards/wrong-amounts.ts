/**
 * How often the amount that proved a card may be guessed wrong in a day, over all records of that
 * card (Decision 0043): saving the same number again gives no more guesses.
 *
 * Reading the count locks it, so that guesses at several records are serialised. In live alone: the
 * sandbox shows the amount, and its few cards are shared by everybody.
 */

import { insertAudit } from "../../infra/audit.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import {
  type Count,
  countWithin,
  TooManyAttempts,
  windowKey,
} from "../../infra/http/admit/rate-limiter.ts";
import { DAY_SECONDS } from "../../kit/clock.ts";
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
  const action = "card_guess_limit_reached";
  await insertAudit(tx, { action, accountNumber, actor: "trusted cards", detail: { uuid } });
}

function count(tx: Tx, card: GuessedCard, weight: 0 | 1): Promise<Count> {
  const { accountNumber, environment, fingerprint } = card;
  const subject = `${environment} ${accountNumber} ${fingerprint.toString("hex")}`;
  const key = windowKey("wrong amounts", subject);
  return countWithin(tx, { key, max: WRONG_PER_DAY_MAX, weight }, DAY_SECONDS);
}
