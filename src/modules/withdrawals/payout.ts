/**
 * A payout: the intent to pay a withdrawal out, written before any bank is called (Decision 0046).
 * By a call, the loop of `payouts/` asks the bank about it until it is decided; in a file, the
 * bank's status file decides it. A withdrawal has one under way at most.
 */

import { leaseEnd } from "../../infra/db/clock.ts";
import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, nullable, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import type { WithdrawalRow } from "./withdrawal.ts";

/** Nothing is paid out of a frozen account until it is active again. */
export const OF_AN_ACTIVE_ACCOUNT = sql`exists (
  select from accounts
  where accounts.account_number = withdrawals.account_number and accounts.status = 'active')`;

/** `leaseSeconds`: how long the claim lasts before another process may ask the bank. */
export type HowToPay = { readonly leaseSeconds: number } | { readonly batchId: string };

type Which = Pick<WithdrawalRow, "transaction_id" | "payout_count">;

/** `ask_count`: how often the bank was called about it, this time included. */
export const CLAIMED = pick(tables.payouts, "transaction_id", "number", "ask_count");

export type ClaimedPayout = Row<typeof CLAIMED>;

/**
 * Read just before an order is sent: the account may have been frozen since the payout began; and
 * while the process slept after its claim, another may have asked, or an operator may have failed
 * the withdrawal and returned its money. `leaseSeconds` must be left, so that neither happens soon.
 */
export async function mayGoOut(
  db: Queryable,
  { transaction_id, number, ask_count }: ClaimedPayout,
  { leaseSeconds }: { leaseSeconds: number },
): Promise<boolean> {
  const found = await db.maybeOne(sqlOf({})`
    select from withdrawals join payouts using (transaction_id)
    where transaction_id = ${transaction_id} and withdrawals.status = 'processing'
      and payouts.number = ${number} and payouts.is_open and payouts.ask_count = ${ask_count}
      and payouts.leased_until > app_now() + make_interval(secs => ${leaseSeconds})
      and ${OF_AN_ACTIVE_ACCOUNT}`);
  return found !== undefined;
}

export async function beginPayout(
  tx: Tx,
  { transaction_id, payout_count }: Which,
  how: HowToPay,
): Promise<void> {
  if ("batchId" in how) {
    await tx.run(sql`
      insert into payouts (transaction_id, number, batch_id)
      values (${transaction_id}, ${payout_count}, ${how.batchId})`);
    return;
  }
  const leasedUntil = leaseEnd(how.leaseSeconds);
  await tx.run(sql`
    insert into payouts (transaction_id, number, ask_count, next_ask_at, leased_until)
    values (${transaction_id}, ${payout_count}, 1, ${leasedUntil}, ${leasedUntil})`);
}

/**
 * Whether an order to the bank may still arrive, because the lease of the last call has not ended.
 * The row stays locked, so that no call begins before the tx ends.
 */
export async function isBeingTold(tx: Tx, { transaction_id }: Which): Promise<boolean> {
  const open = await tx.maybeOne(sqlOf({ is_leased: nullable(bool) })`
    select leased_until > app_now() as is_leased from payouts
    where transaction_id = ${transaction_id} and is_open for no key update`);
  return open?.is_leased === true;
}

/** Does nothing where none is under way. */
export async function endPayout(
  tx: Tx,
  { transaction_id }: Which,
  options: { isStopped: boolean },
): Promise<void> {
  await tx.run(sql`
    update payouts
    set is_open = false, is_stopped = is_stopped or ${options.isStopped}, ended_at = app_now(),
      next_ask_at = null, leased_until = null
    where transaction_id = ${transaction_id} and is_open`);
}

/** The bank has stopped it, and is asked about it further. */
export async function stopPayout(tx: Tx, { transaction_id }: Which): Promise<void> {
  await tx.run(sql`
    update payouts set is_stopped = true where transaction_id = ${transaction_id} and is_open`);
}
