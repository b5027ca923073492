/**
 * `spi/payment`: completes a prepared sale, once per token. The gateway goes by its own record of
 * the authentication. The only place where money is taken.
 */

import { randomInt } from "node:crypto";
import {
  aboutSale,
  authenticationOf,
  type Body,
  failure,
  isApproval,
  messageOf,
  TYPES,
  withoutAbsent,
} from "./answers.ts";
import { declineByCents } from "./cents.ts";
import { parseJson } from "./fields.ts";
import type { Journal, Sale } from "./journal.ts";
import { INVALID_REQUEST } from "./problems.ts";

/** The bare token as a JSON string; undefined for anything else. */
export function tokenIn(text: string): string | undefined {
  const json = parseJson(text);
  return typeof json === "string" ? json : undefined;
}

export function completeSale(journal: Journal, text: string): Body {
  const token = tokenIn(text);
  if (token === undefined) return failure({ type: TYPES.sale }, "97", [INVALID_REQUEST]);
  const sale = journal.saleOfToken(token);
  if (sale === undefined) return failure({ type: TYPES.sale }, "12");
  if (sale.isTokenUsed)
    return failure(aboutSale(sale), "12", [{ code: "787", message: "Duplicate call received" }]);
  if (journal.isExpired(sale) || sale.authentication.stage !== "ended")
    return failure(aboutSale(sale), "12");
  sale.isTokenUsed = true;
  if (["N", "R"].includes(sale.authentication.status)) {
    decide(journal, sale, "12");
    return failure(aboutSale(sale), "12");
  }
  return chargeSale(journal, sale);
}

/** Asks the card's bank, which is the card's own row of the table. */
export function chargeSale(journal: Journal, sale: Sale): Body {
  const others = [...journal.sales.values()].filter(
    (other) => other.orderIdentifier === sale.orderIdentifier && other !== sale,
  );
  if (others.some(({ decision }) => decision?.isApproved)) {
    decide(journal, sale, "12");
    return failure(aboutSale(sale), "12", [{ code: "387", message: "Duplicate order" }]);
  }
  if (hasExpiredCard(journal, sale)) {
    decide(journal, sale, "97");
    return { ...failure(aboutSale(sale), "97"), ResponseMessage: "Host format error" };
  }
  const decline = journal.switches.centsDecide ? declineByCents(sale.amountMinor) : undefined;
  decide(journal, sale, decline ?? sale.card.code);
  return decidedAnswer(journal, sale);
}

function decide(journal: Journal, sale: Sale, code: string): void {
  const isApproved = isApproval(code);
  sale.isTokenUsed = true;
  if (isApproved) sale.chargeCount += 1;
  sale.decision = {
    at: journal.now(),
    code,
    isApproved,
    authorizationCode: isApproved ? String(randomInt(100_000, 1_000_000)) : undefined,
    rrn: journal.nextRrn(),
  };
}

function decidedAnswer({ switches }: Journal, sale: Sale): Body {
  const { decision, card } = sale;
  const checks = withoutAbsent({
    AvsResponseCode: card.avs,
    CvvResponseCode: card.cvv,
    ThreeDSecure: switches.authenticationRepeated ? authenticationOf(sale) : undefined,
  });
  return withoutAbsent({
    TransactionType: TYPES.sale,
    Approved: decision?.isApproved,
    AuthorizationCode: decision?.authorizationCode,
    TransactionIdentifier: sale.identifier,
    TotalAmount: sale.amountMinor / 100,
    CurrencyCode: sale.currencyCode,
    RRN: decision?.rrn,
    CardBrand: card.brand,
    IsoResponseCode: decision?.code,
    ResponseMessage: messageOf(decision?.code ?? ""),
    RiskManagement: Object.keys(checks).length === 0 ? undefined : checks,
    ExternalIdentifier: sale.externalIdentifier,
    OrderIdentifier: sale.orderIdentifier,
  });
}

function hasExpiredCard(journal: Journal, { card }: Sale): boolean {
  const now = new Date(journal.now());
  const thisMonth = (now.getUTCFullYear() % 100) * 100 + now.getUTCMonth() + 1;
  return Number(card.expiry) < thisMonth;
}
