/** Re-adds the books every hour, and tells whoever watches: a line in the log and two figures. */

import { Gauge } from "prom-client";
import type { Infra } from "../../infra/context.ts";
import { now } from "../../infra/db/clock.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import { epochSeconds } from "../../kit/clock.ts";
import { describeDifference } from "./difference.ts";
import { reconcile } from "./reconcile.ts";

const differences = new Gauge({
  name: "windward_ledger_differences",
  help: "Slots where the books differ from their transfers, when they were last re-added.",
  aggregator: "max",
});
const reconciledAt = new Gauge({
  name: "windward_ledger_reconciled_at_seconds",
  help: "When the books were last re-added.",
  aggregator: "max",
});

export const reconcileLedger = defineJob({
  name: "reconcile-ledger",
  everyHourAtMinute: 23,
  async run({ db, log }: Infra) {
    const report = await reconcile(db);
    differences.set(report.differenceCount);
    reconciledAt.set(epochSeconds(await now(db)));
    const { differenceCount, ...counts } = report;
    const words = report.differences.map(describeDifference);
    if (differenceCount === 0) log.info(counts, "the books balance");
    else log.error({ ...counts, differenceCount, differences: words }, "the books differ");
  },
});
