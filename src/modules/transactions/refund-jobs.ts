/**
 * When refunds are worked on: at once after they were asked for, again after a growing while when
 * the gateway's answer was lost, when a lease is over that a dead process held, and by a sweep that
 * finds whatever is left (Decision 0029).
 */

import { type Queryable, sql } from "../../infra/db/query.ts";

export const SETTLE_REFUND = "settle-refund";
/** So that the job never finds its refund a moment too early. */
const SLACK_SECONDS = 0.2;

const keyOf = (refundId: string) => `${SETTLE_REFUND} ${refundId}`;

/** Under a key, so that a refund has one job that waits, however often it is asked for. */
export async function addRefundJob(
  tx: Queryable,
  refundId: string,
  inSeconds: number,
): Promise<void> {
  const wait = inSeconds === 0 ? 0 : inSeconds + SLACK_SECONDS;
  await tx.run(sql`
    select graphile_worker.add_job(${SETTLE_REFUND}, ${JSON.stringify({ refundId })}::json,
      job_key => ${keyOf(refundId)},
      run_at => clock_timestamp() + make_interval(secs => ${wait}))`);
}

/** Of a refund that ends: what waits would find nothing to do. */
export async function removeRefundJob(tx: Queryable, refundId: string): Promise<void> {
  await tx.run(sql`select graphile_worker.remove_job(${keyOf(refundId)})`);
}
