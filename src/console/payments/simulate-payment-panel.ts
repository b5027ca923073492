/** What can be made to happen to a sandbox payment, in words for people. */

import type { HtmlValue } from "../../kit/html.ts";
import {
  allowedOutcomes,
  type PaymentOutcome,
} from "../../modules/sandbox-controls/payment-outcomes.ts";
import type { PaidRow } from "../../modules/transactions/refund.ts";
import { textField } from "../../parts/field.ts";
import { type Simulated, simulatePanel } from "../simulate-panel.ts";
import type { Visitor } from "../visitor.ts";
import { PAYMENTS } from "./payment-filters.ts";

export const PAYMENT_OUTCOME_WORDS: Readonly<Record<PaymentOutcome, string>> = {
  approve: "The card is approved",
  decline: "The card is declined",
  expire: "The time is over",
  refund_accepted: "The refund is done",
  refund_rejected: "The refund is rejected",
  chargeback_pending: "The customer disputes it",
  chargeback_processed: "The dispute is lost",
  chargeback_released: "The dispute is won",
  fraud_confirmed: "Fraud is confirmed",
};

export function simulatePaymentPanel(
  visitor: Visitor,
  paid: PaidRow,
  simulated: Simulated | undefined,
): HtmlValue {
  if (paid.environment !== "sandbox" || !visitor.mayDo("keys")) return undefined;
  const outcomes = allowedOutcomes(paid);
  return simulatePanel(visitor, {
    href: `${PAYMENTS}/${paid.transaction_id}`,
    choice: { name: "outcome", label: "What happens" },
    options: outcomes.map((value) => ({ value, text: PAYMENT_OUTCOME_WORDS[value] })),
    more:
      outcomes.includes("decline") &&
      textField({
        name: "code",
        label: "Code of the decline",
        hint: "Two characters, e.g. 51. Only when the card is declined; 05 if empty.",
        value: simulated?.sent.code ?? "",
        error: simulated?.refused.errorOf("code"),
        autocomplete: "off",
      }),
    simulated,
  });
}
