/**
 * Matches the records of payments to the books (Decision 0024): each payment, refund and dispute
 * has exactly the transfers that its state asks for, and the sums of a payment are those of its
 * refunds and disputes; what is held is what is under way.
 *
 * What should be booked is written a second time in `match-legs.ts`, apart from the recipes, so
 * that a mistake in either shows as a difference.
 */

import type { Infra } from "../../infra/context.ts";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { bigint, columns, computed, pick, text } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { formatMoney, money } from "../../kit/money.ts";
import type { Mismatch } from "../ledger/difference.ts";
import { PAYMENT_RECORDS } from "./match-legs.ts";
import { defineMatchingJob, type MatchReport, matchRecords } from "./match-records.ts";

export interface HoldsContext extends Infra {
  /**
   * What other modules hold of merchants' money: statements that return `environment`, `currency`,
   * `account_number` and minor units.
   */
  readonly otherHolds: readonly Sql[];
}

export function reconcileRecords(
  { db, otherHolds }: Pick<HoldsContext, "db" | "otherHolds">,
  paymentsAtOnce?: number,
): Promise<MatchReport> {
  return matchRecords(db, PAYMENT_RECORDS, {
    recordsAtOnce: paymentsAtOnce,
    ofPiece: wrongSums,
    ofAll: (tx) => wrongHolds(tx, otherHolds),
  });
}

const SUMS = {
  ...pick(
    tables.transactions,
    "transaction_id",
    "currency",
    "refunded_minor",
    "refund_pending_minor",
    "disputed_minor",
  ),
  done: computed(bigint, sql`coalesce(done, 0)::bigint`),
  under_way: computed(bigint, sql`coalesce(under_way, 0)::bigint`),
  taken: computed(bigint, sql`coalesce(taken, 0)::bigint`),
};

async function wrongSums(tx: Queryable, piece: Sql): Promise<Mismatch[]> {
  const rows = await tx.rows(sqlOf(SUMS)`
    select ${columns(SUMS)} from transactions
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

/** Anything else that holds a merchant's money has to be among the other holds. */
async function wrongHolds(tx: Queryable, otherHolds: readonly Sql[]): Promise<Mismatch[]> {
  const ofPayments = sql`
    select environment, currency, account_number, amount_minor
    from of_payments join transactions using (transaction_id)`;
  const underWay = otherHolds.reduce((all, one) => sql`${all} union all ${one}`, ofPayments);
  const rows = await tx.rows(sqlOf({
    ...pick(tables.ledger_accounts, "currency"),
    where: text,
    held: bigint,
    under_way: bigint,
  })`
    with of_payments as (
      select transaction_id, amount_minor from refunds where next_try_at is not null
      union all
      select transaction_id, covered_minor from disputes where state = 'open'
    ), under_way as (
      ${underWay}
    ), wanted as (
      select environment, currency, account_number, sum(amount_minor) as minor
      from under_way group by 1, 2, 3
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

export const reconcileRecordsJob = defineMatchingJob({
  name: "reconcile-records",
  everyHourAtMinute: 33,
  records: "the records",
  gauge: {
    name: "windward_record_differences",
    help: "Differences of payments, refunds and disputes from the books, when last matched.",
  },
  match: (ctx: HoldsContext) => reconcileRecords(ctx),
});
