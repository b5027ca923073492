/**
 * Which transfers the records of some payments ask for, which are booked for them, and every one
 * that is only one of the two. Occasions that are not named here are other modules' business.
 */

import { type Queryable, type Sql, sql } from "../../infra/db/query.ts";
import type { Currency } from "../../kit/money.ts";

export interface Leg {
  transaction_id: string;
  posting_id: string;
  currency: Currency;
  /** Ledger accounts by their names. */
  debit: string;
  credit: string;
  amount_minor: bigint;
  /** It is in the books, and should not be; else the other way round. */
  is_booked: boolean;
}

const OCCASIONS = [
  "payment_approved",
  "refund_requested",
  "refund_paid",
  "refund_rejected",
  "chargeback_opened",
  "chargeback_processed",
  "chargeback_released",
  "fraud_confirmed",
];

const SUCCESSES = sql`
  select transaction_id, 'payment_approved ' || transaction_id as posting_id, debit, credit, minor
  from payment, lateral (values
    ('gateway_clearing', 'available', net_minor),
    ('gateway_clearing', 'fee_income', fee_minor - tax_minor),
    ('gateway_clearing', 'tax', tax_minor)
  ) as move (debit, credit, minor)
  where status = 'success'`;

const REFUNDS = sql`
  select transaction_id, occasion || ' ' || refund_id, debit, credit, amount_minor
  from payment join refunds using (transaction_id), lateral (values
    ('refund_requested', 'available', 'held', true),
    ('refund_paid', 'held', 'gateway_clearing', state = 'refunded'),
    ('refund_rejected', 'held', 'available', state = 'rejected')
  ) as move (occasion, debit, credit, has_happened)
  where has_happened`;

const DISPUTES = sql`
  select transaction_id, occasion || ' ' || dispute_id, debit, credit, minor
  from payment join disputes using (transaction_id), lateral (values
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

/** As the chart of accounts names them. */
const nameOf = (kind: Sql) => sql`environment || ' ' || currency || ' ' || ${kind} || ' ' ||
  case when ${kind} in ('available', 'held') then account_number else right(account_number, 1) end`;

/** Of the transactions of one condition, in the order of their ids. */
export function findUnexplained(tx: Queryable, piece: Sql): Promise<Leg[]> {
  return tx.rows<Leg & Record<string, unknown>>(sql`
    with payment as materialized (
      select * from transactions where ${piece}
    ), wanted as (
      select transaction_id, environment, posting_id, ${nameOf(sql`debit`)} as debit,
        ${nameOf(sql`credit`)} as credit, minor as amount_minor, 1::bigint as nth
      from (${SUCCESSES} union all ${REFUNDS} union all ${DISPUTES}) as move
      join payment using (transaction_id)
      where minor > 0
    ), booked as (
      select payment.transaction_id, leg.environment, posting_id,
        coalesce(debit.name, 'nowhere') as debit, coalesce(credit.name, 'nowhere') as credit,
        amount_minor,
        row_number() over (
          partition by leg.environment, posting_id, debit_account_id, credit_account_id,
            amount_minor
        ) as nth
      from payment
      -- Payment by payment, as OFFSET makes it: joined, all postings there are might be read.
      cross join lateral (
        select transfer.* from ledger_postings as posting
        join ledger_transfers as transfer using (environment, posting_id)
        where reference = payment.transaction_id collate "default"
          and occasion = any (${OCCASIONS})
        offset 0
      ) as leg
      left join ledger_accounts as debit on debit.ledger_account_id = debit_account_id
      left join ledger_accounts as credit on credit.ledger_account_id = credit_account_id
    )
    select transaction_id, posting_id, payment.currency, debit, credit, amount_minor,
      wanted.minor is null as is_booked
    from (select *, amount_minor as minor from wanted) as wanted
    full join booked
      using (transaction_id, environment, posting_id, debit, credit, amount_minor, nth)
    join payment using (transaction_id)
    where wanted.minor is null or booked.amount_minor is null
    order by transaction_id, posting_id, is_booked, debit, credit`);
}

const POSTINGS_AT_ONCE = 50_000;

/** Postings of ours that belong to no transaction at all, in the order of their ids. */
export async function findStrays(
  tx: Queryable,
): Promise<{ posting_id: string; reference: string }[]> {
  const strays: { posting_id: string; reference: string }[] = [];
  for (let after = { environment: "", posting_id: "" }; ; ) {
    const piece = sql`
      select environment, posting_id, occasion, reference from ledger_postings
      where (environment, posting_id) > (${after.environment}, ${after.posting_id})
      order by environment, posting_id limit ${POSTINGS_AT_ONCE}`;
    const found = await tx.rows<{ posting_id: string; reference: string }>(sql`
      select posting_id, reference from (${piece}) as posting
      left join transactions on transaction_id = reference collate "C"
      where transaction_id is null and occasion = any (${OCCASIONS})
      order by posting.environment, posting_id`);
    strays.push(...found);
    const end = await tx.maybeOne<typeof after>(sql`
      select environment, posting_id from (${piece}) as posting
      order by environment, posting_id offset ${POSTINGS_AT_ONCE - 1}`);
    if (end === undefined) return strays;
    after = end;
  }
}
