/**
 * Takes money back: a void while the sale is young, a refund of the whole afterwards, and a
 * reversal of a sale whose outcome is unknown. A refund is sent again only after it was looked for
 * and not found; a void that comes twice is refused by the gateway and not doubled (Decision 0080).
 */

import { type Money, money } from "../../../kit/money.ts";
import {
  NO_SUCH_SALE,
  type RefundAnswer,
  type RefundOrder,
  type RefundOutcome,
  type VoidAnswer,
} from "../port.ts";
import { type Answer, decidedBy, describeCodes, readAnswer } from "./answer.ts";
import { ORIGINAL_NOT_FOUND, ORIGINAL_VOID, refusesOriginal } from "./codes.ts";
import { lookUpRefund, lookUpSale } from "./lookup.ts";
import { CURRENCY_NUMBERS } from "./numeric-codes.ts";
import type { PowertranzParts } from "./parts.ts";
import { GatewayProblem } from "./problem.ts";
import {
  endRefundEntry,
  findRefundEntry,
  type NewRefund,
  type RefundEntry,
  voidReference,
  writeNotFound,
  writeRefund,
} from "./refund-journal.ts";
import { majorUnits } from "./sale-body.ts";
import {
  CALL_ENDED_SECONDS,
  findSale,
  forgetVoid,
  isVoidUnderWay,
  type SaleEntry,
  writeVoided,
  writeVoidSent,
} from "./sale-journal.ts";
import { credentialsOf } from "./settings.ts";

export async function voidSale(parts: PowertranzParts, reference: string): Promise<VoidAnswer> {
  const sale = await findSale(parts.db, reference);
  if (sale?.state !== "approved") return { outcome: "rejected", reason: NO_SUCH_SALE };
  return takeBack(parts, sale);
}

/** Gives back what a sale took: as a void, else as a refund of the whole. */
export async function takeBack(parts: PowertranzParts, sale: SaleEntry): Promise<VoidAnswer> {
  const { reference } = sale;
  if (sale.voided_at !== null) return { outcome: "voided" };
  const isYoung = sale.age_seconds < parts.settings.voidWindowMinutes * 60;
  if (isYoung ? (await reverse(parts, sale)) === "reversed" : await wasVoided(parts, sale))
    return { outcome: "voided" };
  const whole = {
    reference: voidReference(reference),
    saleReference: reference,
    amount: money(sale.currency, sale.amount_minor),
  };
  const known = await refundOutcome(parts, whole.reference);
  // A void of before may have done it, and with a refund the money would go back twice.
  if (known.outcome === "never seen" && isVoidUnderWay(sale))
    throw new GatewayProblem("unknown_outcome", "a void is under way");
  const answer = known.outcome === "never seen" ? await refund(parts, whole) : known;
  // Of a sale that we once asked to void, "it is void" means that this was done.
  const isVoid = answer.outcome === "rejected" && answer.reason.endsWith(` ${ORIGINAL_VOID}`);
  if (answer.outcome === "rejected" && !(isVoid && sale.void_sent_at !== null)) return answer;
  if (answer.outcome === "unknown")
    throw new GatewayProblem("unknown_outcome", "whether the sale was refunded is unknown");
  await writeVoided(parts.db, reference);
  return { outcome: "voided" };
}

/**
 * Voids a sale, also one whose outcome is unknown. "not there": the gateway has no such sale;
 * "refused": it has one that cannot be voided, or says no more.
 */
export async function reverse(
  parts: PowertranzParts,
  sale: SaleEntry,
): Promise<"reversed" | "not there" | "refused"> {
  const { client, db, settings } = parts;
  const { reference, identifier, merchant_id, state, currency, amount_minor } = sale;
  const credentials = credentialsOf(settings, merchant_id);
  if (await wasVoided(parts, sale)) return "reversed";
  await writeVoidSent(db, reference);
  const answer = readAnswer(
    await client.call({
      method: "POST",
      path: "void",
      body: {
        TransactionIdentifier: identifier,
        ExternalIdentifier: voidReference(reference),
        TerminalCode: "",
        TerminalSerialNumber: "",
        AutoReversal: state !== "approved",
      },
      credentials,
      isFinancial: true,
    }),
  );
  if (answer.errors.includes(ORIGINAL_NOT_FOUND)) {
    await forgetVoid(db, reference);
    return "not there";
  }
  if (refusesOriginal(answer.errors)) return "refused";
  const amount = money(currency, amount_minor);
  const expected = { identifier: undefined, originalIdentifier: identifier, amount };
  if (decidedBy(answer, expected).outcome === "declined") return "refused";
  await writeVoided(db, reference);
  return "reversed";
}

