/**
 * Which events are noted for a mail, by the statement that numbers them (Decision 0143): no payment
 * waits for it. Whom to mail is decided when the mail is made.
 */

import { type Sql, sql } from "../../infra/db/query.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import type { EventName } from "../events/catalogue.ts";

const NOTIFYING = [
  "payment.success",
  "payment.chargeback_pending",
  "payment.fraud_confirmed",
  "withdrawal.held",
  "withdrawal.failed",
  "withdrawal.returned",
] as const satisfies readonly EventName[];

export type NotifyingEvent = (typeof NOTIFYING)[number];

/**
 * Of `one`, with the columns of `NUMBERED`. Scalar subselects, since `exists` may be planned as a
 * hash of the whole table (Decision 0061).
 */
export function isNoted(environments: readonly Environment[]): Sql {
  return sql`
    one.environment = any(${environments}) and one.event = any(${NOTIFYING})
    and (one.event <> 'payment.success'
      or (select payment_link from transactions
        where transactions.transaction_id = one.resource limit 1) is not null
      or (select true from notification_choices as choice
        where choice.account_number = one.account_number and payments = 'all' limit 1))`;
}
