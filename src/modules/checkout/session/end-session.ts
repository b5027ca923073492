/**
 * Ends a session with its result: session, payment and money in one tx (Decision 0040). And where
 * the browser goes then, which is worked out only after that tx was committed.
 *
 * The rule that matters: a session is open exactly as long as its payment has no result, and
 * whoever ends it holds its row. So there is one result, and everybody tells the same one.
 */

import assert from "node:assert/strict";
import { prepared, sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import type { PaymentResult } from "../../transactions/finalise-transaction.ts";
import { countEnded } from "./checkout-metrics.ts";
import type { CheckoutContext } from "./context.ts";
import type { ReturnUrlOf } from "./purpose.ts";
import type { LockedSession, SessionView } from "./session.ts";

/** The last thing in its tx: a success moves money, whose locks last until the end. */
export async function endSession(
  ctx: CheckoutContext,
  tx: Tx,
  session: LockedSession,
  result: PaymentResult,
): Promise<void> {
  const statement = sql`
    update checkout_sessions set state = 'ended', ended_at = app_now()
    -- As an expression, which no index has: a plan from a quiet hour would read all open ones.
    where transaction_id = ${session.transaction_id} and state || '' = 'open'`;
  const count = await tx.run(prepared("end-session", statement));
  assert.equal(count, 1, "a session ends once, by whoever holds it");
  tx.afterCommit(() => countEnded(result.status));
  await ctx.failpoint("answer: session ended");
  await ctx.purposes[session.purpose].end(ctx, tx, session, result);
}

/** Many that are held; what their payments are told is the caller's. */
export async function endSessions(tx: Tx, transactionIds: readonly string[]): Promise<void> {
  const statement = sql`
    update checkout_sessions set state = 'ended', ended_at = (select app_now())
    where transaction_id = any(array(select unnest(${transactionIds}::text[])))
      and state || '' = 'open'`;
  const count = await tx.run(prepared("end-sessions", statement));
  assert.equal(count, transactionIds.length, "a session ends once, by whoever holds it");
}

/** The merchant's address with the result; undefined while there is none, and a day later. */
export async function returnUrl(
  ctx: CheckoutContext,
  session: ReturnUrlOf & Pick<SessionView, "purpose" | "isForgotten">,
): Promise<string | undefined> {
  if (session.isForgotten) return undefined;
  const address = await ctx.purposes[session.purpose].returnUrl(ctx, session);
  if (address === undefined) return undefined;
  // A signed result cannot be taken back, and who reads may see what only this server has.
  await ctx.db.waitForStandby();
  await ctx.failpoint("result: shown");
  return address;
}
