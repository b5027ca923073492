/**
 * Compares a line of a bank's status file with the payment that it names: whatever the bank repeats
 * of it must be what was sent (Decision 0049). Also the types of what is compared and found.
 */

import type { PaymentVerdict, Sum } from "./status-report.ts";

/**
 * How a payment of the file stands with us; `stopped`: taken out of the file since; `returned`: it
 * was paid and came back.
 */
export type Standing = "waiting" | "completed" | "failed" | "stopped" | "returned";

export interface SentPayment {
  readonly transactionId: string;
  readonly endToEndId: string;
  /** The part of the file it stands in. */
  readonly partId: string;
  readonly amount: string;
  readonly currency: string;
  readonly standing: Standing;
}

export interface Finding {
  /** Of the bank's file. */
  readonly line: number;
  readonly endToEndId: string;
  readonly transactionId: string | undefined;
  readonly status: string;
  /** Its status, reasons and words, as an operator may read them. */
  readonly said: string;
  readonly result:
    | "completed"
    | "failed"
    | "nothing new"
    | "under way"
    | "told twice"
    | "unknown payment"
    | "unknown part"
    | "unknown code"
    | "other amount"
    | "other payment"
    | "refused as a double"
    | "contradiction";
  readonly words: string;
  /** Why it failed, for its owner. */
  readonly reason?: string;
}

type Mismatch = Pick<Finding, "result" | "words">;

/** The first thing that does not fit; what the bank leaves out fits, if it names the payment. */
export function findMismatch(payment: SentPayment, line: PaymentVerdict): Mismatch | undefined {
  const { endToEndId, instructionId, partId, sum, settled } = line;
  const ids: [said: string, sent: string][] = [
    [endToEndId, payment.endToEndId],
    [instructionId, payment.transactionId],
    [partId, payment.partId],
  ];
  const named = ids.filter(([said], at) => at === 0 || said !== "");
  const id = named.find(([said, sent]) => normalId(said) !== normalId(sent));
  if (id !== undefined) {
    const words = `The bank's line has ${id[0] || "no name"} for ${id[1]}. Ask the bank.`;
    return { result: "other payment", words };
  }
  const other = [sum, settled].find((one) => one !== undefined && !isSame(payment, one));
  if (other === undefined) return undefined;
  const said = `${other.amount} ${other.currency ?? ""}`.trim();
  const wanted = `${payment.amount} ${payment.currency}`;
  const words = `The bank says ${said}, we sent ${wanted}. Ask the bank.`;
  return { result: "other amount", words };
}

/** Some banks write ids in capitals, or put back the dashes of a uuid. */
export function normalId(id: string): string {
  return id.replaceAll("-", "").toLowerCase();
}

function isSame(payment: SentPayment, { amount, currency }: Sum): boolean {
  const trimmed = (text: string) => text.replace(/^0+(?=\d)/, "").replace(/\.?0*$/, "");
  const plain = /^\d+(?:\.\d+)?$/.test(amount) ? `${amount}${amount.includes(".") ? "" : "."}` : "";
  return trimmed(plain) === trimmed(payment.amount) && currency === payment.currency;
}
