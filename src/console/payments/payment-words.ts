/** A payment in words: its state, its card, its customer. */

import { CARD_NETWORKS, NETWORK_NAMES } from "../../kit/card-network.ts";
import type { Html } from "../../kit/html.ts";
import { money } from "../../kit/money.ts";
import type { StatusDesc, TransactionRow } from "../../modules/transactions/transaction.ts";
import { badge, type Tone } from "../../parts/badge.ts";

const RESULTS: Readonly<Record<"incomplete" | "failed" | "error", readonly [Tone, string]>> = {
  incomplete: ["progress", "Incomplete"],
  failed: ["bad", "Failed"],
  error: ["bad", "Error"],
};

const PAID: Readonly<Record<StatusDesc, readonly [Tone, string]>> = {
  Normal: ["good", "Paid"],
  "Refund Requested": ["progress", "Refund requested"],
  Refunded: ["plain", "Refunded"],
  "Refund Rejected": ["warn", "Refund rejected"],
  "Chargeback Pending": ["warn", "Disputed"],
  "Chargeback Processed": ["bad", "Charged back"],
  "Fraud Confirmed": ["bad", "Fraud confirmed"],
};

type StateOf = Pick<
  TransactionRow,
  "status" | "status_desc" | "card_brand" | "refunded_minor" | "customer_total_minor"
>;

export function paymentBadge(row: StateOf): Html {
  // The customer left before a card was tried: nothing went wrong.
  if (row.status === "failed" && row.card_brand === null) return badge("plain", "Not finished");
  if (row.status !== "success") return badge(...RESULTS[row.status]);
  const isPart = row.refunded_minor < row.customer_total_minor;
  if (row.status_desc === "Refunded" && isPart) return badge("plain", "Partly refunded");
  return badge(...PAID[row.status_desc]);
}

/** "Visa •••• 1111"; empty where no card was tried. */
export function cardText(row: Pick<TransactionRow, "card_brand" | "card_last_four">): string {
  const { card_brand: brand, card_last_four: lastFour } = row;
  return brand === null || lastFour === null ? "" : cardWords(brand, lastFour);
}

export function cardWords(brand: string, lastFour: string): string {
  const network = CARD_NETWORKS.find((each) => each === brand);
  return `${network === undefined ? brand : NETWORK_NAMES[network]} •••• ${lastFour}`;
}

export function customerName({ customer }: Pick<TransactionRow, "customer">): string {
  return [customer.fname, customer.lname].filter(Boolean).join(" ");
}

/** What customers see on their statement. */
export function paidAmount(row: Pick<TransactionRow, "currency" | "customer_total_minor">) {
  return money(row.currency, row.customer_total_minor);
}
