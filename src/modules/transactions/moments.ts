/** When events were written about payments, by which they are found (`events/find-events.ts`). */

import { type Queryable, sqlOf } from "../../infra/db/query.ts";
import { pick, timestamp } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";

const MOMENT = {
  ...pick(tables.transactions, "transaction_id", "account_number", "environment"),
  at: timestamp,
};

/**
 * Their request and result, their refunds and disputes, and the voids of late approvals: attempts
 * do not keep when they were voided, the audit trail does.
 */
export function momentsOf(db: Queryable, ids: readonly string[]) {
  return db.rows(sqlOf(MOMENT)`
    select transaction_id, account_number, environment, at
    from transactions
    cross join lateral (
      select created_at as at
      union select finalised_at
      union select unnest(array[created_at, ended_at]) from refunds
      where refunds.transaction_id = transactions.transaction_id
      union select unnest(array[opened_at, ended_at]) from disputes
      where disputes.transaction_id = transactions.transaction_id
      union select voided.happened_at from checkout_attempts as attempt
      cross join lateral (
        select happened_at from audit_entries
        where detail ->> 'transaction_id' = attempt.transaction_id
          and action = 'late_approval_voided'
        offset 0
      ) as voided
      where attempt.transaction_id = transactions.transaction_id and attempt.state = 'voided'
    ) as moment
    where transaction_id = any (${ids}) and at is not null`);
}
