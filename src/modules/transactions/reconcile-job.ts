/** Matches the records of payments to the books every hour, and tells whoever watches. */

import { Gauge } from "prom-client";
import { defineJob } from "../../infra/jobs/job.ts";
import { describeDifference } from "../ledger/difference.ts";
import { type HoldsContext, reconcileRecords } from "./reconcile-records.ts";

const differences = new Gauge({
  name: "windward_record_differences",
  help: "Places where payments, refunds and disputes differ from the books, when last matched.",
  aggregator: "max",
});

/** After the books have been re-added by themselves (`reconcile-ledger`). */
export const reconcileRecordsJob = defineJob({
  name: "reconcile-records",
  everyHourAtMinute: 33,
  async run(ctx: HoldsContext) {
    const { log } = ctx;
    const { paymentCount, differenceCount, ...report } = await reconcileRecords(ctx);
    differences.set(differenceCount);
    const words = report.differences.map(describeDifference);
    if (differenceCount === 0) log.info({ paymentCount }, "the records agree with the books");
    else
      log.error(
        { paymentCount, differenceCount, differences: words },
        "the records differ from the books",
      );
  },
});
