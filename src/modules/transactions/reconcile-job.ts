/** Matches the records of payments to the books every hour (Decision 0024). */

import { defineMatchingJob } from "./define-matching-job.ts";
import { type HoldsContext, reconcileRecords } from "./reconcile-records.ts";

export const reconcileRecordsJob = defineMatchingJob({
  name: "reconcile-records",
  everyHourAtMinute: 33,
  records: "the records",
  gauge: {
    name: "windward_record_differences",
    help: "Slots where payments, refunds and disputes differ from the books, when last matched.",
  },
  match: (ctx: HoldsContext) => reconcileRecords(ctx),
});
