/**
 * What ends refunds: a job for each, and a loop for those whose job died with its worker. They only
 * delegate; see `refund-settle.ts` (Decision 0029).
 */

import { sqlOf } from "../../infra/db/query.ts";
import { pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import { type Loop, together } from "../../infra/jobs/loop.ts";
import { claimEach, createSweepLoop, sweepAll } from "../../infra/jobs/sweep-loop.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import type { GatewayContext } from "../gateway/port.ts";
import { SETTLE_REFUND } from "./refund-schedule.ts";
import { claimRefund, settleRefund } from "./refund-settle.ts";
import { ENVIRONMENTS } from "./transaction.ts";

const PAUSE_MS = 5_000;
const UNDER_WAY_MAX = 4;
/** More than can be under way: some may be in other hands. */
const LOOKED_AT_MAX = 100;

export const settleRefundJob = defineJob({
  name: SETTLE_REFUND,
  async run(ctx: GatewayContext, { refundId }: { refundId?: string }) {
    if (refundId !== undefined) await settleRefund(ctx, refundId);
  },
});

/** Each environment has its own places: what somebody tries out holds up nobody's money. */
export function createRefundSweep(ctx: GatewayContext): Loop {
  const sweepOf = (environment: Environment) =>
    createSweepLoop({
      pauseMs: PAUSE_MS,
      underWayMax: UNDER_WAY_MAX,
      claim: () => claimDue(ctx, [environment]),
      onError: (err) => ctx.log.error({ err, environment }, "refunds could not be looked after"),
    });
  return together(ENVIRONMENTS.map(sweepOf));
}

/** Every refund that is due, for tests, which cannot wait; tells how many there were. */
export function sweepRefunds(ctx: GatewayContext): Promise<number> {
  return sweepAll(() => claimDue(ctx, ENVIRONMENTS));
}

/**
 * Those that wait for a gateway to be configured are passed over, or they would stand before the
 * others for ever.
 */
async function* claimDue(
  ctx: GatewayContext,
  environments: readonly Environment[],
): AsyncIterable<() => Promise<void>> {
  const served = environments.filter((environment) => ctx.gateways[environment] !== undefined);
  const due = await ctx.db.rows(sqlOf(pick(tables.refunds, "refund_id"))`
    select refund_id from refunds join transactions using (transaction_id)
    where next_try_at <= (select app_now()) and environment = any (${served})
    order by next_try_at limit ${LOOKED_AT_MAX}`);
  yield* claimEach(
    due,
    ({ refund_id }) => claimRefund(ctx, refund_id),
    (err, { refund_id: refundId }) =>
      ctx.log.error({ err, refundId }, "a refund could not be settled"),
  );
}