/** Whether a void of before took effect, as far as it can be looked up. */
async function wasVoided(
  { client, db, settings }: PowertranzParts,
  { reference, identifier, merchant_id }: SaleEntry,
): Promise<boolean> {
  if (!settings.hasLookup) return false;
  const credentials = credentialsOf(settings, merchant_id);
  const isVoided = (await lookUpSale(client, credentials, identifier))?.isVoided ?? false;
  if (isVoided) await writeVoided(db, reference);
  return isVoided;
}

export async function refundPayment(
  parts: PowertranzParts,
  order: RefundOrder,
): Promise<RefundAnswer> {
  const { reference, saleReference, amount } = order;
  if (saleReference === null) return { outcome: "rejected", reason: NO_SUCH_SALE };
  return refund(parts, { reference, saleReference, amount });
}

async function refund(parts: PowertranzParts, order: NewRefund): Promise<RefundAnswer> {
  const { client, db, settings } = parts;
  const sale = await findSale(db, order.saleReference);
  if (sale === undefined) return { outcome: "rejected", reason: NO_SUCH_SALE };
  client.demandUp();
  const writtenAt = performance.now();
  if (!(await writeRefund(db, order))) return answerRepeated(parts, order);
  const answer = readAnswer(
    await client.call({
      method: "POST",
      path: "refund",
      body: {
        Refund: true,
        TransactionIdentifier: sale.identifier,
        TotalAmount: majorUnits(order.amount),
        CurrencyCode: CURRENCY_NUMBERS[order.amount.currency],
        ExternalIdentifier: order.reference,
      },
      credentials: credentialsOf(settings, sale.merchant_id),
      isFinancial: true,
      writtenAt,
    }),
  );
  const outcome = refundAnswerOf(answer, sale, order.amount);
  await endRefundEntry(db, order.reference, { ...outcome, identifier: answer.identifier });
  return outcome;
}

/** A repeated order gets the answer of the first. */
async function answerRepeated(parts: PowertranzParts, order: NewRefund): Promise<RefundAnswer> {
  const { reference, saleReference, amount } = order;
  const entry = await findRefundEntry(parts.db, reference);
  const isSame =
    entry?.sale_reference === saleReference &&
    entry.currency === amount.currency &&
    entry.amount_minor === amount.minor;
  if (!isSame) throw new Error(`the reference ${reference} came with another order`);
  const known = await outcomeOf(parts, entry);
  if (known.outcome === "refunded" || known.outcome === "rejected") return known;
  throw new GatewayProblem("unknown_outcome", "this refund was sent before");
}

function refundAnswerOf(
  answer: Answer,
  { identifier: originalIdentifier }: SaleEntry,
  amount: Money,
  isLookup = false,
): RefundAnswer {
  if (refusesOriginal(answer.errors)) return { outcome: "rejected", reason: describeCodes(answer) };
  // A refund has an identifier of the gateway's own.
  const expected = { identifier: undefined, originalIdentifier, amount };
  return decidedBy(answer, expected, isLookup).outcome === "approved"
    ? { outcome: "refunded" }
    : { outcome: "rejected", reason: describeCodes(answer) };
}

export async function refundOutcome(
  parts: PowertranzParts,
  reference: string,
): Promise<RefundOutcome> {
  const entry = await findRefundEntry(parts.db, reference);
  return entry === undefined ? { outcome: "never seen" } : outcomeOf(parts, entry);
}

async function outcomeOf(parts: PowertranzParts, entry: RefundEntry): Promise<RefundOutcome> {
  const { client, db, settings, raise } = parts;
  const { reference } = entry;
  if (entry.state === "not_found") return { outcome: "never seen" };
  if (entry.state === "refunded") return { outcome: "refunded" };
  if (entry.state === "rejected") return { outcome: "rejected", reason: entry.reason ?? "" };
  if (!settings.hasLookup) {
    raise("undecided", { reference }, "a refund's answer was lost and lookups are switched off");
    return { outcome: "unknown" };
  }
  const sale = await findSale(db, entry.sale_reference);
  if (sale === undefined) throw new Error(`the sale of refund ${reference} is gone`);
  const { identifier, merchant_id } = sale;
  const credentials = credentialsOf(settings, merchant_id);
  const found = await lookUpRefund(client, credentials, { identifier, reference });
  if (typeof found !== "string") {
    const amount = money(entry.currency, entry.amount_minor);
    const answer = refundAnswerOf(found, sale, amount, true);
    await endRefundEntry(db, reference, { ...answer, identifier: found.identifier });
    return answer;
  }
  if (found === "cannot say" || entry.age_seconds < CALL_ENDED_SECONDS)
    return { outcome: "unknown" };
  await writeNotFound(db, entry);
  return { outcome: "never seen" };
}
