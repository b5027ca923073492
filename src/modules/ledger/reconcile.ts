/**
 * Recomputes the books from the first transfer on and reports where they differ (Decision 0024).
 *
 * All of it is read in one snapshot, so a posting in progress is seen whole or not at all. Each
 * account's chain is walked in pieces of bounded size, because a statement has a time limit and a
 * hot account has no limit on its transfers; then the rows are matched to one another. A job does
 * this every hour and reports by a row, a log line and two gauges.
 */

import { Gauge } from "prom-client";
import type { Infra } from "../../infra/context.ts";
import { now } from "../../infra/db/clock.ts";
import type { Database } from "../../infra/db/database.ts";
import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { bigint, columns, computed, pick, type Row, text } from "../../infra/db/row.ts";
import { inSnapshot } from "../../infra/db/snapshot.ts";
import { tables } from "../../infra/db/tables.ts";
import { defineJob } from "../../infra/jobs/job.ts";
import { epochSeconds } from "../../kit/clock.ts";
import { money } from "../../kit/money.ts";
import {
  DIFFERENCES_SHOWN_MAX,
  type Difference,
  describeDifference,
  type WrongBalance,
} from "./difference.ts";
import { keepReconciliation } from "./last-reconciliation.ts";
import { matchPostings } from "./match-postings.ts";
import { type BrokenLink, walkChains } from "./walk-chains.ts";

const ACCOUNTS_AT_ONCE = 2_000;

export interface LedgerReport {
  readonly accountCount: number;
  /** Sides of transfers: two for each transfer. */
  readonly entryCount: number;
  readonly differenceCount: number;
  /** The first of them: currencies, accounts, postings. */
  readonly differences: readonly Difference[];
}

/** Of a left join: an account without a balance is a difference, not a missing account. */
const ACCOUNT = {
  ...pick(tables.ledger_accounts, "ledger_account_id", "name", "currency", "is_of_the_house"),
  balance_minor: computed(bigint, sql`coalesce(balance_minor, 0)`),
  entry_count: computed(bigint, sql`coalesce(entry_count, 0)`),
};

export type BookedAccount = Row<typeof ACCOUNT>;

export function reconcile(db: Database): Promise<LedgerReport> {
  return inSnapshot(db, async (tx) => {
    const differences: Difference[] = await currencyDifferences(tx);
    let accountCount = 0;
    let entryCount = 0n;
    for (let last = 0n; ; ) {
      const accounts = await accountsAfter(tx, last);
      const end = accounts.at(-1);
      if (end === undefined) break;
      last = end.ledger_account_id;
      accountCount += accounts.length;
      const walked = await walkChains(tx, accounts);
      for (const account of accounts) {
        const { total, count, brokenLink } = walked(account);
        entryCount += count;
        const agrees =
          brokenLink === undefined &&
          total === account.balance_minor &&
          count === account.entry_count &&
          (account.is_of_the_house || account.balance_minor >= 0n);
        if (!agrees) differences.push(differenceOf(account, total, brokenLink));
      }
    }
    const unmatched = await matchPostings(tx);
    return {
      accountCount,
      entryCount: Number(entryCount),
      differenceCount: differences.length + unmatched.count,
      differences: [...differences, ...unmatched.first].slice(0, DIFFERENCES_SHOWN_MAX),
    };
  });
}

function accountsAfter(tx: Queryable, id: bigint): Promise<BookedAccount[]> {
  return tx.rows(sqlOf(ACCOUNT)`
    select ${columns(ACCOUNT)}
    from ledger_accounts left join ledger_balances using (ledger_account_id)
    where ledger_account_id > ${id}
    order by ledger_account_id limit ${ACCOUNTS_AT_ONCE}`);
}

function differenceOf(
  { name, currency, balance_minor }: BookedAccount,
  total: bigint,
  brokenLink: BrokenLink | undefined,
): WrongBalance {
  return {
    where: name,
    expected: money(currency, total),
    found: money(currency, balance_minor),
    ...(brokenLink === undefined ? {} : { brokenLink }),
  };
}

async function currencyDifferences(tx: Queryable): Promise<WrongBalance[]> {
  const sums = await tx.rows(sqlOf({
    ...pick(tables.ledger_accounts, "currency"),
    where: text,
    total: bigint,
  })`
    select environment || ' ' || currency as where, currency, sum(balance_minor)::bigint as total
    from ledger_accounts join ledger_balances using (ledger_account_id)
    group by environment, currency having sum(balance_minor) <> 0
    order by environment, currency`);
  return sums.map(({ where, currency, total }) => ({
    where,
    expected: money(currency, 0n),
    found: money(currency, total),
  }));
}

const differenceGauge = new Gauge({
  name: "windward_ledger_differences",
  help: "Differences between the books and their transfers, when they were last re-added.",
  aggregator: "max",
});
const reconciledAt = new Gauge({
  name: "windward_ledger_reconciled_at_seconds",
  help: "When the books were last re-added.",
  aggregator: "max",
});

export const reconcileLedger = defineJob({
  name: "reconcile-ledger",
  everyHourAtMinute: 23,
  async run({ db, log }: Infra) {
    const report = await reconcile(db);
    differenceGauge.set(report.differenceCount);
    reconciledAt.set(epochSeconds(await now(db)));
    const { differenceCount, ...counts } = report;
    const words = report.differences.map(describeDifference);
    if (differenceCount === 0) log.info(counts, "the books balance");
    else log.error({ ...counts, differenceCount, differences: words }, "the books differ");
    // Last: whatever becomes of it, the alarm is raised.
    await keepReconciliation(db, "reconcile-ledger", { ...report, counted: report.entryCount });
  },
});
