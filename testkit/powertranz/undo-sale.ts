/**
 * `void` and `refund`, both named by the sale's identifier; each gets an identifier of the
 * gateway's own. Nothing is recognised as a repetition: two equal refunds refund twice, as far as
 * the sale reaches.
 */

import { randomUUID } from "node:crypto";
import { type Body, failure, messageOf, TYPES, withoutAbsent } from "./answers.ts";
import { declineByCents } from "./cents.ts";
import { type Fields, read, readText } from "./fields.ts";
import type { Journal, Sale } from "./journal.ts";
import { aboutRequest, type Caller } from "./prepare-sale.ts";
import { invalid, missing, ORIGINAL_NOT_FOUND, type Problem } from "./problems.ts";
import { amountMinorOf, amountProblems, identifierProblems } from "./validate.ts";

interface Refusal {
  readonly iso: string;
  readonly problem: Problem;
}

const INVALID: Refusal = { iso: "12", problem: { code: "380", message: "Original auth invalid" } };
const ONE_ONLY: Refusal = { iso: "12", problem: { code: "382", message: "Original auth invalid" } };
const NOT_FOUND: Refusal = { iso: "12", problem: ORIGINAL_NOT_FOUND };
const AMOUNT: Refusal = { iso: "12", problem: { code: "383", message: "Invalid amount" } };
const VOIDED: Refusal = { iso: "96", problem: { code: "384", message: "Original order invalid" } };

export function voidSale(journal: Journal, body: Fields, { merchant }: Caller): Body {
  const about = aboutRequest(body, TYPES.void);
  const problems = identifierProblems(body);
  if (problems.length > 0) return failure(about, "97", problems);
  const sale = journal.saleOf(about.identifier);
  const refusal = voidRefusal(journal, sale?.merchantId === merchant.id ? sale : undefined);
  if (sale === undefined || refusal !== undefined)
    return failure(about, refusal?.iso ?? "12", refusal === undefined ? [] : [refusal.problem]);
  const decline = journal.switches.centsDecide ? declineByCents(sale.amountMinor) : undefined;
  if (decline !== undefined) return failure(about, decline);
  const external = readText(body, "ExternalIdentifier");
  const identifier = randomUUID();
  sale.voided = {
    at: journal.now(),
    identifier,
    ...(external === undefined ? {} : { external }),
  };
  return approval(journal, sale, {
    type: TYPES.void,
    identifier,
    amountMinor: sale.amountMinor,
    external,
  });
}

export function refundSale(journal: Journal, body: Fields, { merchant }: Caller): Body {
  const about = aboutRequest(body, TYPES.refund);
  const problems = [
    ...identifierProblems(body),
    ...amountProblems(body, "may"),
    // Otherwise it is a credit to a card, which needs one.
    ...(read(body, "Refund") === true ? [] : [missing("Source")]),
  ];
  if (problems.length > 0) return failure(about, "97", problems);
  const sale = journal.saleOf(about.identifier);
  const amountMinor = amountMinorOf(body);
  const own = sale?.merchantId === merchant.id ? sale : undefined;
  const refusal = refundRefusal(journal, own, amountMinor);
  if (sale === undefined || refusal !== undefined)
    return failure(about, refusal?.iso ?? "12", refusal === undefined ? [] : [refusal.problem]);
  if ((about.currencyCode ?? sale.currencyCode) !== sale.currencyCode)
    return failure(about, "97", [invalid("CurrencyCode")]);
  const decline = journal.switches.centsDecide ? declineByCents(amountMinor) : undefined;
  if (decline !== undefined) return failure(about, decline);
  const external = readText(body, "ExternalIdentifier");
  const identifier = randomUUID();
  sale.refunds.push({ identifier, externalIdentifier: external, amountMinor, at: journal.now() });
  return approval(journal, sale, { type: TYPES.refund, identifier, amountMinor, external });
}

export function refundedMinor(sale: Sale): number {
  return sale.refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

function voidRefusal(journal: Journal, sale: Sale | undefined): Refusal | undefined {
  if (sale?.decision === undefined) return NOT_FOUND;
  const { voidNever, voidWindowSeconds } = journal.switches;
  const isLate = journal.now() - sale.decision.at > voidWindowSeconds * 1000;
  const isOver = sale.voided !== undefined || sale.settledAt !== undefined;
  const isVoidable = sale.decision.isApproved && sale.refunds.length === 0;
  return voidNever || isLate || isOver || !isVoidable ? INVALID : undefined;
}

function refundRefusal(
  { switches }: Journal,
  sale: Sale | undefined,
  amountMinor: number,
): Refusal | undefined {
  if (!sale?.decision?.isApproved) return NOT_FOUND;
  if (sale.voided !== undefined) return VOIDED;
  if (switches.oneRefundOnly && sale.refunds.length > 0) return ONE_ONLY;
  return refundedMinor(sale) + amountMinor > sale.amountMinor ? AMOUNT : undefined;
}

function approval(
  journal: Journal,
  sale: Sale,
  done: { type: number; identifier: string; amountMinor: number; external: string | undefined },
): Body {
  return withoutAbsent({
    OriginalTrxnIdentifier: sale.identifier,
    TransactionType: done.type,
    Approved: true,
    TransactionIdentifier: done.identifier,
    TotalAmount: done.amountMinor / 100,
    CurrencyCode: sale.currencyCode,
    RRN: journal.nextRrn(),
    IsoResponseCode: "00",
    ResponseMessage: messageOf("00"),
    ExternalIdentifier: done.external,
    OrderIdentifier: sale.orderIdentifier,
  });
}
