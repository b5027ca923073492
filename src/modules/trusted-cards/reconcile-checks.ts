/**
 * Matches the small amounts that prove cards to the books (Decisions 0024 and 0043): each that was
 * charged has its posting, and each that was returned a second one, written here a second time,
 * apart from the recipes.
 */

import type { Database } from "../../infra/db/database.ts";
import { sql } from "../../infra/db/query.ts";
import type { Records } from "../transactions/match-legs.ts";
import {
  defineMatchingJob,
  type MatchReport,
  matchRecords,
} from "../transactions/match-records.ts";

const CHECK_RECORDS: Records = {
  table: sql`(select *, 'USD' as currency from card_checks) as checks`,
  occasions: ["card_check_charged", "card_check_returned"],
  wanted: sql`
    select transaction_id, occasion || ' ' || transaction_id as posting_id, debit, credit,
      amount_minor as minor
    from record, lateral (values
      ('card_check_charged', 'gateway_clearing', 'card_checks', status = 'success'),
      ('card_check_returned', 'card_checks', 'gateway_clearing', return_state = 'returned')
    ) as move (occasion, debit, credit, has_happened)
    where has_happened`,
};

export function reconcileChecks(db: Database): Promise<MatchReport> {
  return matchRecords(db, CHECK_RECORDS);
}

export const reconcileChecksJob = defineMatchingJob({
  name: "reconcile-card-checks",
  everyHourAtMinute: 37,
  records: "card checks",
  gauge: {
    name: "windward_card_check_differences",
    help: "Differences of card checks from the books, when last matched.",
  },
  match: ({ db }) => reconcileChecks(db),
});
