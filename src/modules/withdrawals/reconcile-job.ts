/** Matches withdrawals to the books every hour, and tells whoever watches. */

import { Gauge } from "prom-client";
import type { Infra } from "../../infra/context.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import { describeDifference } from "../ledger/difference.ts";
import { reconcileWithdrawals } from "./reconcile-withdrawals.ts";

const differences = new Gauge({
  name: "windward_withdrawal_differences",
  help: "Places where withdrawals differ from the books, when last matched.",
  aggregator: "max",
});

/** After what they hold was matched with all else that is held. */
export const reconcileWithdrawalsJob = defineJob({
  name: "reconcile-withdrawals",
  everyHourAtMinute: 36,
  async run({ db, log }: Infra) {
    const report = await reconcileWithdrawals(db);
    const { recordCount: withdrawalCount, differenceCount } = report;
    differences.set(differenceCount);
    const words = report.differences.map(describeDifference);
    if (differenceCount === 0) log.info({ withdrawalCount }, "withdrawals agree with the books");
    else
      log.error(
        { withdrawalCount, differenceCount, differences: words },
        "withdrawals differ from the books",
      );
  },
});
