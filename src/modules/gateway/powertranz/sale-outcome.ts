/**
 * How a sale stands, by the journal and, after a lost answer, by what PowerTranz says of it
 * (Decision 0080). A sale that should be there and is not, or that was approved for something else,
 * is reversed before it counts as not charged.
 */

import { money } from "../../../kit/money.ts";
import type { Decided, SaleOutcome } from "../port.ts";
import { decidedBy } from "./answer.ts";
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
  writeVoided,
} from "./sale-journal.ts";
import { credentialsOf } from "./settings.ts";
import { reverse } from "./undo.ts";

/** Longer than a preparation is waited for: then its answer, and its token, are lost. */
export const PREPARED_WITHIN_SECONDS = 25;
/** From the preparation on; then the token is dead. */
const TOKEN_SECONDS = 5 * 60;
/** Without lookups a sale is reversed once every session and its grace are over. */
const SESSION_ENDED_SECONDS = 6 * 60;

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
    return recordOutcome(parts, entry, notCharged());
  }
  if (isVoidUnderWay(entry)) return { outcome: "unknown" };
  if (found === undefined && entry.age_seconds < CALL_ENDED_SECONDS) return { outcome: "unknown" };
  if (found !== undefined) {
    try {
      return await recordOutcome(parts, entry, decidedBy(found.answer, expectedOf(entry), true));
    } catch (error) {
      if (!(error instanceof GatewayProblem) || error.reason !== "contradiction") throw error;
      parts.report(error, entry.reference);
    }
  }
  // Not there though it should be, or approved for something else: what there is, is undone.
  const end = await reverse(parts, entry);
  if (end !== "refused") return recordOutcome(parts, entry, notCharged());
  alarm(parts, entry, "a sale is undecided: look for it in the acquirer's portal");
  return { outcome: "unknown" };
}

/** A lost answer that cannot be looked up: undone once no page waits for it any more. */
async function giveUpLate(parts: PowertranzParts, entry: SaleEntry): Promise<SaleOutcome> {
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
