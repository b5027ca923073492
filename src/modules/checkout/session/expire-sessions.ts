/**
 * Ends sessions whose time is over and whose customer owes us nothing but a decision: never tried a
 * card, or the last one was declined (Interface §3.2, Decision 0040).
 *
 * Those for which no card was tried end many in one tx (`expire-untried.ts`); here each of the
 * others, and each of those where that went wrong.
 *
 * The rule that matters: one with an attempt that is not decided is left alone here. Somebody asks
 * the gateway about it (`ask-gateway.ts`), and its answer counts.
 */

import { LRUCache } from "lru-cache";
import { type Sql, sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { cardOf, isUndecided, lastAttempt } from "./attempt.ts";
import type { CheckoutContext } from "./context.ts";
import { endSession } from "./end-session.ts";
import { expireUntried } from "./expire-untried.ts";
import { reasonOf } from "./reason-of.ts";
import { endOf, TIMED_OUT } from "./result-messages.ts";
import { lockSession, type SessionView } from "./session.ts";

const SESSIONS_AT_ONCE_MAX = 100;
const STUCK_MAX = 1_000;

/** Could not be ended by itself when last tried: among many it would keep all of them open. */
const stuck = new LRUCache<string, true>({ max: STUCK_MAX });

/** First the many that nobody tried. `isAll`: looking again at once is of no use. */
export async function expireSessions(ctx: CheckoutContext): Promise<{ isAll: boolean }> {
  const apart = [...stuck.keys()];
  const untried = await expireUntried(ctx, { but: apart }).catch((error: unknown) => {
    ctx.log.error({ reason: reasonOf(error) }, "sessions could not be ended together");
    return "failed" as const;
  });
  if (untried === "failed") return expireEach(ctx, sql`true`);
  const others = await expireEach(
    ctx,
    sql`(purpose <> 'payment' or attempt_count > 0 or transaction_id = any(${apart}))`,
  );
  return { isAll: untried.isAll && others.isAll };
}

/** Each by itself: one that cannot be ended must not keep the others open. */
async function expireEach(ctx: CheckoutContext, which: Sql): Promise<{ isAll: boolean }> {
  // The time is asked for once: compared with each, it would be read anew for every open session.
  const over = await ctx.db.rows<{ transaction_id: string }>(sql`
    select transaction_id from checkout_sessions as session
    where state = 'open' and expires_at <= (select app_now()) and ${which}
      and not exists (
        select from checkout_attempts as attempt
        where attempt.transaction_id = session.transaction_id
          and attempt.state in ('submitted', 'challenged', 'unknown'))
    order by expires_at limit ${SESSIONS_AT_ONCE_MAX}`);
  let endedCount = 0;
  for (const { transaction_id: transactionId } of over) {
    try {
      if (await expireSession(ctx, { transactionId })) endedCount += 1;
      stuck.delete(transactionId);
    } catch (error) {
      stuck.set(transactionId, true);
      ctx.log.error({ transactionId, reason: reasonOf(error) }, "a session could not be ended");
    }
  }
  return { isAll: endedCount < SESSIONS_AT_ONCE_MAX };
}

/** Also for one that somebody looks at, who need not wait for the sweep. Whether this ended it. */
export async function expireSession(
  ctx: CheckoutContext,
  { transactionId }: Pick<SessionView, "transactionId">,
): Promise<boolean> {
  const ended = await ctx.db.transaction((tx) => expire(ctx, tx, transactionId));
  return ended === "now";
}

/** Not yet: its time is not over, or a card is not decided. */
export async function expire(
  ctx: CheckoutContext,
  tx: Tx,
  transactionId: string,
): Promise<"now" | "before" | "not yet"> {
  const session = await lockSession(ctx, tx, transactionId);
  if (session.state === "ended") return "before";
  if (!session.is_over) return "not yet";
  const last = await lastAttempt(tx, transactionId);
  if (last !== undefined && isUndecided(last.state)) return "not yet";
  // One that was approved after we had given it up says nothing of the kind: it is voided.
  const message = last?.state === "declined" ? endOf(last) : TIMED_OUT;
  const card = last === undefined ? null : cardOf(last);
  await endSession(ctx, tx, session, { status: "failed", message, card });
  return "now";
}
