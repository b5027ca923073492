/**
 * Matches the records of payments to the books (Decision 0024): each payment, refund and dispute
 * has exactly the transfers that its state asks for, and the sums of a payment are those of its
 * refunds and disputes; what is held is what is under way.
 *
 * The rule that matters: what should be booked is written a second time, apart from the recipes
 * (`match-legs.ts`), so that a mistake in one of them is a difference and not a matter of course.
 * All of it is read in one snapshot, in pieces, because a statement has a time limit.
 */

import type { Database } from "../../infra/db/database.ts";
import { type Queryable, type Sql, sql } from "../../infra/db/query.ts";
import { type Currency, formatMoney, money } from "../../kit/money.ts";
import { DIFFERENCES_SHOWN_MAX, type Mismatch } from "../ledger/difference.ts";
import { findStrays, findUnexplained, type Leg } from "./match-legs.ts";

const PAYMENTS_AT_ONCE = 5_000;

export interface RecordsReport {
  readonly paymentCount: number;
  readonly differenceCount: number;
  /** The first of them: payments in the order of their ids, strays, what is held. */
  readonly differences: readonly Mismatch[];
}

export function reconcileRecords(
  db: Database,
  paymentsAtOnce = PAYMENTS_AT_ONCE,
): Promise<RecordsReport> {
  return db.transaction(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read read only`);
    const differences: Mismatch[] = [];
    let differenceCount = 0;
    const note = (found: readonly Mismatch[]) => {
      differenceCount += found.length;
      differences.push(...found.slice(0, DIFFERENCES_SHOWN_MAX - differences.length));
    };
    let paymentCount = 0;
    for (let after = ""; ; ) {
      const { end, count } = await endOfPiece(tx, after, paymentsAtOnce);
      if (end === null) break;
      const piece = sql`transaction_id > ${after} and transaction_id <= ${end}`;
      note([...(await wrongSums(tx, piece)), ...(await findUnexplained(tx, piece)).map(tell)]);
      paymentCount += count;
      after = end;
    }
    note((await findStrays(tx)).map(tellStray));
    note(await wrongHolds(tx));
    return { paymentCount, differenceCount, differences };
  });
}

function endOfPiece(
  tx: Queryable,
  after: string,
  count: number,
): Promise<{ end: string | null; count: number }> {
  return tx.one(sql`
    select max(transaction_id) as end, count(*)::int as count
    from (
      select transaction_id from transactions where transaction_id > ${after}
      order by transaction_id limit ${count}
    ) as piece`);
}

function tell({ transaction_id: where, posting_id, debit, credit, ...leg }: Leg): Mismatch {
  const amount = formatMoney(money(leg.currency, leg.amount_minor));
  const what = `${amount} ${leg.currency} from ${debit} to ${credit}`;
  const words = leg.is_booked
    ? `posting ${posting_id} moved ${what}, which no record explains`
    : `posting ${posting_id} should have moved ${what}`;
  return { where, words };
}

function tellStray({ posting_id, reference }: { posting_id: string; reference: string }): Mismatch {
  return { where: reference, words: `posting ${posting_id} is of a transaction that is not there` };
}

interface Sums {
  transaction_id: string;
  currency: Currency;
  refunded_minor: bigint;
  refund_pending_minor: bigint;
  disputed_minor: bigint;
  done: bigint;
  under_way: bigint;
  taken: bigint;
}

async function wrongSums(tx: Queryable, piece: Sql): Promise<Mismatch[]> {
  const rows = await tx.rows<Sums & Record<string, unknown>>(sql`
    select transaction_id, currency, refunded_minor, refund_pending_minor, disputed_minor,
      coalesce(done, 0)::bigint as done, coalesce(under_way, 0)::bigint as under_way,
      coalesce(taken, 0)::bigint as taken
    from transactions
    left join (
      select transaction_id, sum(amount_minor) filter (where state = 'refunded') as done,
        sum(amount_minor) filter (where ended_at is null) as under_way
      from refunds where ${piece} group by transaction_id
    ) as refund using (transaction_id)
    left join (
      select transaction_id, sum(amount_minor) as taken
      from disputes where ${piece} and state <> 'released' group by transaction_id
    ) as dispute using (transaction_id)
    where ${piece} and (refunded_minor, refund_pending_minor, disputed_minor)
      is distinct from (coalesce(done, 0), coalesce(under_way, 0), coalesce(taken, 0))
    order by transaction_id`);
  return rows.map((row) => {
    const shown = (...sums: bigint[]) =>
      sums.map((minor) => formatMoney(money(row.currency, minor))).join(", ");
    const said = shown(row.refunded_minor, row.refund_pending_minor, row.disputed_minor);
    const made = shown(row.done, row.under_way, row.taken);
    const words = `refunded, being refunded and disputed are ${said}; its records make ${made}`;
    return { where: row.transaction_id, words };
  });
}

/** Whatever else comes to hold a merchant's money has to be added to what is under way. */
async function wrongHolds(tx: Queryable): Promise<Mismatch[]> {
  const rows = await tx.rows<{
    where: string;
    currency: Currency;
    held: bigint;
    under_way: bigint;
  }>(sql`
    with under_way as (
      select transaction_id, amount_minor from refunds where next_try_at is not null
      union all
      select transaction_id, covered_minor from disputes where state = 'open'
    ), wanted as (
      select environment, currency, account_number, sum(amount_minor) as minor
      from under_way join transactions using (transaction_id) group by 1, 2, 3
    ), held as (
      select environment, currency, account_number, balance_minor
      from ledger_accounts join ledger_balances using (ledger_account_id) where kind = 'held'
    )
    select environment || ' ' || currency || ' held ' || account_number as where, currency,
      coalesce(balance_minor, 0) as held, coalesce(minor, 0)::bigint as under_way
    from wanted full join held using (environment, currency, account_number)
    where coalesce(minor, 0) <> coalesce(balance_minor, 0)
    order by 1`);
  return rows.map(({ where, currency, held, under_way }) => ({
    where,
    words:
      `${formatMoney(money(currency, held))} held, ` +
      `${formatMoney(money(currency, under_way))} under way`,
  }));
}
