/**
 * Matches withdrawals to the books (Decisions 0024 and 0045): each has exactly the transfers that
 * its status and its payouts ask for, written a second time here, apart from the recipes. What is
 * held for them is matched by `reconcileRecords`, together with all else that holds money.
 */

import type { Database } from "../../infra/db/database.ts";
import { sql } from "../../infra/db/query.ts";
import type { Records } from "../transactions/match-legs.ts";
import {
  defineMatchingJob,
  type MatchReport,
  matchRecords,
} from "../transactions/match-records.ts";

const ONCE = sql`
  select transaction_id, occasion || ' ' || transaction_id as posting_id, debit, credit, minor
  from record
  left join payouts using (transaction_id), lateral (values
    ('withdrawal_requested', 'available', 'held', amount_minor, true),
    ('withdrawal_requested', 'available', 'held', fee_minor, true),
    ('withdrawal_completed', 'payouts_in_transit', 'gateway_clearing', amount_minor,
      status in ('completed', 'returned')),
    ('withdrawal_completed', 'held', 'fee_income', fee_minor,
      status in ('completed', 'returned')),
    ('withdrawal_returned', 'gateway_clearing', 'available', amount_minor, status = 'returned'),
    ('withdrawal_returned', 'fee_income', 'available', fee_minor, status = 'returned'),
    ('withdrawal_failed', case when is_stopped is false then 'payouts_in_transit' else 'held' end,
      'available', amount_minor, status = 'failed'),
    ('withdrawal_failed', 'held', 'available', fee_minor, status = 'failed'),
    ('withdrawal_cancelled', 'held', 'available', amount_minor, status = 'cancelled'),
    ('withdrawal_cancelled', 'held', 'available', fee_minor, status = 'cancelled')
  ) as move (occasion, debit, credit, minor, has_happened)
  where has_happened and coalesce(number, 0) = payout_count`;

const EACH_TIME = sql`
  select transaction_id, occasion || ' ' || transaction_id || ' ' || number, debit, credit,
    amount_minor
  from record join payouts using (transaction_id), lateral (values
    ('withdrawal_sent', 'held', 'payouts_in_transit', true),
    ('withdrawal_stopped', 'payouts_in_transit', 'held', is_stopped)
  ) as move (occasion, debit, credit, has_happened)
  where has_happened`;

const WITHDRAWAL_RECORDS: Records = {
  table: sql`withdrawals`,
  occasions: [
    "withdrawal_requested",
    "withdrawal_sent",
    "withdrawal_stopped",
    "withdrawal_completed",
    "withdrawal_failed",
    "withdrawal_cancelled",
    "withdrawal_returned",
  ],
  wanted: sql`${ONCE} union all ${EACH_TIME}`,
};

/** What has been sent to a bank is not held any more, except for its fee. */
export const HELD_FOR_WITHDRAWALS = sql`
  select environment, currency, account_number,
    fee_minor + case when status = 'processing' then 0 else amount_minor end
  from withdrawals where status in ('pending', 'processing', 'held')`;

export function reconcileWithdrawals(db: Database): Promise<MatchReport> {
  return matchRecords(db, WITHDRAWAL_RECORDS);
}

export const reconcileWithdrawalsJob = defineMatchingJob({
  name: "reconcile-withdrawals",
  everyHourAtMinute: 36,
  records: "withdrawals",
  gauge: {
    name: "windward_withdrawal_differences",
    help: "Differences of withdrawals from the books, when last matched.",
  },
  match: ({ db }) => reconcileWithdrawals(db),
});
