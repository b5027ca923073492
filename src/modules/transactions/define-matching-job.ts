/** A job that matches one kind of record to the books every hour, and tells whoever watches. */

import { Gauge } from "prom-client";
import type { Infra } from "../../infra/context.ts";
import { defineJob, type Job } from "../../infra/jobs/job.ts";
import { describeDifference } from "../ledger/difference.ts";
import type { MatchReport } from "./match-records.ts";

interface Matching<Ctx extends Infra> {
  readonly name: string;
  /** After the books have been re-added by themselves (`reconcile-ledger`). */
  readonly everyHourAtMinute: number;
  /** What is matched, in the plural, as the log says it. */
  readonly records: string;
  readonly gauge: { readonly name: string; readonly help: string };
  match(ctx: Ctx): Promise<MatchReport>;
}

export function defineMatchingJob<Ctx extends Infra>(matching: Matching<Ctx>): Job<Ctx> {
  const { name, everyHourAtMinute, records, match } = matching;
  const differenceGauge = new Gauge({ ...matching.gauge, aggregator: "max" });
  return defineJob({
    name,
    everyHourAtMinute,
    async run(ctx: Ctx) {
      const { recordCount, differenceCount, differences } = await match(ctx);
      differenceGauge.set(differenceCount);
      if (differenceCount === 0) {
        ctx.log.info({ recordCount }, `${records} agree with the books`);
        return;
      }
      const words = differences.map(describeDifference);
      const report = { recordCount, differenceCount, differences: words };
      ctx.log.error(report, `${records} differ from the books`);
    },
  });
}
