/**
 * Every event there is, by name, also of modules to come (Decision 0032): what merchants may filter
 * by, and which of our two families it belongs to. What each one looks like stands in
 * `docs/events.md`.
 */

export const EVENT_NAMES = [
  "payment.created",
  "payment.success",
  "payment.failed",
  "payment.error",
  "payment.late_approval_voided",
  "payment.refund_requested",
  "payment.refunded",
  "payment.refund_rejected",
  "payment.chargeback_pending",
  "payment.chargeback_processed",
  "payment.chargeback_released",
  "payment.fraud_confirmed",
  "withdrawal.pending",
  "withdrawal.processing",
  "withdrawal.held",
  "withdrawal.released",
  "withdrawal.completed",
  "withdrawal.failed",
  "withdrawal.cancelled",
  "trusted_card.created",
  "trusted_card.verified",
  "trusted_card.deleted",
  "webhook.test",
  "webhook.failing",
  "webhook.disabled",
] as const;

export type EventName = (typeof EVENT_NAMES)[number];

type Subject = EventName extends `${infer Word}.${string}` ? Word : never;

interface SubjectFacts {
  readonly apiFamily: ApiFamily;
  /** Whether it is told of by a transaction's id, which is then in `meta`. */
  readonly isTransaction: boolean;
}

export const API_FAMILIES = ["payments_api", "account_api"] as const;

type ApiFamily = (typeof API_FAMILIES)[number];

const SUBJECTS: Readonly<Record<Subject, SubjectFacts>> = {
  payment: { apiFamily: "payments_api", isTransaction: true },
  withdrawal: { apiFamily: "account_api", isTransaction: true },
  trusted_card: { apiFamily: "payments_api", isTransaction: true },
  webhook: { apiFamily: "account_api", isTransaction: false },
};

export function factsOf(event: EventName): SubjectFacts {
  return SUBJECTS[event.slice(0, event.indexOf(".")) as Subject];
}
