/** Matches withdrawals to the books every hour, after all that is held was matched. */

import { defineMatchingJob } from "../transactions/define-matching-job.ts";
import { reconcileWithdrawals } from "./reconcile-withdrawals.ts";

export const reconcileWithdrawalsJob = defineMatchingJob({
  name: "reconcile-withdrawals",
  everyHourAtMinute: 36,
  records: "withdrawals",
  gauge: {
    name: "windward_withdrawal_differences",
    help: "Slots where withdrawals differ from the books, when last matched.",
  },
  match: ({ db }) => reconcileWithdrawals(db),
});
