/**
 * The sweep of one process: once a second it asks about what is undecided and ends what is over
 * (Decision 0040).
 */

import { type Queryable, sql } from "../../../infra/db/query.ts";
import { createLoop, type Loop } from "../../../infra/jobs/loop.ts";
import { claimDue, settleAttempt } from "./ask-gateway.ts";
import { tellUndecided } from "./checkout-metrics.ts";
import type { CheckoutContext } from "./context.ts";
import { expireSessions } from "./expire-sessions.ts";
import { reasonOf } from "./reason-of.ts";

const PAUSE_MS = 1_000;
/** A gateway that hangs holds up so many, and no more than the pool of connections can bear. */
const UNDER_WAY_MAX = 8;

export function createCheckoutSweep(ctx: CheckoutContext): Loop {
  const underWay = new Set<Promise<void>>();

  async function look(stopping: AbortSignal): Promise<void> {
    const claimed = await claimDue(ctx, UNDER_WAY_MAX - underWay.size);
    for (const attempt of claimed) {
      const work = settle(ctx, () => settleAttempt(ctx, attempt)).finally(() => {
        underWay.delete(work);
      });
      underWay.add(work);
    }
    while (!(await expireSessions(ctx)).isAll && !stopping.aborted);
    tellUndecided(await countUndecided(ctx.db));
  }

  const loop = createLoop(async (stopping) => {
    await settle(ctx, () => look(stopping));
    return PAUSE_MS;
  });

  return {
    start: loop.start,
    async stop() {
      await loop.stop();
      await Promise.all(underWay);
    },
  };
}

/** Everything that is due, until nothing is: for tests and for whoever cannot wait. */
export async function sweepCheckouts(ctx: CheckoutContext): Promise<void> {
  for (;;) {
    const claimed = await claimDue(ctx, UNDER_WAY_MAX);
    if (claimed.length === 0) break;
    await Promise.all(claimed.map((attempt) => settleAttempt(ctx, attempt)));
  }
  while (!(await expireSessions(ctx)).isAll);
}

async function settle(ctx: CheckoutContext, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    // One that cannot be settled must not keep the others waiting.
    ctx.log.error({ reason: reasonOf(error) }, "checkouts could not be looked after");
  });
}

async function countUndecided(db: Queryable): Promise<Record<string, number>> {
  const rows = await db.rows<{ state: string; count: number }>(sql`
    select state, count(*)::int as count from checkout_attempts
    where next_ask_at is not null group by state`);
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
