/** What people call the state of a payment: one word for its status and its condition. */

import type { StatusDesc, TransactionRow } from "./transaction.ts";

const PAID = {
  Normal: "paid",
  "Refund Requested": "refund requested",
  Refunded: "refunded",
  "Refund Rejected": "refund rejected",
  "Chargeback Pending": "disputed",
  "Chargeback Processed": "charged back",
  "Fraud Confirmed": "fraud confirmed",
} as const satisfies Readonly<Record<StatusDesc, string>>;

export type PaymentState =
  | (typeof PAID)[StatusDesc]
  | "partly refunded"
  | "not finished"
  | "incomplete"
  | "failed"
  | "error";

export type StateOf = Pick<
  TransactionRow,
  "status" | "status_desc" | "card_brand" | "refunded_minor" | "customer_total_minor"
>;

export function paymentState(row: StateOf): PaymentState {
  // The customer left before a card was tried: nothing went wrong.
  if (row.status === "failed" && row.card_brand === null) return "not finished";
  if (row.status !== "success") return row.status;
  const isPart = row.refunded_minor < row.customer_total_minor;
  return row.status_desc === "Refunded" && isPart ? "partly refunded" : PAID[row.status_desc];
}
