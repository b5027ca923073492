/**
 * Takes money back: a void while the sale is young, a refund of the whole afterwards, and a
 * reversal of a sale whose outcome is unknown. A refund is sent again only after it was looked for
 * and not found; a void that comes twice is refused by the gateway and not doubled.
 */

import { money } from "../../../kit/money.ts";
import type { RefundAnswer, RefundOrder, RefundOutcome, VoidAnswer } from "../port.ts";
import { decidedBy, readAnswer, told } from "./answer.ts";
import { FINANCIAL_SECONDS_MAX } from "./client.ts";
import { ORIGINAL_NOT_FOUND, refusesOriginal } from "./codes.ts";
import { lookUpRefund, lookUpSale } from "./lookup.ts";
import { CURRENCY_NUMBERS } from "./numeric-codes.ts";
import type { PowertranzParts } from "./parts.ts";
import { GatewayProblem } from "./problem.ts";
import {
  endRefundEntry,
  findRefundEntry,
  type NewRefund,
  writeNotFound,
  writeRefund,
} from "./refund-journal.ts";
import { majorUnits } from "./sale-body.ts";
import { findSale, type SaleEntry, writeVoided } from "./sale-journal.ts";
import { credentialsOf } from "./settings.ts";

/** By then a call has been answered, was given up by us, and would be visible. */
export const SURELY_OVER_SECONDS = FINANCIAL_SECONDS_MAX + 55;

const NO_SALE = "There is no approved sale of this reference.";

export async function voidSale(parts: PowertranzParts, reference: string): Promise<VoidAnswer> {
  const sale = await findSale(parts.db, reference);
  if (sale?.state !== "approved") return { outcome: "rejected", reason: NO_SALE };
  if (sale.voided_at !== null) return { outcome: "voided" };
  const isYoung = sale.age_seconds < parts.settings.voidWindowMinutes * 60;
  if (isYoung && (await reverse(parts, sale)) === "reversed") return { outcome: "voided" };
  const whole = {
    reference: `void-${reference}`,
    saleReference: reference,
    amount: money(sale.currency, sale.amount_minor),
  };
  const known = await refundOutcome(parts, whole.reference);
  const answer = known.outcome === "never seen" ? await refund(parts, whole) : known;
  if (answer.outcome === "rejected") return answer;
  if (answer.outcome !== "refunded")
    throw new GatewayProblem("unknown_outcome", "whether the sale was refunded is unknown");
  await writeVoided(parts.db, reference);
  return { outcome: "voided" };
}

/**
 * Voids a sale, also one whose outcome is unknown. "not there": the gateway has no such sale;
 * "refused": it has one that cannot be voided, or says no more.
 */
export async function reverse(
  { client, db, settings }: PowertranzParts,
  { reference, identifier, merchant_id, state }: SaleEntry,
): Promise<"reversed" | "not there" | "refused"> {
  const credentials = credentialsOf(settings, merchant_id);
  if (settings.hasLookup && (await lookUpSale(client, credentials, identifier))?.isVoided) {
    await writeVoided(db, reference);
    return "reversed";
  }
  const answer = readAnswer(
    await client.call({
      method: "POST",
      path: "void",
      body: {
        TransactionIdentifier: identifier,
        ExternalIdentifier: `void-${reference}`,
        TerminalCode: "",
        TerminalSerialNumber: "",
        AutoReversal: state !== "approved",
      },
      credentials,
      isFinancial: true,
    }),
  );
  if (answer.isApproved === true && answer.code === "00") {
    await writeVoided(db, reference);
    return "reversed";
  }
  if (answer.errors.includes(ORIGINAL_NOT_FOUND)) return "not there";
  if (refusesOriginal(answer.errors)) return "refused";
  throw new GatewayProblem("unknown_outcome", told(answer));
}

export async function refundOf(parts: PowertranzParts, order: RefundOrder): Promise<RefundAnswer> {
  const { reference, saleReference, amount } = order;
  if (saleReference === null) return { outcome: "rejected", reason: NO_SALE };
  return refund(parts, { reference, saleReference, amount });
}

async function refund(parts: PowertranzParts, order: NewRefund): Promise<RefundAnswer> {
  const { client, db, settings } = parts;
  const sale = await findSale(db, order.saleReference);
  if (sale === undefined) return { outcome: "rejected", reason: NO_SALE };
  client.demandUp();
  if (!(await writeRefund(db, order))) {
    const known = await refundOutcome(parts, order.reference);
    if (known.outcome === "refunded" || known.outcome === "rejected") return known;
    throw new GatewayProblem("unknown_outcome", "this refund was sent before");
  }
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
    }),
  );
  const outcome = refundAnswerOf(answer, order);
  await endRefundEntry(db, order.reference, outcome);
  return outcome;
}

function refundAnswerOf(
  answer: ReturnType<typeof readAnswer>,
  { amount }: Pick<NewRefund, "amount">,
): RefundAnswer {
  if (refusesOriginal(answer.errors)) return { outcome: "rejected", reason: told(answer) };
  // A refund has an identifier of the gateway's own.
  const identifier = answer.identifier ?? "";
  const decided = decidedBy(answer, { identifier, amount });
  return decided.outcome === "approved"
    ? { outcome: "refunded" }
    : { outcome: "rejected", reason: told(answer) };
}

export async function refundOutcome(
  { client, db, settings, raise }: PowertranzParts,
  reference: string,
): Promise<RefundOutcome> {
  const entry = await findRefundEntry(db, reference);
  if (entry === undefined || entry.state === "not_found") return { outcome: "never seen" };
  if (entry.state === "refunded") return { outcome: "refunded" };
  if (entry.state === "rejected") return { outcome: "rejected", reason: entry.reason ?? "" };
  if (!settings.hasLookup) {
    raise("undecided", { reference }, "a refund's answer was lost and lookups are switched off");
    return { outcome: "unknown" };
  }
  const sale = await findSale(db, entry.sale_reference);
  if (sale === undefined) throw new Error(`the sale of refund ${reference} is gone`);
  const credentials = credentialsOf(settings, sale.merchant_id);
  const found = await lookUpRefund(client, credentials, {
    identifier: sale.identifier,
    reference,
  });
  if (found !== undefined) {
    const isDone = found.code === "00";
    const answer: RefundAnswer = isDone
      ? { outcome: "refunded" }
      : { outcome: "rejected", reason: told(found) };
    await endRefundEntry(db, reference, answer);
    return answer;
  }
  if (entry.age_seconds < SURELY_OVER_SECONDS) return { outcome: "unknown" };
  await writeNotFound(db, entry);
  return { outcome: "never seen" };
}
