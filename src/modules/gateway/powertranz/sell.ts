/**
 * A sale through PowerTranz: prepared here, shown to the customer's bank in a frame, and completed
 * by one call (`complete-sale.ts`). Nothing is charged before that call; only a card check, whose
 * amount a bank must not show, is charged at once (Decision 0080).
 */

import { createHash } from "node:crypto";
import { networkOf } from "../../../kit/card-network.ts";
import type { Challenge, Decided, NotTaken, Sale } from "../port.ts";
import { type Answer, decidedBy, declined, describeCodes, readAnswer } from "./answer.ts";
import { type Call, circuitOpen } from "./client.ts";
import {
  blamesSettings,
  declineSentence,
  INVALID_REQUEST,
  leavesUnknown,
  PREPARED,
  refusesPreparation,
} from "./codes.ts";
import type { PowertranzParts } from "./parts.ts";
import { GatewayProblem } from "./problem.ts";
import { isDirect, saleBody } from "./sale-body.ts";
import { findSale, type SaleEntry, writeAgain, writePrepared, writeSale } from "./sale-journal.ts";
import {
  expectedOf,
  notCharged,
  PREPARED_WITHIN_SECONDS,
  recordOutcome,
  saleOutcome,
  underWay,
} from "./sale-outcome.ts";
import { credentialsFor, credentialsOf } from "./settings.ts";

export async function sell(
  parts: PowertranzParts,
  sale: Sale,
): Promise<Decided | Challenge | NotTaken> {
  const { db, settings, client } = parts;
  const direct = isDirect(sale, settings.cardCheck);
  const { id: merchantId } = credentialsFor(settings, sale.amount.currency);
  const refusal = outsideContract(settings, sale);
  if (refusal !== undefined) return refusal;
  if (client.isSuspended() && (await findSale(db, sale.reference)) === undefined)
    return notTaken(parts, sale, circuitOpen());
  const writtenAt = performance.now();
  const entry =
    (await writeSale(db, sale, { merchantId, isDirect: direct })) ??
    (await writeAgain(db, sale, PREPARED_WITHIN_SECONDS));
  if (entry === undefined) return answerRepeated(parts, sale);
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
  return {
    outcome: "not taken",
    ...(problem.reason === "settings" ? { because: "settings" } : {}),
  };
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
    return await recordOutcome(parts, entry, decidedBy(answer, expectedOf(entry)));
  } catch (error) {
    // Refused before any bank was asked.
    if (!(error instanceof GatewayProblem) || error.reason !== "settings") throw error;
    await recordOutcome(parts, entry, notCharged());
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
  return recordOutcome(parts, entry, refusedPreparation(answer));
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
async function answerRepeated(parts: PowertranzParts, sale: Sale): Promise<Decided | Challenge> {
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
  if (leavesUnknown(code, errors))
    throw new GatewayProblem("unknown_outcome", describeCodes(answer));
  if (blamesSettings(code, errors)) throw new GatewayProblem("settings", describeCodes(answer));
  if (refusesPreparation(code)) return declined(answer);
  throw new GatewayProblem(
    "contradiction",
    `a preparation is answered with ${describeCodes(answer)}`,
  );
}

function noteOurMistake(
  { raise }: PowertranzParts,
  { reference }: SaleEntry,
  answer: Answer,
): void {
  if (answer.code === INVALID_REQUEST)
    raise(
      "our_request",
      { reference, answer: describeCodes(answer) },
      "the acquirer refused a request",
    );
}

/** Names a challenge without giving its token away. */
export function digestOf(spiToken: string): string {
  return createHash("sha256").update(`SpiToken ${spiToken}`).digest("base64url");
}
