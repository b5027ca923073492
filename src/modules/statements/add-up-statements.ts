/**
 * Adds up the ledger for statements (Decision 0088): each merchant's chain from the entry where the
 * last run ended, by time and by what it was for.
 *
 * No writer of the ledger knows of it. The entries of a chain have no gap in any snapshot, so the
 * position says exactly what is in the sums; both move in one statement. Readers add the entries
 * after it.
 */

import type { Infra } from "../../infra/context.ts";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, columns, int, pick } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { addJob, defineJob } from "../../infra/jobs/job.ts";

const NAME = "add-up-statements";
/** Found by one look at all chains, which takes longer the more merchants there are. */
const CHAINS_OF_A_LOOK = 2_000;
/** Some tenths of a second in one statement. */
const CHAINS_AT_ONCE = 20;
const ENTRIES_OF_A_CHAIN_AT_ONCE = 1_000;
/** Readers add what is left row by row; more than this slows them down. */
const ENTRIES_WORTH_A_RUN = 1_000;
/** Any constant will do, as long as nothing else locks it. */
const LOCK = 7_203_114_561;

const CHAIN = pick(tables.ledger_accounts, "ledger_account_id");

export const addUpStatementsJob = defineJob({
  name: NAME,
  everyMinute: true,
  followsTheClock: true,
  async run({ db }: Infra) {
    await addUpStatements(db);
  },
});

/** Returns how many entries there were. */
export async function addUpStatements(db: Infra["db"]): Promise<number> {
  let all = 0;
  for (;;) {
    const chains = await chainsBehind(db);
    let added = 0;
    for (let at = 0; at < chains.length; at += CHAINS_AT_ONCE)
      added += await addUpAll(db, chains.slice(at, at + CHAINS_AT_ONCE));
    all += added;
    // What came meanwhile waits for the next run: another look costs more than it brings.
    if (added === 0 || chains.length < CHAINS_OF_A_LOOK) return all;
  }
}

async function chainsBehind(db: Queryable): Promise<bigint[]> {
  const rows = await db.rows(sqlOf(CHAIN)`
    select ${columns(CHAIN)}
    from ledger_accounts join ledger_balances using (ledger_account_id)
    left join statement_positions using (ledger_account_id)
    where account_number is not null and entry_count > coalesce(entry, 0)
    limit ${CHAINS_OF_A_LOOK}`);
  return rows.map(({ ledger_account_id }) => ledger_account_id);
}

async function addUpAll(db: Infra["db"], chains: readonly bigint[]): Promise<number> {
  let all = 0;
  for (;;) {
    const some = await addUpSome(db, chains);
    if (some === 0) return all;
    all += some;
  }
}

/** For readers that met so many entries; under a key, so that one job waits. */
export async function runWhenBehind(db: Queryable, entryCount: number): Promise<void> {
  if (entryCount >= ENTRIES_WORTH_A_RUN) await addJob(db, NAME, {}, { key: NAME });
}

/**
 * What the entries after `done` up to `until` of each `chain` moved, with the house's share of a
 * payment. Between the merchant's own accounts nothing comes in or goes out. Row by row by keys
 * (Decision 0061).
 */
export const ENTRIES: Sql = sql`
  chain cross join lateral (
    select environment, posting_id, -amount_minor as moved_minor, credit_account_id as other_id
    from ledger_transfers
    where debit_account_id = chain.ledger_account_id
      and debit_entry > chain.done and debit_entry <= chain.until
    union all
    select environment, posting_id, amount_minor, debit_account_id
    from ledger_transfers
    where credit_account_id = chain.ledger_account_id
      and credit_entry > chain.done and credit_entry <= chain.until
  ) as entry
  cross join lateral (
    select occasion, posted_at from ledger_postings as posting
    where posting.environment = entry.environment and posting.posting_id = entry.posting_id
    limit 1
  ) as posting
  cross join lateral (
    select from ledger_accounts where ledger_account_id = other_id and is_of_the_house limit 1
  ) as other
  cross join lateral (
    select case when occasion = 'payment_approved' then (
      select coalesce(sum(amount_minor), 0)::bigint from ledger_transfers as leg
      where leg.environment = entry.environment and leg.posting_id = entry.posting_id
        and leg.credit_account_id <> chain.ledger_account_id
    ) else 0 end as fee_minor
  ) as share`;

async function addUpSome(db: Infra["db"], chains: readonly bigint[]): Promise<number> {
  return db.transaction(async (tx) => {
    // Two at once would add the same entries; the snapshot of the next statement is after the lock.
    const { mine } = await tx.one(sqlOf({ mine: bool })`
      select pg_try_advisory_xact_lock(${LOCK}) as mine`);
    if (!mine) return 0;
    const { added } = await tx.one(sqlOf({ added: int })`
      with chain as materialized (
        select ledger_account_id, account_number, environment, currency,
          coalesce(entry, 0) as done,
          least(entry_count, coalesce(entry, 0) + ${ENTRIES_OF_A_CHAIN_AT_ONCE}) as until
        from ledger_accounts join ledger_balances using (ledger_account_id)
        left join statement_positions using (ledger_account_id)
        where ledger_account_id = any (${chains}::bigint[])
          and entry_count > coalesce(entry, 0)
      ), placed as (
        insert into statement_positions (ledger_account_id, entry)
        select ledger_account_id, until from chain
        on conflict on constraint a_chain_is_added_up_to_one_entry
          do update set entry = excluded.entry
      ), summed as (
        insert into statement_sums as sums
        select account_number, chain.environment, span, span_start(span, posted_at), currency,
          occasion, count(*), sum(moved_minor), sum(fee_minor)
        from ${ENTRIES} cross join unnest(array['quarter', 'hour', 'day', 'month']) as span
        group by 1, 2, 3, 4, 5, 6
        on conflict on constraint a_span_is_added_up_once do update
          set entry_count = sums.entry_count + excluded.entry_count,
            moved_minor = sums.moved_minor + excluded.moved_minor,
            fee_minor = sums.fee_minor + excluded.fee_minor
      )
      select coalesce(sum(until - done), 0)::int as added from chain`);
    return added;
  });
}
