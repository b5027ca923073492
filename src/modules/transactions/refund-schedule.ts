/**
 * When refunds are worked on: at once after they were asked for, again after a growing while when
 * the gateway's answer was lost, when a lease is over that a dead process held, and by a sweep that
 * finds whatever is left (Decision 0029).
 */

import type { Queryable } from "../../infra/db/query.ts";
import { addJob, removeJob } from "../../infra/jobs/job.ts";

export const SETTLE_REFUND = "settle-refund";
/** So that the job never finds its refund a moment too early. */
const SLACK_SECONDS = 0.2;

const keyOf = (refundId: string) => `${SETTLE_REFUND} ${refundId}`;

/** Under a key, so that a refund has one job that waits, however often it is asked for. */
export async function scheduleRefund(
  tx: Queryable,
  refundId: string,
  inSeconds: number,
): Promise<void> {
  const wait = inSeconds === 0 ? 0 : inSeconds + SLACK_SECONDS;
  await addJob(tx, SETTLE_REFUND, { refundId }, { key: keyOf(refundId), inSeconds: wait });
}

/** Of a refund that ends: what waits would find nothing to do. */
export async function unscheduleRefund(tx: Queryable, refundId: string): Promise<void> {
  await removeJob(tx, keyOf(refundId));
}
