/**
 * What came into and went out of a merchant's balance between moments, from the ledger alone
 * (Decision 0088). The balance is what is available and what is held, as the profile shows it: so
 * money that is only promised, to a refund or a withdrawal, is still in it.
 */

import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { int } from "../../infra/db/row.ts";
import { Unavailable } from "../../kit/errors.ts";
import { ENTRIES, runWhenBehind } from "./add-up-statements.ts";
import { type PeriodSums, type SumScope, type SumSource, sumPeriods } from "./sum-periods.ts";

/** More than a minute of the busiest account; reading them takes some tenths of a second. */
const REST_MAX = 20_000;
const RETRY_AFTER_SECONDS = 10;

export async function ledgerSums(
  db: Queryable,
  scope: SumScope,
  moments: readonly Date[],
): Promise<PeriodSums> {
  const { rest } = await db.one(sqlOf({ rest: int })`
    with ${chainsOf(scope)} select coalesce(sum(until - done), 0)::int as rest from chain`);
  await runWhenBehind(db, rest);
  // As after an upgrade, until the job has been through all of the past.
  if (rest > REST_MAX)
    throw new Unavailable({
      cause: `${rest} entries have yet to be added up`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  return sumPeriods(db, scope, sourceOf(scope), moments);
}

function sourceOf(scope: SumScope): SumSource {
  return {
    table: sql`statement_sums`,
    columns: sql`occasion as key, entry_count as count, moved_minor, fee_minor, '' as words`,
    given: chainsOf(scope),
    rest: sql`
      select posted_at as at, currency, occasion as key, 1 as count, moved_minor, fee_minor,
        '' as words
      from ${ENTRIES}`,
  };
}

function chainsOf({ accountNumber, environment, currency }: SumScope) {
  return sql`chain as materialized (
    select ledger_account_id, currency, coalesce(entry, 0) as done, entry_count as until
    from ledger_accounts join ledger_balances using (ledger_account_id)
    left join statement_positions using (ledger_account_id)
    where account_number = ${accountNumber} and environment = ${environment}
      ${currency === undefined ? sql`` : sql`and currency = ${currency}`}
  )`;
}
