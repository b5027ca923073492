/** What a status file of a bank is compared with, and what comes of it (Decision 0049). */

/** How a payment of the file stands with us; `stopped`: taken out of the file since. */
export type Standing = "waiting" | "completed" | "failed" | "stopped";

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
