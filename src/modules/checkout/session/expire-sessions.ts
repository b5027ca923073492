/**
 * Ends sessions whose time is over and whose customer owes us nothing but a decision: never tried a
 * card, or the last one was declined (Interface §3.2, Decision 0040).
 *
 * The rule that matters: one with an attempt that is not decided is left alone here. Somebody asks
 * the gateway about it (`ask-gateway.ts`), and its answer counts.
 */

import { sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { attemptsOf, cardOf, isUndecided } from "./attempt.ts";
import { countEnded } from "./checkout-metrics.ts";
import type { CheckoutContext } from "./context.ts";
import { endSession } from "./end-session.ts";
import { endOf, TIMED_OUT } from "./result-messages.ts";
import { lockSession, type SessionView } from "./session.ts";

const SESSIONS_AT_ONCE_MAX = 100;

/** Tells how many it ended; as many as it may: there may be more. */
export async function expireSessions(ctx: CheckoutContext): Promise<{ isAll: boolean }> {
  const count = await ctx.db.transaction(async (tx) => {
    const over = await tx.rows<{ transaction_id: string }>(sql`
      select transaction_id from checkout_sessions as session
      where state = 'open' and expires_at <= app_now()
        and not exists (
          select from checkout_attempts as attempt
          where attempt.transaction_id = session.transaction_id
            and attempt.state in ('submitted', 'challenged', 'unknown'))
      order by expires_at limit ${SESSIONS_AT_ONCE_MAX}
      for update skip locked`);
    let ended = 0;
    for (const { transaction_id } of over) if (await expire(ctx, tx, transaction_id)) ended += 1;
    return ended;
  });
  countEnded("failed", count);
  return { isAll: count < SESSIONS_AT_ONCE_MAX };
}

/** The same for one that somebody looks at, who need not wait for the sweep. */
export async function expireSession(
  ctx: CheckoutContext,
  { transactionId }: Pick<SessionView, "transactionId">,
): Promise<void> {
  const isEnded = await ctx.db.transaction((tx) => expire(ctx, tx, transactionId));
  countEnded("failed", isEnded ? 1 : 0);
}

async function expire(ctx: CheckoutContext, tx: Tx, transactionId: string): Promise<boolean> {
  const session = await lockSession(ctx, tx, transactionId);
  if (session.state === "ended" || !session.is_over) return false;
  const last = (await attemptsOf(tx, transactionId)).at(-1);
  if (last !== undefined && isUndecided(last.state)) return false;
  const message = last === undefined ? TIMED_OUT : endOf(last);
  const card = last === undefined ? null : cardOf(last);
  await endSession(ctx, tx, session, { status: "failed", message, card });
  return true;
}
