/**
 * What can be simulated of a payment, and in which states: the rules of the use cases behind it,
 * asked beforehand so that a refusal can name the states and a page can offer what is allowed.
 */

import { isZero } from "../../kit/money.ts";
import { mayConfirmFraud, mayOpenChargeback } from "../transactions/dispute-rules.ts";
import { isRefundable, leftOf, type PaidRow } from "../transactions/refund.ts";
import { SimulationRefused } from "./simulation-refused.ts";

interface OutcomeRule {
  /** By `status`, or by `status_desc` of a paid one, with what else must be so. */
  readonly needs: readonly string[];
  allows(paid: PaidRow): boolean;
}

const OPEN: OutcomeRule = {
  needs: ["incomplete"],
  allows: ({ status }) => status === "incomplete",
};
const REFUND: OutcomeRule = {
  needs: [
    "Refund Requested",
    "Chargeback Pending with a refund under way",
    "Chargeback Processed with a refund under way",
  ],
  allows: ({ refund_pending_minor }) => refund_pending_minor > 0n,
};
const DISPUTED: OutcomeRule = {
  needs: ["Chargeback Pending"],
  allows: ({ status_desc }) => status_desc === "Chargeback Pending",
};

const RULES = {
  approve: OPEN,
  decline: OPEN,
  expire: OPEN,
  refund_accepted: REFUND,
  refund_rejected: REFUND,
  chargeback_pending: {
    needs: [
      "Normal",
      "Refund Rejected",
      "Refund Requested with a part left",
      "Refunded with a part left",
    ],
    allows: mayOpenChargeback,
  },
  chargeback_processed: DISPUTED,
  chargeback_released: DISPUTED,
  fraud_confirmed: {
    needs: [
      "Normal",
      "Refunded",
      "Refund Rejected",
      "Chargeback Pending without a refund under way",
    ],
    allows: mayConfirmFraud,
  },
} as const satisfies Record<string, OutcomeRule>;

export type PaymentOutcome = keyof typeof RULES;

export const PAYMENT_OUTCOMES = Object.keys(RULES) as PaymentOutcome[];

export function allowedOutcomes(paid: PaidRow): PaymentOutcome[] {
  return PAYMENT_OUTCOMES.filter((outcome) => RULES[outcome].allows(paid));
}

export function demandOutcome(paid: PaidRow, outcome: PaymentOutcome): void {
  if (!RULES[outcome].allows(paid)) throw outcomeRefused(outcome, stateOf(paid));
}

export function outcomeRefused(outcome: PaymentOutcome, state: string): SimulationRefused {
  return new SimulationRefused(
    `The outcome ${outcome}`,
    RULES[outcome].needs,
    `the payment is ${state}`,
  );
}

function stateOf(paid: PaidRow): string {
  if (paid.status !== "success") return paid.status;
  const besides = [
    ...(paid.refund_pending_minor > 0n ? ["a refund under way"] : []),
    ...(isRefundable(paid) && isZero(leftOf(paid)) ? ["nothing left"] : []),
  ].join(" and ");
  return `${paid.status}, ${paid.status_desc}${besides && `, with ${besides}`}`;
}
