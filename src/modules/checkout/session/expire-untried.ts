/**
 * Ends many sessions whose time is over at once: payments for which nobody ever tried a card, which
 * is how most checkouts end that do not end with money. One tx for all of them costs a tenth of
 * one for each (Decision 0040). It does for many what `endSession` and the purpose of a payment do
 * for one.
 *
 * The rule that matters: a card that is tried is counted in the session's own row. So whoever tries
 * one at this very moment either holds the row, and it is passed over, or finds it ended.
 */

import assert from "node:assert/strict";
import { sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { failTransactions } from "../../transactions/finalise-transaction.ts";
import { countEnded } from "./checkout-metrics.ts";
import type { CheckoutContext } from "./context.ts";
import { TIMED_OUT } from "./result-messages.ts";

const AT_ONCE_MAX = 100;

export async function expireUntried(
  ctx: CheckoutContext,
  { but }: { but: readonly string[] },
): Promise<{ isAll: boolean }> {
  const ended = await ctx.db.transaction(async (tx) => {
    const ids = await endUntried(tx, but);
    if (ids.length === 0) return ids;
    await ctx.failpoint("expiry: sessions ended");
    const failedCount = await failTransactions(tx, ids, TIMED_OUT);
    assert.equal(failedCount, ids.length, "an open session's payment has no result yet");
    await ctx.failpoint("expiry: payments ended");
    return ids;
  });
  countEnded("failed", ended.length);
  return { isAll: ended.length < AT_ONCE_MAX };
}

async function endUntried(tx: Tx, but: readonly string[]): Promise<string[]> {
  // The time is asked for once: compared with each, it would be read anew for every open session.
  const ended = await tx.rows<{ transaction_id: string }>(sql`
    with over as materialized (
      select transaction_id from checkout_sessions
      where state = 'open' and expires_at <= (select app_now())
        and purpose = 'payment' and attempt_count = 0
        and transaction_id <> all(${but})
      order by expires_at limit ${AT_ONCE_MAX} for update skip locked
    )
    update checkout_sessions as session set state = 'ended', ended_at = (select app_now())
    from over where session.transaction_id = over.transaction_id
    returning session.transaction_id`);
  return ended.map(({ transaction_id }) => transaction_id);
}
