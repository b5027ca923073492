/**
 * The books, added up by themselves: once by the service's own reconciliation, which walks every
 * chain, and once by statements that know nothing of it.
 */

import { sql } from "../../../src/infra/db/query.ts";
import { describeDifference } from "../../../src/modules/ledger/difference.ts";
import { reconcile } from "../../../src/modules/ledger/reconcile.ts";
import { reconcileRecords } from "../../../src/modules/transactions/reconcile-records.ts";
import { reconcileChecks } from "../../../src/modules/trusted-cards/reconcile-checks.ts";
import {
  HELD_FOR_WITHDRAWALS,
  reconcileWithdrawals,
} from "../../../src/modules/withdrawals/reconcile-withdrawals.ts";
import { type Check, complaintsOf } from "./evidence.ts";

/** No money comes from nowhere or goes nowhere, in any currency. */
export const moneySumsToZero: Check = async ({ db }) => {
  const sums = await db.rows<{ sum: bigint }>(sql`
    select environment, currency, sum(balance_minor)::bigint as sum
    from ledger_balances join ledger_accounts using (ledger_account_id)
    group by environment, currency having sum(balance_minor) <> 0`);
  const strays = await db.rows(sql`
    select posting_id, leg from ledger_transfers
    left join ledger_postings using (environment, posting_id)
    where occasion is null or amount_minor <= 0 limit 20`);
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int from ledger_transfers`);
  return {
    looked: count,
    wrong: [...complaintsOf(sums, "does not sum to zero"), ...complaintsOf(strays, "a stray leg")],
  };
};

/** A balance is the sum of its movements, link by link, and records agree with the books. */
export const balancesAreTheirMovements: Check = async ({ db }) => {
  const wrongSums = await db.rows(sql`
    select name, balance_minor, moved from ledger_balances
    join ledger_accounts using (ledger_account_id)
    left join (
      select ledger_account_id, sum(amount) as moved from (
        select credit_account_id as ledger_account_id, amount_minor as amount from ledger_transfers
        union all select debit_account_id, -amount_minor from ledger_transfers
      ) as sides group by ledger_account_id
    ) as movements using (ledger_account_id)
    where balance_minor <> coalesce(moved, 0)`);
  const ledger = await reconcile(db);
  const reports = [
    await reconcileRecords({ db, otherHolds: [HELD_FOR_WITHDRAWALS] }),
    await reconcileWithdrawals(db),
    await reconcileChecks(db),
  ];
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int from ledger_balances`);
  return {
    looked: count,
    wrong: [
      ...complaintsOf(wrongSums, "a balance is not its movements"),
      ...ledger.differences.map(describeDifference),
      ...reports.flatMap(({ differences }) => differences.map(describeDifference)),
    ],
  };
};

/** No merchant ever had less than nothing, not even between two movements. */
export const nobodyIsOverdrawn: Check = async ({ db }) => {
  const rows = await db.rows(sql`
    select name, debit_entry as entry, debit_balance_minor as balance from ledger_transfers
    join ledger_accounts on ledger_account_id = debit_account_id
    where not is_of_the_house and debit_balance_minor < 0
    union all
    select name, entry_count, balance_minor from ledger_balances
    join ledger_accounts using (ledger_account_id)
    where not is_of_the_house and balance_minor < 0 limit 20`);
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int from ledger_transfers
    join ledger_accounts on ledger_account_id = debit_account_id where not is_of_the_house`);
  return { looked: count, wrong: complaintsOf(rows, "below zero") };
};
