/**
 * Matches the small amounts that prove cards to the books (Decision 0043): each that was charged
 * has its posting, each that was returned has a second one, and the house holds exactly what is in
 * between. As with payments, what should be booked is written apart from the recipes.
 */

import { Gauge } from "prom-client";
import type { Infra } from "../../infra/context.ts";
import { type Queryable, sql } from "../../infra/db/query.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import { formatMoney, money } from "../../kit/money.ts";
import { DIFFERENCES_SHOWN_MAX, describeDifference, type Mismatch } from "../ledger/difference.ts";

export interface ChecksReport {
  readonly checkCount: number;
  readonly differenceCount: number;
  /** The first of them. */
  readonly differences: readonly Mismatch[];
}

interface Wrong {
  posting_id: string;
  wanted: bigint | null;
  booked: bigint | null;
}

export async function reconcileChecks(db: Queryable): Promise<ChecksReport> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from card_checks where status = 'success'`);
  const rows = await db.rows<Wrong & Record<string, unknown>>(sql`
    with wanted as (
      select environment, occasion || ' ' || transaction_id as posting_id,
        environment || ' USD ' || debit || ' ' || right(account_number, 1) as debit,
        environment || ' USD ' || credit || ' ' || right(account_number, 1) as credit,
        amount_minor
      from card_checks, lateral (values
        ('card_check_charged', 'gateway_clearing', 'card_checks', status = 'success'),
        ('card_check_returned', 'card_checks', 'gateway_clearing', return_state = 'returned')
      ) as move (occasion, debit, credit, has_happened)
      where has_happened
    ), booked as (
      select posting.environment, posting_id, debit.name as debit, credit.name as credit,
        amount_minor
      from ledger_postings as posting
      join ledger_transfers as transfer using (environment, posting_id)
      join ledger_accounts as debit on debit.ledger_account_id = debit_account_id
      join ledger_accounts as credit on credit.ledger_account_id = credit_account_id
      where occasion in ('card_check_charged', 'card_check_returned')
    )
    select posting_id, wanted.amount_minor as wanted, booked.amount_minor as booked
    from wanted full join booked using (environment, posting_id, debit, credit)
    where wanted.amount_minor is distinct from booked.amount_minor
    order by posting_id`);
  const differences = rows.slice(0, DIFFERENCES_SHOWN_MAX).map(tell);
  return { checkCount: count, differenceCount: rows.length, differences };
}

function tell({ posting_id: where, wanted, booked }: Wrong): Mismatch {
  const shown = (minor: bigint | null) =>
    minor === null ? "nothing" : `${formatMoney(money("USD", minor))} USD`;
  return { where, words: `should have moved ${shown(wanted)} and moved ${shown(booked)}` };
}

const differences = new Gauge({
  name: "windward_card_check_differences",
  help: "Places where amounts that prove cards differ from the books, when last matched.",
  aggregator: "max",
});

export const reconcileChecksJob = defineJob({
  name: "reconcile-card-checks",
  everyHourAtMinute: 37,
  async run({ db, log }: Infra) {
    const { checkCount, differenceCount, ...report } = await reconcileChecks(db);
    differences.set(differenceCount);
    if (differenceCount === 0) return log.info({ checkCount }, "card checks agree with the books");
    const words = report.differences.map(describeDifference);
    log.error({ checkCount, differenceCount, differences: words }, "card checks differ");
  },
});
