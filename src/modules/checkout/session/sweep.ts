/**
 * The sweep of one process: once a second it looks for attempts that are undecided, asks about them
 * until none is due any more, and ends the sessions whose time is over (Decision 0040).
 */

import { LRUCache } from "lru-cache";
import type { Database } from "../../../infra/db/database.ts";
import { type Queryable, sqlOf } from "../../../infra/db/query.ts";
import { float, int, pick, word } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { createLoop, type Loop, together } from "../../../infra/jobs/loop.ts";
import { createSweepLoop, sweepAll } from "../../../infra/jobs/sweep-loop.ts";
import { ENVIRONMENTS } from "../../../kit/vocabulary.ts";
import { claimDue, settleAttempt } from "./ask-gateway.ts";
import { EXPIRED_MAX } from "./checkout-batches.ts";
import { tellUndecided, type Undecided } from "./checkout-metrics.ts";
import type { CheckoutContext } from "./context.ts";
import { expire } from "./end-sessions.ts";
import { errorKind } from "./result-messages.ts";

const PAUSE_MS = 1_000;
/** A gateway that hangs holds up so many, and no more than the pool of connections can bear. */
const UNDER_WAY_MAX = 8;

export function createCheckoutSweep(ctx: CheckoutContext): Loop {
  const onError = (error: unknown) =>
    ctx.log.error({ reason: errorKind(error) }, "the checkout sweep failed");
  const settling = createSweepLoop({
    name: "sweep card attempts",
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

/** Everything that is due, until nothing is: for tests. */
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

const STUCK_MAX = 1_000;

/** Sessions that could not be ended when last tried: with one of them every batch would fail. */
const stuck = new LRUCache<string, true>({ max: STUCK_MAX });

/** Ends sessions whose time is over. `isAll`: looking again at once is of no use. */
export async function expireSessions(ctx: CheckoutContext): Promise<{ isAll: boolean }> {
  const { batches, failpoint } = ctx;
  let endedCount = 0;
  await Promise.all(
    (await findOver(ctx.db)).map(async (transactionId) => {
      const session = { transactionId, failpoint };
      const ending = stuck.has(transactionId)
        ? ctx.db.transaction(async (tx) => (await expire(ctx, tx, [session], "skip"))[0])
        : batches.expireSession(session);
      try {
        if ((await ending) === "now") endedCount += 1;
        stuck.delete(transactionId);
      } catch (error) {
        stuck.set(transactionId, true);
        const reason = errorKind(error);
        ctx.log.error({ transactionId, reason }, "a session could not be ended");
      }
    }),
  );
  return { isAll: endedCount < EXPIRED_MAX };
}

async function findOver(db: Database): Promise<string[]> {
  // The time is asked for once: compared with each, it would be read anew for every open session.
  const over = await db.rows(sqlOf(pick(tables.checkout_sessions, "transaction_id"))`
    select transaction_id from checkout_sessions as session
    where state = 'open' and expires_at <= (select app_now())
      and not exists (
        select from checkout_attempts as attempt
        where attempt.transaction_id = session.transaction_id
          and attempt.state in ('submitted', 'challenged', 'unknown'))
    order by expires_at limit ${EXPIRED_MAX}`);
  return over.map(({ transaction_id }) => transaction_id);
}

async function endWhatIsOver(ctx: CheckoutContext, stopping: AbortSignal): Promise<void> {
  while (!(await expireSessions(ctx)).isAll && !stopping.aborted);
  tellUndecided(await countUndecided(ctx.db));
}

const UNDECIDED = {
  environment: word(...ENVIRONMENTS),
  state: tables.checkout_attempts.state,
  count: int,
  seconds: float,
};

function countUndecided(db: Queryable): Promise<Undecided[]> {
  return db.rows(sqlOf(UNDECIDED)`
    select case when starts_with(transaction_id, 'SB-') then 'sandbox' else 'live' end
        as environment,
      state, count(*)::int as count,
      extract(epoch from app_now() - min(began_at))::float8 as seconds
    from checkout_attempts where next_ask_at is not null group by 1, 2`);
}
