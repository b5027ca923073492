/**
 * Our records of the sandbox against the journals of the simulated acquirer and the simulated bank;
 * those of live payments are held against the fake of a real one (`live.ts`).
 *
 * These journals stand in the same PostgreSQL, in tables that no table of ours refers to, written
 * in statements of their own and never in a transaction of ours (Decisions 0038 and 0047). So what
 * is shown is that two records that never share a transaction agree after every kill; what is not
 * shown is a gateway that dies or loses its disk by itself (Decision 0055).
 */

import { sql } from "../../../src/infra/db/query.ts";
import { type Check, complaintsOf } from "./evidence.ts";

/** No more goes back than was paid, and what went back is what the acquirer gave back. */
export const noMoreGoesBackThanWasPaid: Check = async ({ db }) => {
  const tooMuch = await db.rows(sql`
    select transaction_id, customer_total_minor, sum(refund.amount_minor)::bigint as refunded
    from transactions join refunds as refund using (transaction_id)
    where state <> 'rejected' or refund.amount_minor <= 0
    group by transaction_id, customer_total_minor
    having sum(refund.amount_minor) > customer_total_minor or min(refund.amount_minor) <= 0`);
  const contradicted = await db.rows(sql`
    select refund_id, state, outcome, entry.amount_minor from refunds
    left join simulator_refunds as entry on entry.reference = refunds.refund_id::text
    where refunds.transaction_id like 'SB-%' and (
      (state = 'refunded') <> coalesce(outcome = 'refunded', false)
      or (outcome = 'refunded' and entry.amount_minor <> refunds.amount_minor))`);
  const charged = await db.rows(sql`
    with charged as (
      select transaction_id, count(*)::int as count from simulator_sales
      where outcome = 'approved' and voided_at is null group by transaction_id
    )
    select transaction_id, status, coalesce(charged.count, 0) as count from (
      select transaction_id, status from transactions
      union all select transaction_id, status from card_checks
    ) as asked
    join checkout_sessions using (transaction_id) left join charged using (transaction_id)
    where transaction_id like 'SB-%' and coalesce(charged.count, 0) <> (status = 'success')::int`);
  const { count } = await db.one<{ count: number }>(sql`
    select (select count(*) from refunds)::int + (select count(*) from simulator_sales)::int
      as count`);
  return {
    looked: count,
    wrong: [
      ...complaintsOf(tooMuch, "more goes back than was paid"),
      ...complaintsOf(contradicted, "the acquirer's journal says otherwise of a refund"),
      ...complaintsOf(charged, "the acquirer charged another number of times"),
    ],
  };
};

/** A withdrawal is held once, ends once, and is paid once at most, by the bank's own word. */
export const withdrawalsArePaidOnce: Check = async ({ db }) => {
  const contradicted = await db.rows(sql`
    select transaction_id, status, outcome from withdrawals
    full join simulator_payouts as entry on entry.reference = withdrawals.reference::text
    where transaction_id is null
      or (status in ('completed', 'returned')) <> coalesce(outcome = 'paid', false)
      or (outcome = 'paid' and entry.amount_minor <> withdrawals.amount_minor)`);
  const bookings = await db.rows(sql`
    select transaction_id, status, held, ended from withdrawals
    cross join lateral (
      select count(*) filter (where posting_id = 'withdrawal_requested ' || transaction_id)::int
          as held,
        count(*) filter (where posting_id = any (array[
          'withdrawal_completed ' || transaction_id, 'withdrawal_failed ' || transaction_id,
          'withdrawal_cancelled ' || transaction_id]))::int as ended
      from ledger_postings as posting
      where posting.environment = withdrawals.environment and posting_id = any (array[
        'withdrawal_requested ' || transaction_id, 'withdrawal_completed ' || transaction_id,
        'withdrawal_failed ' || transaction_id, 'withdrawal_cancelled ' || transaction_id])
    ) as booked
    where held <> 1 or ended <> (status in ('completed', 'failed', 'cancelled', 'returned'))::int`);
  const { count } = await db.one<{ count: number }>(sql`select count(*)::int from withdrawals`);
  return {
    looked: count,
    wrong: [
      ...complaintsOf(contradicted, "the bank's journal says otherwise"),
      ...complaintsOf(bookings, "not held once and ended once"),
    ],
  };
};
