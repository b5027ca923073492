/**
 * Limits against card testing, the trying out of stolen or made-up cards (Decisions 0040 and 0068).
 * What counts is declined cards in a sliding hour: of an address, of a merchant, and of a card's
 * first six digits at a merchant, or of the one card where a saved one is charged: its security
 * code must not be found by trying. An honest customer, and a whole village behind one address, is
 * hardly ever declined.
 *
 * A card is counted before it is sent and given back unless it is declined, so that no burst slips
 * through between looking and counting. The first digits of a card are never written, only a keyed
 * digest that tells whether they are the same. Of one address only a share counts by first digits,
 * so that it takes several addresses to close a merchant's page to the customers of a bank.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { insertAudit } from "../../../infra/audit.ts";
import { limitedAddress, subscriberOf } from "../../../infra/http/admit/client-address.ts";
import { windowKey } from "../../../infra/http/admit/rate-limiter.ts";
import { derivedKey, keyedDigest } from "../../../kit/secrets.ts";
import type { CardWindow, CountedWindow } from "./card-windows.ts";
import type { CheckoutContext } from "./context.ts";
import { errorKind } from "./result-messages.ts";
import type { SessionView } from "./session.ts";

const BIN_DIGITS = 6;
const DIGEST_CHARACTERS = 16;
/** At least so many addresses fill the window of first digits, unless its limit is a small one. */
const ADDRESSES_TO_FILL = 5;
const SHARE_MIN = 3;
const PAUSES_MS = [100, 300, 800];

interface TriedCard {
  readonly session: Pick<SessionView, "environment" | "accountNumber" | "stored">;
  readonly address: string;
  /** Absent when the card was submitted in an earlier request, or is a saved one. */
  readonly number?: string | undefined;
}

export type Try =
  | { readonly kind: "limited"; readonly retryAfterSeconds: number }
  | {
      readonly kind: "counted";
      readonly keys: readonly string[];
      readonly full: readonly string[];
    };

/** Before the card goes anywhere. Those that are under way may yet be given back: it is waited. */
export async function countTry(ctx: CheckoutContext, tried: TriedCard): Promise<Try> {
  let counted = await countOnce(ctx, tried);
  for (const pauseMs of PAUSES_MS) {
    if (counted.kind === "counted") break;
    await sleep(pauseMs);
    counted = await countOnce(ctx, tried);
  }
  return counted;
}

async function countOnce(ctx: CheckoutContext, tried: TriedCard): Promise<Try> {
  const windows = await ctx.batches.countCard(cardWindowsOf(ctx, tried));
  const refusing = windows.filter(({ granted }) => !granted);
  const keys = windows.flatMap((window) => window.keys);
  if (refusing.length === 0) return { kind: "counted", keys, full: fullOf(windows) };
  await ctx.batches.giveBackCard(keys);
  const waits = refusing.map(({ retryAfterSeconds }) => retryAfterSeconds);
  return { kind: "limited", retryAfterSeconds: Math.max(...waits) };
}

/** Only a declined card stays counted. What became of the sale does not depend on this. */
export async function settleTry(
  ctx: CheckoutContext,
  tried: TriedCard,
  { keys, full }: Extract<Try, { kind: "counted" }>,
  isDeclined: boolean,
): Promise<void> {
  const settled = isDeclined ? noteFull(ctx, tried, full) : ctx.batches.giveBackCard(keys);
  await settled.catch((error: unknown) => {
    ctx.log.warn({ reason: errorKind(error) }, "a tried card was not settled, and stays counted");
  });
}

/**
 * Of a card that was submitted in an earlier request, and given back when its bank asked. Its first
 * digits are not known any more, so it is not counted by them.
 */
export async function countDecline(ctx: CheckoutContext, tried: TriedCard): Promise<void> {
  try {
    await noteFull(ctx, tried, fullOf(await ctx.batches.countCard(cardWindowsOf(ctx, tried))));
  } catch (error) {
    ctx.log.warn({ reason: errorKind(error) }, "a declined card was not counted");
  }
}

/** Which of them this card has filled. */
function fullOf(windows: readonly CountedWindow[]): string[] {
  const filled = windows.filter(({ granted, remaining }) => granted && remaining === 0);
  return filled.map(({ name }) => name);
}

/** Once for each that is full, by the card that filled it: those after it are not even counted. */
async function noteFull(
  ctx: CheckoutContext,
  { session: { accountNumber, environment }, address }: TriedCard,
  full: readonly string[],
): Promise<void> {
  if (full.length === 0) return;
  ctx.log.warn({ full, accountNumber }, "somebody may be trying out cards: no more for a while");
  const detail = { limits: full, environment };
  await insertAudit(ctx.db, {
    action: "card_limit_reached",
    accountNumber,
    actor: address,
    detail,
  });
}

function cardWindowsOf({ config }: CheckoutContext, tried: TriedCard): CardWindow[] {
  const { environment, accountNumber, stored } = tried.session;
  const { perAddress, perBin, perCard, perMerchant } = config.declinesPerHour;
  const address = limitedAddress(tried.address);
  const keyOf = (name: string, subject: string) =>
    windowKey(`declined ${name}`, `${environment} ${subject}`);
  const windows: CardWindow[] = [
    { name: "address", key: keyOf("address", address), max: perAddress },
    { name: "merchant", key: keyOf("merchant", accountNumber), max: perMerchant },
  ];
  if (tried.number !== undefined) {
    const bin = `${accountNumber} ${binDigest(config, tried.number)}`;
    windows.push({
      name: "bin",
      // Its word sorts after those of all other windows: see `card-windows.ts`.
      key: keyOf("prefix", bin),
      max: perBin,
      share: {
        key: keyOf("address share", `${bin} ${subscriberOf(tried.address)}`),
        max: shareOf(perBin),
      },
    });
  }
  if (stored !== undefined)
    windows.push({ name: "card", key: keyOf("card", stored.uuid), max: perCard });
  return windows;
}

function binDigest({ tokenPeppers }: CheckoutContext["config"], number: string): string {
  const key = derivedKey(tokenPeppers.current, "card testing");
  return keyedDigest(key, number.slice(0, BIN_DIGITS)).toString("hex").slice(0, DIGEST_CHARACTERS);
}

/** How many declines of one address count by first digits; never all that fill the window. */
function shareOf(perBin: number): number {
  const share = Math.max(SHARE_MIN, Math.ceil(perBin / ADDRESSES_TO_FILL));
  return Math.min(share, Math.ceil(perBin / 2));
}
