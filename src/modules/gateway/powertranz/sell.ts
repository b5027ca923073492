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
import type { Challenge, Decided, NotTaken, Sale } from "../port.ts";
import { type Answer, decidedBy, declined, readAnswer, told } from "./answer.ts";
import { type Call, circuitOpen } from "./client.ts";
import {
  blamesSettings,
  declineSentence,
  INVALID_REQUEST,
  leavesUnknown,
  NO_3D_SECURE,
  NOT_CONFIRMED,
  NOT_ENROLLED,
  PREPARED,
  refusesPreparation,
} from "./codes.ts";
import type { PowertranzParts } from "./parts.ts";
import { GatewayProblem } from "./problem.ts";
import { isDirect, saleBody } from "./sale-body.ts";
import {
  decidedOf,
  findSale,
  openChallenge,
  type SaleEntry,
  writeAgain,
  writeCompleting,
  writePrepared,
  writeSale,
} from "./sale-journal.ts";
import {
  expectedOf,
  keep,
  notCharged,
  PREPARED_WITHIN_SECONDS,
  saleOutcome,
  underWay,
} from "./sale-outcome.ts";
import { credentialsFor, credentialsOf } from "./settings.ts";

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
  if (client.state() === "down" && (await findSale(db, sale.reference)) === undefined)
    return notTaken(parts, sale, circuitOpen());
  const writtenAt = performance.now();
  const entry =
    (await writeSale(db, sale, { merchantId, isDirect: direct })) ??
    (await writeAgain(db, sale, PREPARED_WITHIN_SECONDS));
  if (entry === undefined) return answerKept(parts, sale);
  if (direct) return sellAtOnce(parts, sale, entry, writtenAt);
  try {
    return await prepare(parts, sale, entry);
  } catch (error) {
    // Without the token that did not arrive nobody can charge the card.
    if (error instanceof GatewayProblem) return notTaken(parts, sale, error);
    throw error;
  }
}

function notTaken({ report }: PowertranzParts, sale: Sale, problem: GatewayProblem): NotTaken {
  report(problem, sale.reference);
  return { outcome: "not taken" };
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

async function sellAtOnce(
  parts: PowertranzParts,
  sale: Sale,
  entry: SaleEntry,
  writtenAt: number,
): Promise<Decided | NotTaken> {
  try {
    const answer = await send(parts, sale, entry, { path: "sale", isFinancial: true, writtenAt });
    noteOurMistake(parts, entry, answer);
    return await keep(parts, entry, decidedBy(answer, expectedOf(entry)));
  } catch (error) {
    // Refused before any bank was asked.
    if (!(error instanceof GatewayProblem) || error.reason !== "settings") throw error;
    await keep(parts, entry, notCharged());
    return notTaken(parts, sale, error);
  }
}

async function prepare(
  parts: PowertranzParts,
  sale: Sale,
  entry: SaleEntry,
): Promise<Decided | Challenge> {
  const answer = await send(parts, sale, entry, { path: "spi/sale" });
  if (answer.code === PREPARED) return prepared(parts, entry, answer);
  noteOurMistake(parts, entry, answer);
  return keep(parts, entry, refusedPreparation(answer));
}

async function send(
  { client, settings }: PowertranzParts,
  sale: Sale,
  { identifier, merchant_id }: SaleEntry,
  call: Pick<Call, "path" | "isFinancial" | "writtenAt">,
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
async function answerKept(parts: PowertranzParts, sale: Sale): Promise<Decided | Challenge> {
  const { reference, transactionId, amount } = sale;
  const entry = await findSale(parts.db, reference);
  const isSame =
    entry?.transaction_id === transactionId &&
    entry.currency === amount.currency &&
    entry.amount_minor === amount.minor;
  if (!isSame) throw new Error(`the reference ${reference} came with another order`);
  const known = await saleOutcome(parts, reference);
  if (known.outcome === "approved" || known.outcome === "declined") return known;
  if (known.outcome === "challenge") return known;
  throw underWay();
}

async function prepared(
  { db, wrappingKeys }: PowertranzParts,
  entry: SaleEntry,
  { spiToken, redirectData }: Answer,
): Promise<Challenge> {
  if (spiToken === undefined || redirectData === undefined)
    throw new GatewayProblem("not_an_answer", "a prepared sale without its token or document");
  const token = digestOf(spiToken);
  const challenge = { digest: token, spiToken, html: redirectData };
  if (!(await writePrepared(db, wrappingKeys, entry, challenge))) throw underWay();
  return { outcome: "challenge", token };
}

/** Nothing is charged by a preparation, so a no of any kind is a no. */
function refusedPreparation(answer: Answer): Decided {
  const { code, errors } = answer;
  if (leavesUnknown(code, errors)) throw new GatewayProblem("unknown_outcome", told(answer));
  if (blamesSettings(code, errors)) throw new GatewayProblem("settings", told(answer));
  if (refusesPreparation(code)) return declined(answer);
  throw new GatewayProblem("contradiction", `a preparation is answered with ${told(answer)}`);
}

function noteOurMistake(
  { raise }: PowertranzParts,
  { reference }: SaleEntry,
  answer: Answer,
): void {
  if (answer.code === INVALID_REQUEST)
    raise("our_request", { reference, answer: told(answer) }, "the acquirer refused a request");
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
  const writtenAt = performance.now();
  const completing = await writeCompleting(db, reference);
  if (completing === undefined) throw underWay();
  const answer = readAnswer(
    await client.call({
      method: "POST",
      path: "spi/payment",
      body: challenge.spiToken,
      credentials: credentialsOf(settings, entry.merchant_id),
      isFinancial: true,
      writtenAt,
    }),
  );
  return keep(parts, completing, decidedBy(answer, expectedOf(completing)));
}

/**
 * What the browser says of the authentication, as far as it speaks against a completion. The
 * gateway refuses a failed one by itself, but not one that never took place; so without leave for
 * those, the browser must name a good one. Nothing was posted: the post was taken by a process that
 * died, and its words with it.
 */
function refusalIn(
  posted: Readonly<Record<string, string>>,
  takesUnauthenticated: boolean,
): Decided | undefined {
  if (Object.keys(posted).length === 0) return undefined;
  const { code, authentication = "" } = readPosted(posted.Response ?? "");
  const refused = (message: string): Decided => ({ outcome: "declined", code: "3D", message });
  if (FAILED_AUTHENTICATION.includes(authentication)) return refused(NOT_CONFIRMED);
  if (takesUnauthenticated || AUTHENTICATED.includes(authentication)) return undefined;
  return refused(code === NOT_ENROLLED ? NO_3D_SECURE : NOT_CONFIRMED);
}

function readPosted(text: string): Answer {
  try {
    return readAnswer(JSON.parse(text));
  } catch {
    return readAnswer(undefined);
  }
}
