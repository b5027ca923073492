/**
 * The jobs that return the amounts which proved cards. They only delegate; see `return-check.ts`
 * (Decision 0043).
 */

import { sql } from "../../infra/db/query.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import type { GatewayContext } from "../gateway/gateway.ts";
import { ENVIRONMENTS } from "../transactions/transaction.ts";
import { tellDue } from "./card-metrics.ts";
import { RETURN_CHECK, returnCheck } from "./return-check.ts";

/** A sweep that meets more leaves them to the next one. */
const AT_ONCE_MAX = 100;

export const returnCheckJob = defineJob({
  name: RETURN_CHECK,
  async run(ctx: GatewayContext, { transactionId }: { transactionId?: string }) {
    if (transactionId !== undefined) await returnCheck(ctx, transactionId);
  },
});

export const returnChecksJob = defineJob({
  name: "return-card-checks",
  everyMinute: true,
  async run(ctx: GatewayContext) {
    await returnChecks(ctx);
  },
});

/** Every one that is due, whoever forgot it; those without a gateway wait for one. */
export async function returnChecks(ctx: GatewayContext): Promise<void> {
  const served = ENVIRONMENTS.filter((environment) => ctx.gateways[environment] !== undefined);
  const due = await ctx.db.rows<{ transaction_id: string }>(sql`
    select transaction_id from card_checks
    where next_return_at <= app_now() and environment = any (${served})
    order by next_return_at limit ${AT_ONCE_MAX}`);
  for (const { transaction_id } of due)
    await returnCheck(ctx, transaction_id).catch((err: unknown) => {
      // One that cannot be returned must not keep the others waiting.
      ctx.log.error({ err, transactionId: transaction_id }, "a card's amount was not returned");
    });
  await tellAllDue(ctx);
}

/** Those that wait for their next try, or for a gateway, are due as well. */
async function tellAllDue({ db }: GatewayContext): Promise<void> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from card_checks where next_return_at is not null`);
  tellDue(count);
}
