/**
 * Limits against those who try out stolen cards (Decision 0040). What counts is declined cards in a
 * sliding hour: of an address, of a merchant, and of a card's first six digits at a merchant, or of
 * the one card where a saved one is charged: its security code must not be found by trying. An
 * honest customer, and a whole village behind one address, is hardly ever declined.
 *
 * The rules that matter: a card is counted before it is sent and given back unless it is declined,
 * so that no crowd slips through between looking and counting; and the first digits of a card
 * are never written, only a keyed digest that tells whether they are the same.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { recordAudit } from "../../../infra/audit.ts";
import { windowKey } from "../../../infra/http/rate-limiter.ts";
import { derivedKey, keyedDigest } from "../../../kit/secrets.ts";
import type { CardWindow, CountedWindow } from "./card-windows.ts";
import type { CheckoutContext } from "./context.ts";
import { reasonOf } from "./reason-of.ts";
import type { SessionView } from "./session.ts";

const BIN_DIGITS = 6;
const DIGEST_CHARACTERS = 16;
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
  const keys = windows.filter(({ granted }) => granted).map(({ key }) => key);
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
    ctx.log.warn({ reason: reasonOf(error) }, "a tried card was not settled, and stays counted");
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
    ctx.log.warn({ reason: reasonOf(error) }, "a declined card was not counted");
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
  await recordAudit(ctx.db, {
    action: "card_limit_reached",
    accountNumber,
    actor: address,
    detail,
  });
}

function cardWindowsOf({ config }: CheckoutContext, tried: TriedCard): CardWindow[] {
  const { environment, accountNumber, stored } = tried.session;
  const { perAddress, perBin, perCard, perMerchant } = config.declinesPerHour;
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
  if (stored !== undefined) windows.push({ name: "card", subject: stored.uuid, max: perCard });
  return windows.map(({ name, subject, max }) => ({
    name,
    max,
    key: windowKey(`declined ${name}`, `${environment} ${subject}`),
  }));
}
