/**
 * Matches the rows of the books to one another: every transfer to its posting and to two accounts
 * of its environment and currency, every posting to transfers, every balance to its account.
 * The chains of balances cannot show these, because each stays within one account.
 */

import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { bigint, columns, type Row, text } from "../../infra/db/row.ts";
import { DIFFERENCES_SHOWN_MAX, type Differences, type Mismatch } from "./difference.ts";

/** Some hundred milliseconds of work; a statement may take 5 seconds. */
const TRANSFERS_AT_ONCE = 50_000;

const POSITION = { environment: text, posting_id: text };

type Position = Row<typeof POSITION>;

/** The first of several counts for all, also for those that are not read. */
const MISMATCH = { where: text, words: text, total: bigint };

export async function matchPostings(
  tx: Queryable,
  transfersAtOnce = TRANSFERS_AT_ONCE,
): Promise<Differences> {
  const first: Mismatch[] = [];
  let count = 0;
  const note = (found: Awaited<ReturnType<typeof mismatches>>) => {
    for (const { total, where, words } of found) {
      if (first.length < DIFFERENCES_SHOWN_MAX) first.push({ where, words });
      count += Number(total);
    }
  };
  note(await balancesOfNothing(tx));
  for (
    let after: Position | undefined = { environment: "", posting_id: "" };
    after !== undefined;
  ) {
    const to: Position | undefined = await endOfPiece(tx, after, transfersAtOnce);
    note(await mismatches(tx, within(after, to)));
    after = to;
  }
  return { count, first };
}

function within({ environment, posting_id }: Position, to: Position | undefined): Sql {
  const above = sql`(environment, posting_id) > (${environment}, ${posting_id})`;
  if (to === undefined) return above;
  return sql`${above} and (environment, posting_id) <= (${to.environment}, ${to.posting_id})`;
}

/** Undefined: the rest is one piece. */
function endOfPiece(
  tx: Queryable,
  after: Position,
  transfersAtOnce: number,
): Promise<Position | undefined> {
  return tx.maybeOne(sqlOf(POSITION)`
    select ${columns(POSITION)} from ledger_transfers where ${within(after, undefined)}
    order by environment, posting_id offset ${transfersAtOnce} limit 1`);
}

function mismatches(tx: Queryable, piece: Sql) {
  return tx.rows(sqlOf(MISMATCH)`
    select environment || ' posting ' || posting_id || coalesce(', leg ' || leg, '') as where,
      words, case row_number() over place when 1 then count(*) over () else 0 end as total
    from (select * from ledger_transfers where ${piece}) as transfer
    full join (select environment, posting_id, occasion from ledger_postings where ${piece})
      as posting using (environment, posting_id)
    left join (select ledger_account_id as id, environment as debit_environment,
        currency as debit_currency from ledger_accounts) as debit
      on debit.id = debit_account_id
    left join (select ledger_account_id as id, environment as credit_environment,
        currency as credit_currency from ledger_accounts) as credit
      on credit.id = credit_account_id
    cross join lateral (
      select case
        when occasion is null then 'its posting is gone'
        when leg is null then 'it has no transfers'
        when debit.id is null then 'the account of its debit side is gone'
        when credit.id is null then 'the account of its credit side is gone'
        when (debit_environment, debit_currency) <> (environment, currency)
          then 'its debit side is of another environment or currency'
        when (credit_environment, credit_currency) <> (environment, currency)
          then 'its credit side is of another environment or currency'
      end as words
    ) as found_out
    where words is not null
    window place as (order by environment, posting_id, leg)
    order by environment, posting_id, leg limit ${DIFFERENCES_SHOWN_MAX}`);
}

function balancesOfNothing(tx: Queryable) {
  return tx.rows(sqlOf(MISMATCH)`
    select 'ledger account ' || ledger_account_id as where, 'it has a balance and is gone' as words,
      case row_number() over place when 1 then count(*) over () else 0 end as total
    from ledger_balances left join ledger_accounts using (ledger_account_id)
    where name is null
    window place as (order by ledger_account_id)
    order by ledger_account_id limit ${DIFFERENCES_SHOWN_MAX}`);
}
