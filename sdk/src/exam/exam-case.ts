/** One case of the exam: what is sent to the shop about one order, and what a correct shop does. */

import type { Pair } from "../verify/form-text.ts";
import type { Payment } from "./payment.ts";
import type { PaymentKeys } from "./result.ts";
import type { Answer, OrderReport } from "./shop.ts";
import type { Webhook } from "./webhook.ts";

/**
 * `signed` with the shop's secret, now, which is the usual way; `early`: the same, and a shop may
 * refuse it for now; `old`: signed an hour ago; `forged` with another secret; `unsigned`: without
 * signatures; `empty`: with empty ones; `bare`: without any header of a webhook.
 */
export type Signing = "signed" | "early" | "old" | "forged" | "unsigned" | "empty" | "bare";

/** What a case may do to the shop. Every answer is kept for the report. */
export interface Examiner {
  readonly payment: Payment;
  readonly keys: PaymentKeys;
  /** Of another order, which the shop has been told before this case. */
  readonly paidBefore: Payment;
  sendResult(pairs: readonly Pair[]): Promise<Answer>;
  deliver(webhook: Webhook, signing?: Signing): Promise<Answer>;
  webhook(event: string, record: Payment["record"], sequence?: number): Webhook;
  /** As things went, so many shipments are right, too. */
  allowShipped(count: number): void;
  /** Waits until the shop reports this, for a moment, where it has a report. */
  waitFor(state: OrderReport["state"]): Promise<void>;
}

export interface ExamCase {
  readonly name: string;
  readonly title: string;
  readonly sent: string;
  readonly correct: string;
  /** What to do about it when the shop fails. */
  readonly mend: string;
  /** Where the site says more. */
  readonly guide: string;
  readonly expected: Expectation;
  /** Whether a shop that fails it gives goods away. */
  readonly losesGoods?: true;
  run(examiner: Examiner): Promise<void>;
}

export interface Expectation {
  readonly state: OrderReport["state"];
  readonly shipped: readonly number[];
  /**
   * What its answers have to be. `accepts`: every webhook is acknowledged and every result shown;
   * `refuses`: what was forged is not acknowledged; `quickly`: a webhook is acknowledged in time.
   */
  readonly answers: "accepts" | "refuses" | "quickly";
}

export function isAcknowledged({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}
