/**
 * Compares the transfers that records call for with those that are booked, and returns every one
 * that is only one of the two. A module that keeps records of money declares them as `Records`;
 * occasions that it does not name belong to other modules.
 */

import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, columns, pick, type Row, text, word } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Currency } from "../../kit/money.ts";

const LEG = {
  transaction_id: text,
  ...pick(tables.ledger_transfers, "posting_id", "amount_minor"),
  currency: word<Currency>(),
  /** Ledger accounts by their names. */
  debit: text,
  credit: text,
  /** Booked without a record; else recorded but not booked. */
  is_booked: bool,
};

export type Leg = Row<typeof LEG>;

export interface Records {
  /** The table; its rows have id, account, environment and currency as transactions have them. */
  readonly table: Sql;
  readonly occasions: readonly string[];
  /**
   * `transaction_id, posting_id, debit, credit, minor` of each transfer that `record` calls for.
   */
  readonly wanted: Sql;
}

const SUCCESSES = sql`
  select transaction_id, 'payment_approved ' || transaction_id as posting_id, debit, credit, minor
  from record, lateral (values
    ('gateway_clearing', 'available', net_minor),
    ('gateway_clearing', 'fee_income', fee_minor - tax_minor),
    ('gateway_clearing', 'tax', tax_minor)
  ) as move (debit, credit, minor)
  where status = 'success'`;

const REFUNDS = sql`
  select transaction_id, occasion || ' ' || refund_id, debit, credit, amount_minor
  from record join refunds using (transaction_id), lateral (values
    ('refund_requested', 'available', 'held', true),
    ('refund_paid', 'held', 'gateway_clearing', state = 'refunded'),
    ('refund_rejected', 'held', 'available', state = 'rejected')
  ) as move (occasion, debit, credit, has_happened)
  where has_happened`;

const DISPUTES = sql`
  select transaction_id, occasion || ' ' || dispute_id, debit, credit, minor
  from record join disputes using (transaction_id), lateral (values
    ('chargeback_opened', 'available', 'held', covered_minor, kind = 'chargeback'),
    ('chargeback_processed', 'held', 'gateway_clearing', covered_minor,
      kind = 'chargeback' and state = 'processed'),
    ('chargeback_processed', 'losses', 'gateway_clearing', amount_minor - covered_minor,
      kind = 'chargeback' and state = 'processed'),
    ('chargeback_released', 'held', 'available', covered_minor, state = 'released'),
    ('fraud_confirmed', 'available', 'gateway_clearing', covered_minor, kind = 'fraud'),
    ('fraud_confirmed', 'losses', 'gateway_clearing', amount_minor - covered_minor, kind = 'fraud')
  ) as move (occasion, debit, credit, minor, has_happened)
  where has_happened`;

export const PAYMENT_RECORDS: Records = {
  table: sql`transactions`,
  occasions: [
    "payment_approved",
    "refund_requested",
    "refund_paid",
    "refund_rejected",
    "chargeback_opened",
    "chargeback_processed",
    "chargeback_released",
    "fraud_confirmed",
  ],
  wanted: sql`${SUCCESSES} union all ${REFUNDS} union all ${DISPUTES}`,
};

/** As the chart of accounts names them. */
const nameOf = (kind: Sql) => sql`environment || ' ' || currency || ' ' || ${kind} || ' ' ||
  case when ${kind} in ('available', 'held') then account_number else right(account_number, 1) end`;

/** Of the records of one condition, in the order of their ids. */
export function findUnexplained(
  tx: Queryable,
  { table, occasions, wanted }: Records,
  piece: Sql,
): Promise<Leg[]> {
  return tx.rows(sqlOf(LEG)`
    with record as materialized (
      select * from ${table} where ${piece}
    ), wanted as (
      select transaction_id, environment, posting_id, ${nameOf(sql`debit`)} as debit,
        ${nameOf(sql`credit`)} as credit, minor as amount_minor,
        row_number() over (partition by transaction_id, posting_id, debit, credit, minor) as nth
      from (${wanted}) as move
      join record using (transaction_id)
      where minor > 0
    ), booked as (
      select record.transaction_id, leg.environment, posting_id,
        coalesce(debit.name, 'nowhere') as debit, coalesce(credit.name, 'nowhere') as credit,
        leg.amount_minor,
        row_number() over (
          partition by leg.environment, posting_id, debit_account_id, credit_account_id,
            leg.amount_minor
        ) as nth
      from record
      -- One by one, as OFFSET makes it: joined, all postings there are might be read.
      cross join lateral (
        select transfer.* from ledger_postings as posting
        join ledger_transfers as transfer using (environment, posting_id)
        where reference = record.transaction_id collate "default"
          and occasion = any (${occasions})
        offset 0
      ) as leg
      left join ledger_accounts as debit on debit.ledger_account_id = debit_account_id
      left join ledger_accounts as credit on credit.ledger_account_id = credit_account_id
    )
    select transaction_id, posting_id, record.currency, debit, credit, matched.amount_minor,
      wanted.minor is null as is_booked
    from (select *, amount_minor as minor from wanted) as wanted
    full join booked
      using (transaction_id, environment, posting_id, debit, credit, amount_minor, nth) as matched
    join record using (transaction_id)
    where wanted.minor is null or booked.amount_minor is null
    order by transaction_id, posting_id, is_booked, debit, credit`);
}

const POSTINGS_AT_ONCE = 50_000;
const POSTING = { environment: text, posting_id: text };
const STRAY = { posting_id: text, reference: text };

/** Postings that belong to no record at all, in the order of their ids. */
export async function findStrays(tx: Queryable, { table, occasions }: Records) {
  const strays: Row<typeof STRAY>[] = [];
  for (let after: Row<typeof POSTING> = { environment: "", posting_id: "" }; ; ) {
    const piece = sql`
      select environment, posting_id, occasion, reference from ledger_postings
      where (environment, posting_id) > (${after.environment}, ${after.posting_id})
      order by environment, posting_id limit ${POSTINGS_AT_ONCE}`;
    const found = await tx.rows(sqlOf(STRAY)`
      select posting_id, posting.reference from (${piece}) as posting
      left join ${table} on transaction_id = posting.reference collate "C"
      where transaction_id is null and occasion = any (${occasions})
      order by posting.environment, posting_id`);
    strays.push(...found);
    const end = await tx.maybeOne(sqlOf(POSTING)`
      select ${columns(POSTING)} from (${piece}) as posting
      order by environment, posting_id offset ${POSTINGS_AT_ONCE - 1}`);
    if (end === undefined) return strays;
    after = end;
  }
}
