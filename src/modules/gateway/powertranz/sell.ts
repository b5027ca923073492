/**
 * A sale through PowerTranz: prepared, shown to the customer's bank in a frame, and completed by
 * one call. Nothing is charged before that call, and it is made once: the journal says `completing`
 * before it is sent, and after a lost answer the sale is looked up (Decision 0080).
 *
 * What the customer's browser posts can stop a completion and never start one: the gateway refuses
 * a customer who was not authenticated by its own record.
 */

import { createHash } from "node:crypto";
import { networkOf } from "../../../kit/card-network.ts";
import { money } from "../../../kit/money.ts";
import type { Challenge, Decided, NotTaken, Sale, SaleOutcome } from "../port.ts";
import { type Answer, decidedBy, declined, readAnswer, told } from "./answer.ts";
import type { Call } from "./client.ts";
import {
  blamesSettings,
  declineSentence,
  leavesUnknown,
  NO_3D_SECURE,
  NOT_CONFIRMED,
  NOT_ENROLLED,
  PREPARED,
} from "./codes.ts";
import { lookUpSale } from "./lookup.ts";
import type { PowertranzParts } from "./parts.ts";
import { GatewayProblem } from "./problem.ts";
import { isDirect, saleBody } from "./sale-body.ts";
import {
  decidedOf,
  findSale,
  openChallenge,
  type SaleEntry,
  UNUSED,
  writeAgain,
  writeCompleting,
  writeDecided,
  writePrepared,
  writeSale,
} from "./sale-journal.ts";
import { credentialsFor, credentialsOf } from "./settings.ts";
import { reverse, SURELY_OVER_SECONDS } from "./undo.ts";

/** Longer than a preparation is waited for: then its answer, and its token, are lost. */
const PREPARED_WITHIN_SECONDS = 25;
/** From the preparation on; then the token is dead. */
const TOKEN_SECONDS = 5 * 60;
/** Without lookups a sale is reversed once every session and its grace are over. */
const SESSION_SURELY_OVER_SECONDS = 6 * 60;
const FAILED_AUTHENTICATION = ["N", "R"];
const AUTHENTICATED = ["Y", "A"];

export async function sell(
  parts: PowertranzParts,
  sale: Sale,
): Promise<Decided | Challenge | NotTaken> {
  const { db, settings, client } = parts;
  const direct = isDirect(sale, settings.cardCheck);
  const { id: merchantId } = credentialsFor(settings, sale.amount.currency);
  const refusal = outsideContract(settings, sale);
  if (refusal !== undefined) return refusal;
  try {
    client.demandUp();
    const entry =
      (await writeSale(db, sale, { merchantId, isDirect: direct })) ??
      (await writeAgain(db, sale.reference, PREPARED_WITHIN_SECONDS));
    if (entry === undefined) return await answerKept(parts, sale.reference);
    return direct ? await sellAtOnce(parts, sale, entry) : await prepare(parts, sale, entry);
  } catch (error) {
    // Without the token that did not arrive nobody can charge the card.
    if (!(error instanceof GatewayProblem) || (direct && error.reason !== "circuit_open"))
      throw error;
    parts.report(error, sale.reference);
    return { outcome: "not taken" };
  }
}

/** What the contract does not cover is not sent: it would only be refused later. */
function outsideContract(
  { currencies, brands }: PowertranzParts["settings"],
  { amount, card }: Sale,
): Decided | undefined {
  const brand = networkOf(card.number);
  const isCovered =
    currencies.includes(amount.currency) && brand !== undefined && brands.includes(brand);
  if (isCovered) return undefined;
  return { outcome: "declined", code: "57", message: declineSentence("57") };
}

async function sellAtOnce(parts: PowertranzParts, sale: Sale, entry: SaleEntry): Promise<Decided> {
  const answer = await send(parts, sale, entry, { path: "sale", isFinancial: true });
  return keep(parts, entry, decidedBy(answer, expectedOf(entry)));
}

async function prepare(
  parts: PowertranzParts,
  sale: Sale,
  entry: SaleEntry,
): Promise<Decided | Challenge> {
  const answer = await send(parts, sale, entry, { path: "spi/sale" });
  if (answer.code === PREPARED) return prepared(parts, entry, answer);
  return keep(parts, entry, refusedPreparation(parts, entry, answer));
}

async function send(
  { client, settings }: PowertranzParts,
  sale: Sale,
  { identifier, merchant_id }: SaleEntry,
  call: Pick<Call, "path" | "isFinancial">,
): Promise<Answer> {
  const json = await client.call({
    ...call,
    method: "POST",
    body: saleBody(sale, identifier, settings.cardCheck),
    credentials: credentialsOf(settings, merchant_id),
  });
  return readAnswer(json);
}

/** A repeated order gets the answer of the first. */
async function answerKept(parts: PowertranzParts, reference: string): Promise<Decided | Challenge> {
  const known = await saleOutcome(parts, reference);
  if (known.outcome === "approved" || known.outcome === "declined") return known;
  if (known.outcome === "challenge") return known;
  throw new GatewayProblem("unknown_outcome", "this sale is under way");
}

async function prepared(
  { db, wrappingKeys }: PowertranzParts,
  entry: SaleEntry,
  { spiToken, redirectData }: Answer,
): Promise<Challenge> {
  if (spiToken === undefined || redirectData === undefined)
    throw new GatewayProblem("not_an_answer", "a prepared sale without its token or document");
  const token = digestOf(spiToken);
  await writePrepared(db, wrappingKeys, entry, { digest: token, spiToken, html: redirectData });
  return { outcome: "challenge", token };
}

