/**
 * What returns the amounts which proved cards: a job for each, and a loop for those whose job died
 * with its worker. They only delegate; see `return-check.ts` (Decision 0043).
 */

import { sql } from "../../infra/db/query.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import type { Loop } from "../../infra/jobs/loop.ts";
import { claimEach, createSweepLoop, sweepAll } from "../../infra/jobs/sweep-loop.ts";
import type { GatewayContext } from "../gateway/port.ts";
import { ENVIRONMENTS } from "../transactions/transaction.ts";
import { tellDue } from "./card-metrics.ts";
import { claimReturn, RETURN_CHECK, returnCheck } from "./return-check.ts";

const PAUSE_MS = 5_000;
const UNDER_WAY_MAX = 4;
/** More than can be under way: some may be in other hands. */
const LOOKED_AT_MAX = 100;

export const returnCheckJob = defineJob({
  name: RETURN_CHECK,
  async run(ctx: GatewayContext, { transactionId }: { transactionId?: string }) {
    if (transactionId !== undefined) await returnCheck(ctx, transactionId);
  },
});

export function createReturnSweep(ctx: GatewayContext): Loop {
  return createSweepLoop({
    pauseMs: PAUSE_MS,
    underWayMax: UNDER_WAY_MAX,
    claim: () => claimDue(ctx),
    onError: (err) => ctx.log.error({ err }, "cards' amounts could not be looked after"),
  });
}

/** Every one that is due, for tests, which cannot wait. */
export async function returnChecks(ctx: GatewayContext): Promise<void> {
  await sweepAll(() => claimDue(ctx));
}

/** Whoever forgot them; those without a gateway wait for one. */
async function* claimDue(ctx: GatewayContext): AsyncIterable<() => Promise<void>> {
  await tellAllDue(ctx);
  const served = ENVIRONMENTS.filter((environment) => ctx.gateways[environment] !== undefined);
  const due = await ctx.db.rows<{ transaction_id: string }>(sql`
    select transaction_id from card_checks
    where next_return_at <= (select app_now()) and environment = any (${served})
    order by next_return_at limit ${LOOKED_AT_MAX}`);
  yield* claimEach(
    due,
    ({ transaction_id }) => claimReturn(ctx, transaction_id),
    (err, { transaction_id: transactionId }) =>
      ctx.log.error({ err, transactionId }, "a card's amount was not returned"),
  );
}

/** Those that wait for their next try, or for a gateway, are due as well. */
async function tellAllDue({ db }: GatewayContext): Promise<void> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from card_checks where next_return_at is not null`);
  tellDue(count);
}
