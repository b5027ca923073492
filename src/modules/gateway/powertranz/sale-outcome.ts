/**
 * How a sale stands, by the journal and, after a lost answer, by what PowerTranz says of it
 * (Decision 0080). A sale that should be there and is not, or that was approved for something else,
 * is reversed before it counts as not charged.
 */

import { money } from "../../../kit/money.ts";
import type { Decided, SaleOutcome } from "../port.ts";
import { type Answer, decidedBy } from "./answer.ts";
import { NOT_CONFIRMED } from "./codes.ts";
import { lookUpSale } from "./lookup.ts";
import type { PowertranzParts } from "./parts.ts";
import { GatewayProblem } from "./problem.ts";
import {
  CALL_ENDED_SECONDS,
  decidedOf,
  findSale,
  isVoidUnderWay,
  type SaleEntry,
  UNUSED,
  writeDecided,
  writeUndoDue,
  writeVoided,
} from "./sale-journal.ts";
import { credentialsOf } from "./settings.ts";
import { reverse, takeBack } from "./undo.ts";

/** Longer than a preparation is waited for: then its answer, and its token, are lost. */
export const PREPARED_WITHIN_SECONDS = 25;
/** From the preparation on; then the token is dead. */
const TOKEN_SECONDS = 5 * 60;
/** Without lookups a sale is reversed once every session and its grace are over. */
const SESSION_ENDED_SECONDS = 6 * 60;
/** What 3-D Secure says of a customer who was authenticated, or whose bank answers for it. */
export const AUTHENTICATED: readonly string[] = ["Y", "A"];

export async function saleOutcome(parts: PowertranzParts, reference: string): Promise<SaleOutcome> {
  const entry = await findSale(parts.db, reference);
  if (entry === undefined) return { outcome: "never seen" };
  switch (entry.state) {
    case "starting":
      // Without its token nobody can complete it.
      return entry.age_seconds < PREPARED_WITHIN_SECONDS
        ? { outcome: "unknown" }
        : { outcome: "never seen" };
    case "prepared":
      if (entry.age_seconds > TOKEN_SECONDS) {
        await writeDecided(parts.db, entry, notCharged());
        return { outcome: "challenge pending" };
      }
      return { outcome: "challenge", token: entry.challenge_digest ?? "" };
    case "completing":
      return parts.settings.hasLookup ? lookUp(parts, entry) : giveUpLate(parts, entry);
    default:
      return decidedOf(entry) ?? { outcome: "unknown" };
  }
}

/**
 * Judges the gateway's answer about a sale and writes its outcome down. An approval of a customer
 * who, by the gateway's own word, was not authenticated is taken back before the sale counts as
 * declined, unless the settings take those (Decision 0140). `decided`: what the answer says.
 */
export async function recordAnswer(
  parts: PowertranzParts,
  entry: SaleEntry,
  answer: Answer,
  decided: Decided,
): Promise<Decided> {
  if (decided.outcome === "declined" || mayStand(parts, entry, answer))
    return recordOutcome(parts, entry, decided);
  const due = await writeUndoDue(parts.db, entry);
  parts.raise(
    "contradiction",
    { reference: entry.reference, authentication: answer.authentication ?? "not said" },
    due === undefined
      ? "a sale was decided before the acquirer said that its customer was not authenticated"
      : "a sale is undone: by the acquirer's answer its customer was not authenticated",
  );
  // One that was given up meanwhile is kept as a late approval, which is voided by who reads it.
  return due === undefined ? recordOutcome(parts, entry, decided) : undo(parts, due);
}

/** Each question for the outcome goes on with it; until the money is back, that is unknown. */
async function undo(parts: PowertranzParts, { reference }: SaleEntry): Promise<Decided> {
  // Since it was read, another process may have sent a void.
  const entry = await findSale(parts.db, reference);
  if (entry === undefined || isVoidUnderWay(entry)) throw underWay();
  if ((await takeBack(parts, entry)).outcome === "rejected") {
    alarm(parts, entry, "a sale could not be undone: look for it in the acquirer's portal");
    throw new GatewayProblem("unknown_outcome", "a sale could not be undone");
  }
  return recordOutcome(parts, entry, undone());
}

