/**
 * What there is to do for the loop that pays out (Decision 0046): withdrawals that nobody has told
 * a bank of, and payouts whose answer is missing.
 *
 * The rule that matters: a claim is a row lock that others skip, then a lease. The intent stands in
 * the database before the bank is called, so whoever dies leaves a time at which the next one asks.
 */

import { leaseEnd } from "../../../infra/db/clock.ts";
import { type Queryable, sqlOf } from "../../../infra/db/query.ts";
import { pick, type Row } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import type { Environment } from "../../../kit/vocabulary.ts";
import { ENVIRONMENTS } from "../../transactions/transaction.ts";
import { LEASE_SECONDS } from "../../transactions/within-limit.ts";
import type { PayoutContext } from "../context.ts";
import { moveWithdrawal } from "../move-withdrawal.ts";
import { OF_AN_ACTIVE_ACCOUNT } from "../payout.ts";

/** `ask_count`: how often the bank has been talked to about it, this time included. */
const CLAIMED = pick(tables.payouts, "transaction_id", "number", "ask_count");

export type ClaimedPayout = Row<typeof CLAIMED>;

/** The longest due one that nobody else has, given to be paid out; undefined: there is none. */
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

/** Of one environment: of several at once the index could not tell which is the longest due. */
export function longestDueOf(environment: Environment) {
  return sqlOf(pick(tables.withdrawals, "transaction_id"))`
    select transaction_id from withdrawals
    where status = 'pending' and environment = ${environment}
      and dispatch_at <= app_now() and ${OF_AN_ACTIVE_ACCOUNT}
    order by dispatch_at limit 1
    for no key update of withdrawals skip locked`;
}

/** The payout that is longest due to be asked about and that nobody else has. */
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
