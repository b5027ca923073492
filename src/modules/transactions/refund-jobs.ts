/**
 * When refunds are worked on: at once after they were asked for, again after a growing while when
 * the gateway's answer was lost, and by a sweep that finds what a dead process left behind
 * (Decision 0029).
 */

import { type Queryable, sql } from "../../infra/db/query.ts";

export const SETTLE_REFUND = "settle-refund";
/** So that the job never finds its refund a moment too early. */
const SLACK_SECONDS = 0.2;

/** Under a key, so that a refund has one job that waits, however often it is asked for. */
export async function addRefundJob(
  tx: Queryable,
  refundId: string,
  inSeconds: number,
): Promise<void> {
  const wait = inSeconds === 0 ? 0 : inSeconds + SLACK_SECONDS;
  await tx.run(sql`
    select graphile_worker.add_job(${SETTLE_REFUND}, ${JSON.stringify({ refundId })}::json,
      job_key => ${`${SETTLE_REFUND} ${refundId}`},
      run_at => clock_timestamp() + make_interval(secs => ${wait}))`);
}
