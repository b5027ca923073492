/**
 * Limits against those who try out stolen cards (Decision 0040). What counts is declined cards in a
 * sliding hour, three ways: of an address, of a card's first six digits at a merchant, and of a
 * merchant. An honest customer, and a whole village behind one address, is hardly ever declined.
 *
 * The rule that matters: the first digits of a card are never written, only a keyed digest that
 * tells whether they are the same.
 */

import { type Queryable, sql } from "../../../infra/db/query.ts";
import { windowKey } from "../../../infra/http/rate-limiter.ts";
import { SECOND_MS } from "../../../kit/clock.ts";
import { derivedKey, keyedDigest } from "../../../kit/secrets.ts";
import type { CheckoutContext } from "./context.ts";
import type { SessionView } from "./session.ts";

const WINDOW_MS = 3600 * SECOND_MS;
const BIN_DIGITS = 6;
const DIGEST_CHARACTERS = 16;

interface TriedCard {
  readonly session: Pick<SessionView, "environment" | "accountNumber">;
  readonly address: string;
  /** Absent when the card was submitted in an earlier request. */
  readonly number?: string;
}

/** How long until another card may be tried; 0 when it may now. */
export async function secondsToWait(ctx: CheckoutContext, tried: TriedCard): Promise<number> {
  const windows = await take(ctx.db, windowsOf(ctx, tried), 0);
  const full = windows.filter(({ remaining }) => remaining === 0);
  return Math.max(0, ...full.map((one) => Math.ceil(Number(one.retry_after_ms) / SECOND_MS)));
}

export async function countDecline(ctx: CheckoutContext, tried: TriedCard): Promise<void> {
  const windows = await take(ctx.db, windowsOf(ctx, tried), 1);
  const full = windows.filter(({ remaining }) => remaining === 0).map(({ name }) => name);
  const { accountNumber } = tried.session;
  if (full.length > 0)
    ctx.log.warn({ full, accountNumber }, "somebody may be trying out cards: no more for a while");
}

interface Window {
  readonly name: string;
  readonly key: string;
  readonly max: number;
}

function windowsOf({ config }: CheckoutContext, tried: TriedCard): Window[] {
  const { environment, accountNumber } = tried.session;
  const { perAddress, perBin, perMerchant } = config.declinesPerHour;
  const bin = tried.number?.slice(0, BIN_DIGITS);
  const windows = [
    { name: "address", subject: tried.address, max: perAddress },
    { name: "merchant", subject: accountNumber, max: perMerchant },
  ];
  if (bin !== undefined) {
    const key = derivedKey(config.tokenPeppers.current, "card testing");
    const digest = keyedDigest(key, bin).toString("hex").slice(0, DIGEST_CHARACTERS);
    windows.push({ name: "bin", subject: `${accountNumber} ${digest}`, max: perBin });
  }
  return windows.map(({ name, subject, max }) => ({
    name,
    max,
    key: windowKey(`declined ${name}`, `${environment} ${subject}`),
  }));
}

interface TakenWindow {
  readonly name: string;
  readonly remaining: number;
  readonly retry_after_ms: bigint;
}

/** Full windows count no further, so an hour after the last one that counted it is open again. */
function take(db: Queryable, windows: readonly Window[], weight: 0 | 1): Promise<TakenWindow[]> {
  return db.rows<TakenWindow>(sql`
    select name, hit.remaining, hit.retry_after_ms
    from (
      select * from unnest(
        ${windows.map(({ name }) => name)}::text[], ${windows.map(({ key }) => key)}::text[],
        ${windows.map(({ max }) => max)}::int[]
      ) as wanted (name, window_key, hits_max)
      order by window_key
    ) as wanted,
    lateral take_rate_limit(window_key, hits_max, ${WINDOW_MS}::int, ${SECOND_MS}::int,
      ${weight}::int) as hit`);
}
