/**
 * The sweep of one process: once a second it looks for attempts that are undecided, asks about them
 * until none is due any more, and ends the sessions whose time is over (Decision 0040).
 */

import { LRUCache } from "lru-cache";
import type { Database } from "../../../infra/db/database.ts";
import { type Queryable, sqlOf } from "../../../infra/db/query.ts";
import { float, int, pick, word } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { BUSY } from "../../../infra/db/write-batch.ts";
import { createLoop, type Loop, together } from "../../../infra/jobs/loop.ts";
import { createSweepLoop } from "../../../infra/jobs/sweep-loop.ts";
import { Unavailable } from "../../../kit/errors.ts";
import { ENVIRONMENTS } from "../../../kit/vocabulary.ts";
import { ENVIRONMENT_OF_ID } from "../../transactions/environment-of-id.ts";
import { claimDue, settleAttempt } from "./ask-gateway.ts";
import { EXPIRED_MAX } from "./checkout-batches.ts";
import { tellUndecided, type Undecided } from "./checkout-metrics.ts";
import type { CheckoutContext, Expired } from "./context.ts";
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

/** One by one, so that each is worked on as soon as it is claimed. */
export async function* claimAttempts(ctx: CheckoutContext): AsyncIterable<() => Promise<void>> {
  for (;;) {
    const [attempt] = await claimDue(ctx, 1);
    if (attempt === undefined) return;
    yield () => settleAttempt(ctx, attempt);
  }
}

const STUCK_MAX = 1_000;
/** Of those that are stuck, in each look. */
const RETRIED_MAX = 10;

/**
 * Sessions that could not be ended though the database could be reached, the longest ago last.
 * With one of them every batch would fail, so each is tried alone; and they are not looked for, or
 * enough of them would leave no room for any other.
 */
const stuck = new LRUCache<string, true>({ max: STUCK_MAX });

/** Ends sessions whose time is over. `isAll`: looking again at once is of no use. */
export async function expireSessions(ctx: CheckoutContext): Promise<{ isAll: boolean }> {
  const { batches, db, failpoint } = ctx;
  const tryAgain = stuck.rkeys().take(RETRIED_MAX).toArray();
  const over = await findOver(db, [...stuck.keys()]);
  const alone = tryAgain.map((transactionId) =>
    end(ctx, transactionId, () =>
      db.transaction(
        async (tx) => (await expire(ctx, tx, [{ transactionId, failpoint }], "skip"))[0],
      ),
    ),
  );
  const ends = over.map((transactionId) =>
    end(ctx, transactionId, () => batches.expireSession({ transactionId, failpoint })),
  );
  const outcomes = await Promise.all(ends);
  await Promise.all(alone);
  // Those that another step has locked are found again.
  return { isAll: outcomes.filter((isDone) => isDone).length < EXPIRED_MAX };
}

/** Whether it is not found by the next look, as it has ended or is stuck. */
async function end(
  { log }: CheckoutContext,
  transactionId: string,
  expireIt: () => Promise<Expired | typeof BUSY | undefined>,
): Promise<boolean> {
  try {
    const ended = await expireIt();
    stuck.delete(transactionId);
    return ended === "now";
  } catch (error) {
    const reason = errorKind(error);
    log.error({ transactionId, reason }, "a session could not be ended");
    const isStuck = stuck.has(transactionId) || !(error instanceof Unavailable);
    if (isStuck) stuck.set(transactionId, true);
    // Beyond these the next look finds it again, and again at once.
    return isStuck && stuck.size < STUCK_MAX;
  }
}

async function findOver(db: Database, without: readonly string[]): Promise<string[]> {
  // The time is asked for once: compared with each, it would be read anew for every open session.
  const over = await db.rows(sqlOf(pick(tables.checkout_sessions, "transaction_id"))`
    select transaction_id from checkout_sessions as session
    where state = 'open' and expires_at <= (select app_now())
      and transaction_id <> all (${without})
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
    select ${ENVIRONMENT_OF_ID} as environment, state, count(*)::int as count,
      extract(epoch from app_now() - min(began_at))::float8 as seconds
    from checkout_attempts where next_ask_at is not null group by 1, 2`);
}
