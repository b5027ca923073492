/**
 * What a merchant's page is told about a payment, and how it can be sure of it (Interface §2.5,
 * Decision 0039).
 *
 * `hash` comes with a success only. It covers neither the status nor the order, so that on any
 * other result it would be a ready-made proof for a forged success. The `signature` covers every
 * parameter of ours, each encoded so that none can slide into another, and comes with every result
 * of a merchant whom we know.
 */

import { createHash, createHmac } from "node:crypto";
import { formatMoney, money } from "../../../kit/money.ts";
import { type TransactionRow, viewTransaction } from "../../transactions/transaction.ts";
import type { Parameter } from "./merge-into-url.ts";
import type { PaymentKeys } from "./payment-keys.ts";

/** Of a transaction that has its result. */
export function resultParameters(row: TransactionRow, keys: PaymentKeys): Parameter[] {
  const { card, customer_total } = viewTransaction(row);
  const told: Parameter[] = [
    ["status", row.status],
    ["transaction_id", row.transaction_id],
    ["message", row.message ?? ""],
    ["order_id", row.order_id],
    ["total", customer_total],
    ["currency", row.currency],
    ["date", row.finalised_at?.toISOString() ?? ""],
    ["card", card ?? ""],
    ["data", row.data],
  ];
  const total = formatMoney(money(row.currency, row.total_minor));
  const hash: Parameter[] =
    row.status === "success" ? [["hash", hashOf(row.transaction_id, total, keys.hashKey)]] : [];
  return [...told, ...hash, signature(told, keys.signingSecret)];
}

/** Of a request that was refused: there is no transaction to name. */
export function errorParameters(
  refused: { message: string; orderId: string },
  keys: PaymentKeys | undefined,
): Parameter[] {
  const told: Parameter[] = [
    ["status", "error"],
    ["message", refused.message],
    ["reasonDescription", refused.message],
    ["order_id", refused.orderId],
    ["transaction_id", ""],
  ];
  if (keys === undefined) return told;
  return signed(told, keys.signingSecret);
}

/** With the signature that covers all of them. */
export function signed(told: readonly Parameter[], signingSecret: string): Parameter[] {
  return [...told, signature(told, signingSecret)];
}

/** MD5 for clients that have always checked it; what is asked for, not what the customer paid. */
export function hashOf(transactionId: string, requestedTotal: string, hashKey: string): string {
  return createHash("md5").update(`${transactionId}${requestedTotal}${hashKey}`).digest("hex");
}

function signature(told: readonly Parameter[], signingSecret: string): Parameter {
  return ["signature", formSignature(told, signingSecret).toString("hex")];
}

/**
 * The HMAC that results carry and payment requests may carry (Decisions 0039 and 0066), so that
 * they cannot differ in how names are sorted or text is encoded. Names are unique; they are
 * compared by UTF-16 code units, as `URLSearchParams.sort()` does.
 */
export function formSignature(parameters: readonly Parameter[], signingSecret: string): Buffer {
  const sorted = parameters.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const text = new URLSearchParams(sorted).toString();
  return createHmac("sha256", signingSecret).update(text).digest();
}
