/**
 * The sweep of one process: once a second it looks for what is undecided, asks about it until
 * nothing is due any more, and ends what is over (Decision 0040).
 */

import { type Queryable, sql } from "../../../infra/db/query.ts";
import { createLoop, type Loop, together } from "../../../infra/jobs/loop.ts";
import { createSweepLoop, sweepAll } from "../../../infra/jobs/sweep-loop.ts";
import { claimDue, settleAttempt } from "./ask-gateway.ts";
import { tellUndecided } from "./checkout-metrics.ts";
import type { CheckoutContext } from "./context.ts";
import { expireSessions } from "./expire-sessions.ts";
import { reasonOf } from "./reason-of.ts";

const PAUSE_MS = 1_000;
/** A gateway that hangs holds up so many, and no more than the pool of connections can bear. */
const UNDER_WAY_MAX = 8;

export function createCheckoutSweep(ctx: CheckoutContext): Loop {
  const onError = (error: unknown) =>
    ctx.log.error({ reason: reasonOf(error) }, "checkouts could not be looked after");
  const settling = createSweepLoop({
    pauseMs: PAUSE_MS,
    underWayMax: UNDER_WAY_MAX,
    claim: () => claimAttempts(ctx),
    onError,
  });
  const ending = createLoop(async (stopping) => {
    await endWhatIsOver(ctx, stopping).catch(onError);
    return PAUSE_MS;
  });
  return together([settling, ending]);
}

/** Everything that is due, until nothing is: for tests and for whoever cannot wait. */
export async function sweepCheckouts(ctx: CheckoutContext): Promise<void> {
  await sweepAll(() => claimAttempts(ctx));
  while (!(await expireSessions(ctx)).isAll);
}

/** One by one, so that each is worked on as soon as it is claimed. */
async function* claimAttempts(ctx: CheckoutContext): AsyncIterable<() => Promise<void>> {
  for (;;) {
    const [attempt] = await claimDue(ctx, 1);
    if (attempt === undefined) return;
    yield () => settleAttempt(ctx, attempt);
  }
}

async function endWhatIsOver(ctx: CheckoutContext, stopping: AbortSignal): Promise<void> {
  while (!(await expireSessions(ctx)).isAll && !stopping.aborted);
  tellUndecided(await countUndecided(ctx.db));
}

async function countUndecided(db: Queryable): Promise<Record<string, number>> {
  const rows = await db.rows<{ state: string; count: number }>(sql`
    select state, count(*)::int as count from checkout_attempts
    where next_ask_at is not null group by state`);
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
