/**
 * Decides what a line of a report settles, and whether it agrees with what we know. It decides
 * about one line at a time, after those before it: of two lines for one sale the second is one too
 * many, whichever that is.
 */

import { describeMoney, money } from "../../kit/money.ts";
import {
  type KnownOrders,
  type KnownSale,
  paymentOf,
  refundClaim,
  saleClaim,
} from "./known-orders.ts";
import type { ReportLine } from "./settlement-line.ts";

export type Judgement =
  | { readonly state: "unknown"; readonly difference: string }
  | {
      readonly state: "matched" | "differs";
      /** Absent: it agrees. */
      readonly difference?: string;
      readonly transactionId: string;
      readonly accountNumber: string;
      /** The sale or refund; absent: another line settles it, or there is none. */
      readonly settles?: string;
    };

export function judgeLine(line: ReportLine, known: KnownOrders): Judgement {
  if (line.kind === "other")
    return { state: "unknown", difference: "it is neither a sale nor a refund" };
  const sale = findSale(line, known);
  if (sale === undefined)
    return { state: "unknown", difference: "no sale of ours has this identifier or order" };
  const { transaction_id: transactionId, account_number: accountNumber } = sale;
  const found =
    line.kind === "sale" ? judgeSale(line, sale, known) : judgeRefund(line, sale, known);
  const state = "difference" in found ? "differs" : "matched";
  return { state, transactionId, accountNumber, ...found };
}

/** By its identifier; else one of the same order, rather the one that paid. */
function findSale({ identifier, order }: ReportLine, { sales }: KnownOrders) {
  const ofOrder = sales.filter((sale) => sale.transaction_id === paymentOf(order));
  return (
    sales.find((sale) => sale.identifier === identifier) ??
    ofOrder.find(({ is_paid }) => is_paid) ??
    ofOrder[0]
  );
}

type Found = { readonly difference?: string; readonly settles?: string };

function judgeSale(line: ReportLine, sale: KnownSale, { settledBy }: KnownOrders): Found {
  const settles = saleClaim(sale.reference);
  if (isTaken(settledBy, settles, line)) return { difference: "it is settled twice" };
  const difference = saleDifference(line, sale);
  return { settles, ...(difference === undefined ? {} : { difference }) };
}

function saleDifference({ amount }: ReportLine, sale: KnownSale): string | undefined {
  const ours = money(sale.currency, sale.amount_minor);
  if (ours.currency !== amount.currency) return `the currency differs: here ${describeMoney(ours)}`;
  if (ours.minor !== amount.minor) return `the amount differs: here ${describeMoney(ours)}`;
  if (sale.is_paid || sale.is_given_back) return undefined;
  return sale.is_voided ? "it was voided here" : "it is settled there and not paid here";
}

/** The gateway names a refund by an identifier that we never see, so its amount has to do. */
function judgeRefund(line: ReportLine, sale: KnownSale, known: KnownOrders): Found {
  const { amount } = line;
  const alike = known.refunds.filter(
    (one) =>
      one.transaction_id === sale.transaction_id &&
      one.currency === amount.currency &&
      one.amount_minor === amount.minor,
  );
  const refunded = alike.filter(({ state }) => state === "refunded");
  const claims = refunded.map(({ reference }) => refundClaim(reference));
  const settles = claims.find((claim) => !isTaken(known.settledBy, claim, line));
  if (settles !== undefined) return { settles };
  if (refunded.length > 0) return { difference: "it is settled twice" };
  const [other] = alike;
  return {
    difference:
      other === undefined
        ? "it is refunded there and not here"
        : `it is refunded there; here the refund is ${other.state.replace("_", " ")}`,
  };
}

function isTaken(
  settledBy: KnownOrders["settledBy"],
  claim: string,
  { lineId }: ReportLine,
): boolean {
  return (settledBy.get(claim) ?? lineId) !== lineId;
}
