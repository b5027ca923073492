/** The jobs that end refunds. They only delegate; see `refund-settle.ts` (Decision 0029). */

import { sql } from "../../infra/db/query.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import type { GatewayContext } from "../gateway/gateway.ts";
import { SETTLE_REFUND } from "./refund-schedule.ts";
import { settleRefund } from "./refund-settle.ts";
import { ENVIRONMENTS } from "./transaction.ts";

/** A sweep that meets more leaves them to the next one, a minute later. */
const REFUNDS_AT_ONCE_MAX = 100;

export const settleRefundJob = defineJob({
  name: SETTLE_REFUND,
  async run(ctx: GatewayContext, { refundId }: { refundId?: string }) {
    if (refundId !== undefined) await settleRefund(ctx, refundId);
  },
});

export const sweepRefundsJob = defineJob({
  name: "sweep-refunds",
  everyMinute: true,
  async run(ctx: GatewayContext) {
    await sweepRefunds(ctx);
  },
});

/**
 * Every refund that is due, whoever forgot it; tells how many there were. Those that wait for a
 * gateway to be configured are passed over, or they would stand before the others for ever.
 */
export async function sweepRefunds(ctx: GatewayContext): Promise<number> {
  const served = ENVIRONMENTS.filter((environment) => ctx.gateways[environment] !== undefined);
  const due = await ctx.db.rows<{ refund_id: string }>(sql`
    select refund_id from refunds join transactions using (transaction_id)
    where next_try_at <= app_now() and environment = any (${served})
    order by next_try_at limit ${REFUNDS_AT_ONCE_MAX}`);
  for (const { refund_id } of due)
    await settleRefund(ctx, refund_id).catch((err: unknown) => {
      // One that cannot be settled must not keep the others waiting.
      ctx.log.error({ err, refundId: refund_id }, "a refund could not be settled");
    });
  return due.length;
}
