/** A payment in words: its state, its card, its customer. */

import { CARD_NETWORKS, NETWORK_NAMES } from "../../kit/card-network.ts";
import type { Html } from "../../kit/html.ts";
import { money } from "../../kit/money.ts";
import {
  type PaymentState,
  paymentState,
  type StateOf,
} from "../../modules/transactions/payment-state.ts";
import type { TransactionRow } from "../../modules/transactions/transaction.ts";
import { badge, type Tone } from "../../parts/badge.ts";

export const PAYMENT_STATES: Readonly<Record<PaymentState, readonly [Tone, string]>> = {
  incomplete: ["progress", "Incomplete"],
  failed: ["bad", "Failed"],
  error: ["bad", "Error"],
  "not finished": ["plain", "Not finished"],
  paid: ["good", "Paid"],
  "refund requested": ["progress", "Refund requested"],
  "partly refunded": ["plain", "Partly refunded"],
  refunded: ["plain", "Refunded"],
  "refund rejected": ["warn", "Refund rejected"],
  disputed: ["warn", "Disputed"],
  "charged back": ["bad", "Charged back"],
  "fraud confirmed": ["bad", "Fraud confirmed"],
};

export function paymentBadge(row: StateOf): Html {
  return badge(...PAYMENT_STATES[paymentState(row)]);
}

/** "Visa •••• 1111"; empty where no card was tried. */
export function cardText(row: Pick<TransactionRow, "card_brand" | "card_last_four">): string {
  const { card_brand: brand, card_last_four: lastFour } = row;
  return brand === null || lastFour === null ? "" : cardWords(brand, lastFour);
}

/** For lists: "Visa ••1111". */
export function shortCardText(row: Parameters<typeof cardText>[0]): string {
  return cardText(row).replace("•••• ", "••");
}

export function cardWords(brand: string, lastFour: string): string {
  const network = CARD_NETWORKS.find((each) => each === brand);
  return `${network === undefined ? brand : NETWORK_NAMES[network]} •••• ${lastFour}`;
}

export function customerName({ customer }: Pick<TransactionRow, "customer">): string {
  return [customer.fname, customer.lname].filter(Boolean).join(" ");
}

/** What customers see on their statement: of lists, pages and sums alike. */
export function paidAmount(row: Pick<TransactionRow, "currency" | "customer_total_minor">) {
  return money(row.currency, row.customer_total_minor);
}