/** Nothing is charged by a preparation, so a no of any kind is a no. */
function refusedPreparation(
  { raise }: PowertranzParts,
  { reference }: SaleEntry,
  answer: Answer,
): Decided {
  const { code, errors } = answer;
  if (leavesUnknown(code, errors)) throw new GatewayProblem("unknown_outcome", told(answer));
  if (blamesSettings(code, errors)) throw new GatewayProblem("settings", told(answer));
  if (code === "97")
    raise("our_request", { reference, answer: told(answer) }, "the acquirer refused a request");
  return declined(answer);
}

/** Names a challenge without giving its token away. */
export function digestOf(spiToken: string): string {
  return createHash("sha256").update(`SpiToken ${spiToken}`).digest("base64url");
}

export async function complete(
  parts: PowertranzParts,
  reference: string,
  token: string,
  posted: Readonly<Record<string, string>>,
): Promise<Decided> {
  const { db, settings, client } = parts;
  const entry = await findSale(db, reference);
  if (entry === undefined || entry.challenge_digest !== token)
    throw new Error(`PowerTranz asked for no such challenge of ${reference}`);
  const decided = decidedOf(entry);
  if (decided !== undefined) return decided;
  const challenge = openChallenge(parts.wrappingKeys, entry);
  if (challenge === undefined) throw underWay();
  const refusal = refusalIn(posted, settings.takesUnauthenticated);
  if (refusal !== undefined) return keep(parts, entry, refusal);
  client.demandUp();
  if (!(await writeCompleting(db, reference))) throw underWay();
  const answer = readAnswer(
    await client.call({
      method: "POST",
      path: "spi/payment",
      body: challenge.spiToken,
      credentials: credentialsOf(settings, entry.merchant_id),
      isFinancial: true,
    }),
  );
  return keep(parts, entry, decidedBy(answer, expectedOf(entry)));
}

function underWay(): GatewayProblem {
  return new GatewayProblem("unknown_outcome", "this sale is being completed");
}

/** What the browser says of the authentication, as far as it speaks against a completion. */
function refusalIn(
  { Response: text = "" }: Readonly<Record<string, string>>,
  takesUnauthenticated: boolean,
): Decided | undefined {
  const answer = readPosted(text);
  if (answer === undefined) return undefined;
  const { code, authentication } = answer;
  if (authentication !== undefined && FAILED_AUTHENTICATION.includes(authentication))
    return { outcome: "declined", code: "3D", message: NOT_CONFIRMED };
  if (takesUnauthenticated) return undefined;
  if (code === NOT_ENROLLED) return { outcome: "declined", code: "3D", message: NO_3D_SECURE };
  return authentication === undefined || AUTHENTICATED.includes(authentication)
    ? undefined
    : { outcome: "declined", code: "3D", message: NOT_CONFIRMED };
}

function readPosted(text: string): Answer | undefined {
  try {
    return readAnswer(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function keep(
  { db }: PowertranzParts,
  { reference }: SaleEntry,
  decided: Decided,
): Promise<Decided> {
  await writeDecided(db, reference, decided);
  return decided;
}

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
        await keep(parts, entry, notCharged());
        return { outcome: "challenge pending" };
      }
      return { outcome: "challenge", token: entry.challenge_digest ?? "" };
    case "completing":
      return parts.settings.hasLookup ? lookUp(parts, entry) : giveUpLate(parts, entry);
    default:
      return decidedOf(entry) ?? { outcome: "unknown" };
  }
}

async function lookUp(parts: PowertranzParts, entry: SaleEntry): Promise<SaleOutcome> {
  const { client, settings } = parts;
  const credentials = credentialsOf(settings, entry.merchant_id);
  const found = await lookUpSale(client, credentials, entry.identifier);
  if (found === undefined && entry.age_seconds < SURELY_OVER_SECONDS) return { outcome: "unknown" };
  if (found !== undefined) {
    try {
      return await keep(parts, entry, decidedBy(found.answer, expectedOf(entry)));
    } catch (error) {
      if (!(error instanceof GatewayProblem) || error.reason !== "contradiction") throw error;
      parts.report(error, entry.reference);
    }
  }
  // Not there though it should be, or approved for something else: what there is, is undone.
  const end = await reverse(parts, entry);
  return end === "refused" ? undecided(parts, entry) : keep(parts, entry, notCharged());
}

/** A lost answer that cannot be looked up: undone once no page waits for it any more. */
async function giveUpLate(parts: PowertranzParts, entry: SaleEntry): Promise<SaleOutcome> {
  if (entry.age_seconds < SESSION_SURELY_OVER_SECONDS) return { outcome: "unknown" };
  const end = await reverse(parts, entry);
  undecided(parts, entry);
  return end === "refused" ? { outcome: "unknown" } : keep(parts, entry, notCharged());
}

function undecided({ raise }: PowertranzParts, { reference }: SaleEntry): SaleOutcome {
  raise("undecided", { reference }, "a sale is undecided: look for it in the acquirer's portal");
  return { outcome: "unknown" };
}

function notCharged(): Decided {
  return { outcome: "declined", ...UNUSED };
}

function expectedOf({ identifier, currency, amount_minor }: SaleEntry) {
  return { identifier, amount: money(currency, amount_minor) };
}
