/**
 * How often the amount that proved a card may be guessed wrong in a day, whichever of its records
 * was guessed at (Decision 0043): who saves the same number again and again has no more guesses.
 *
 * The rule that matters: whoever looks holds the count until its tx ends, so that many at once,
 * each at a record of its own, guess one after the other. In live alone: the sandbox tells the
 * amount, and everybody tries its few cards.
 */

import { recordAudit } from "../../infra/audit.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { TooManyAttempts, windowKey } from "../../infra/http/rate-limiter.ts";
import { DAY_SECONDS, SECOND_MS } from "../../kit/clock.ts";
import type { Environment } from "../../kit/vocabulary.ts";

/** Those of two records. */
const WRONG_PER_DAY_MAX = 6;
const DAY_MS = DAY_SECONDS * SECOND_MS;
const STEP_MS = 60 * SECOND_MS;

export interface GuessedCard {
  readonly accountNumber: string;
  readonly environment: Environment;
  readonly fingerprint: Buffer;
}

interface Taken {
  readonly remaining: number;
  readonly retry_after_ms: bigint;
}

/** How long until it may be guessed again; undefined: it may. */
export async function secondsUntilGuess(tx: Tx, card: GuessedCard): Promise<number | undefined> {
  if (card.environment !== "live") return undefined;
  const { remaining, retry_after_ms } = await take(tx, card, 0);
  return remaining > 0 ? undefined : Math.max(1, Math.ceil(Number(retry_after_ms) / SECOND_MS));
}

/** Before the amount is compared, so that the answer says nothing of it. */
export async function demandGuess(tx: Tx, card: GuessedCard): Promise<void> {
  const seconds = await secondsUntilGuess(tx, card);
  if (seconds !== undefined) throw new TooManyAttempts(seconds);
}

/** The one that fills the count is told to whoever watches. */
export async function countWrongAmount(
  tx: Tx,
  card: GuessedCard,
  { uuid }: { uuid: string },
): Promise<void> {
  if (card.environment !== "live") return;
  const { remaining } = await take(tx, card, 1);
  if (remaining > 0) return;
  const { accountNumber } = card;
  await recordAudit(tx, {
    action: "card_guess_limit_reached",
    accountNumber,
    actor: "trusted cards",
    detail: { uuid },
  });
}

function take(tx: Tx, card: GuessedCard, hits: 0 | 1): Promise<Taken> {
  const { accountNumber, environment, fingerprint } = card;
  const subject = `${environment} ${accountNumber} ${fingerprint.toString("hex")}`;
  const key = windowKey("wrong amounts", subject);
  return tx.one<Taken & Record<string, unknown>>(sql`
    select remaining, retry_after_ms
    from take_rate_limit(${key}, ${WRONG_PER_DAY_MAX}, ${DAY_MS}, ${STEP_MS}, ${hits})`);
}