function undone(): Decided {
  return { outcome: "declined", code: "3D", message: NOT_CONFIRMED };
}

/**
 * A direct sale has no challenge: nobody is to be authenticated for it. Not every acquirer's
 * answers name the authentication; silence counts against a sale only where the settings demand
 * a word.
 */
function mayStand(
  { settings }: PowertranzParts,
  { challenge_digest }: SaleEntry,
  { authentication }: Answer,
): boolean {
  if (challenge_digest === null || settings.unauthenticated === "take") return true;
  if (authentication === undefined) return settings.unauthenticated === "refuse";
  return AUTHENTICATED.includes(authentication);
}

/** Writes an outcome down and returns the one that counts. */
export async function recordOutcome(
  { db }: PowertranzParts,
  entry: SaleEntry,
  decided: Decided,
): Promise<Decided> {
  const now = await writeDecided(db, entry, decided);
  const kept = now && decidedOf(now);
  if (kept === undefined) throw underWay();
  return kept;
}

export function underWay(): GatewayProblem {
  return new GatewayProblem("unknown_outcome", "this sale is under way");
}

export function notCharged(): Decided {
  return { outcome: "declined", ...UNUSED };
}

export function expectedOf({ identifier, currency, amount_minor }: SaleEntry) {
  return { identifier, amount: money(currency, amount_minor) };
}

async function lookUp(parts: PowertranzParts, entry: SaleEntry): Promise<SaleOutcome> {
  const { client, settings } = parts;
  const credentials = credentialsOf(settings, entry.merchant_id);
  const found = await lookUpSale(client, credentials, entry.identifier);
  if (found?.isVoided) {
    await writeVoided(parts.db, entry.reference);
    return recordOutcome(parts, entry, entry.undo_due_at === null ? notCharged() : undone());
  }
  if (isVoidUnderWay(entry)) return { outcome: "unknown" };
  if (entry.undo_due_at !== null) return undo(parts, entry);
  if (found === undefined && entry.age_seconds < CALL_ENDED_SECONDS) return { outcome: "unknown" };
  if (found !== undefined) {
    const decided = lookedUp(parts, entry, found.answer);
    if (decided !== undefined) return recordAnswer(parts, entry, found.answer, decided);
  }
  // Not there though it should be, or approved for something else: what there is, is undone.
  const end = await reverse(parts, entry);
  if (end !== "refused") return recordOutcome(parts, entry, notCharged());
  alarm(parts, entry, "a sale is undecided: look for it in the acquirer's portal");
  return { outcome: "unknown" };
}

/** Undefined: it contradicts itself or the sale. */
function lookedUp(parts: PowertranzParts, entry: SaleEntry, answer: Answer): Decided | undefined {
  try {
    return decidedBy(answer, expectedOf(entry), true);
  } catch (error) {
    if (!(error instanceof GatewayProblem) || error.reason !== "contradiction") throw error;
    parts.report(error, entry.reference);
    return undefined;
  }
}

/** A lost answer that cannot be looked up: undone once no page waits for it any more. */
async function giveUpLate(parts: PowertranzParts, entry: SaleEntry): Promise<SaleOutcome> {
  if (entry.undo_due_at !== null)
    return isVoidUnderWay(entry) ? { outcome: "unknown" } : undo(parts, entry);
  if (entry.age_seconds < SESSION_ENDED_SECONDS) return { outcome: "unknown" };
  const end = await reverse(parts, entry);
  if (end === "refused") {
    alarm(parts, entry, "a sale is undecided: look for it in the acquirer's portal");
    return { outcome: "unknown" };
  }
  alarm(parts, entry, "a sale was reversed unseen: look for it in the acquirer's portal");
  return recordOutcome(parts, entry, notCharged());
}

function alarm({ raise }: PowertranzParts, { reference }: SaleEntry, sentence: string): void {
  raise("undecided", { reference }, sentence);
}
