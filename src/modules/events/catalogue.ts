/**
 * The names of all events, and the API family of each (Decision 0032). `docs/events.md` shows what
 * each one looks like.
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
  "withdrawal.returned",
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
  /** Whether its resource is a transaction, whose id then stands in `meta`. */
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

export const TRANSACTION_SUBJECTS = Object.entries(SUBJECTS)
  .filter(([, { isTransaction }]) => isTransaction)
  .map(([subject]) => subject);

export function factsOf(event: EventName): SubjectFacts {
  return SUBJECTS[event.slice(0, event.indexOf(".")) as Subject];
}
