/**
 * The loop that pays out by calls (Decision 0046): once a second it sends pending withdrawals to
 * the bank of their environment and asks about payouts whose answer is missing.
 *
 * A claim is a row lock that others skip, then a lease. The intent is in the database before the
 * bank is called, so a process that dies leaves a time at which the next one asks.
 */

import { leaseEnd } from "../../../infra/db/clock.ts";
import { type Queryable, sqlOf } from "../../../infra/db/query.ts";
import { pick } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import type { Loop } from "../../../infra/jobs/loop.ts";
import { createSweepLoop } from "../../../infra/jobs/sweep-loop.ts";
import { ENVIRONMENTS, type Environment } from "../../../kit/vocabulary.ts";
import { LEASE_SECONDS } from "../../gateway/call-lease.ts";
import type { PayoutContext } from "../context.ts";
import { moveWithdrawal } from "../move-withdrawal.ts";
import { CLAIMED, type ClaimedPayout, OF_AN_ACTIVE_ACCOUNT } from "../payout.ts";
import { payOut } from "./pay-out.ts";

const PAUSE_MS = 1_000;
const UNDER_WAY_MAX = 8;

export function createPayoutLoop(ctx: PayoutContext): Loop {
  return createSweepLoop({
    name: "sweep payouts",
    pauseMs: PAUSE_MS,
    underWayMax: UNDER_WAY_MAX,
    claim: () => claimPayouts(ctx),
    onError(err) {
      ctx.log.error({ err }, "the payout sweep failed");
    },
  });
}

/** Payouts without an answer first: the bank may have the order. */
export async function* claimPayouts(ctx: PayoutContext): AsyncIterable<() => Promise<void>> {
  for (;;) {
    const claimed = (await claimDue(ctx.db)) ?? (await claimPending(ctx));
    if (claimed === undefined) return;
    yield () => payOut(ctx, claimed);
  }
}

/** The longest due withdrawal that is not locked, moved to processing. */
export function claimPending(ctx: PayoutContext): Promise<ClaimedPayout | undefined> {
  return ctx.db.transaction(async (tx) => {
    const transaction_id = await lockLongestDue(ctx, tx);
    if (transaction_id === undefined) return undefined;
    const how = { leaseSeconds: LEASE_SECONDS };
    const { payout_count } = await moveWithdrawal(tx, transaction_id, { to: "processing", how });
    await ctx.failpoint("dispatch: moved");
    return { transaction_id, number: payout_count, ask_count: 1 };
  });
}

async function lockLongestDue({ banks }: PayoutContext, tx: Tx): Promise<string | undefined> {
  for (const environment of ENVIRONMENTS) {
    if (banks[environment] === undefined) continue;
    const due = await tx.maybeOne(longestDueOf(environment));
    if (due !== undefined) return due.transaction_id;
  }
  return undefined;
}

/** Of one environment: for several at once the index does not give the longest due. */
export function longestDueOf(environment: Environment) {
  return sqlOf(pick(tables.withdrawals, "transaction_id"))`
    select transaction_id from withdrawals
    where status = 'pending' and environment = ${environment}
      and dispatch_at <= app_now() and ${OF_AN_ACTIVE_ACCOUNT}
    order by dispatch_at limit 1
    for no key update of withdrawals skip locked`;
}

/** The payout that is longest due to be asked about and is not locked. */
export function claimDue(db: Queryable): Promise<ClaimedPayout | undefined> {
  return db.maybeOne(sqlOf(CLAIMED)`
    with due as materialized (
      select transaction_id, number from payouts
      where next_ask_at <= app_now()
      order by next_ask_at limit 1
      for no key update skip locked
    )
    update payouts as payout
    set ask_count = payout.ask_count + 1,
      next_ask_at = ${leaseEnd(LEASE_SECONDS)},
      leased_until = ${leaseEnd(LEASE_SECONDS)}
    from due
    where payout.transaction_id = due.transaction_id and payout.number = due.number
    returning payout.transaction_id, payout.number, payout.ask_count`);
}
