/**
 * Matches settlement to the books and to what was paid (Decisions 0024 and 0082): each line that
 * names a payment has its posting, written here a second time, apart from the recipes; no line is
 * left that differs or is unknown; nothing that was paid is missing from the reports.
 */

import { Gauge } from "prom-client";
import type { Database } from "../../infra/db/database.ts";
import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, float, int } from "../../infra/db/row.ts";
import { describeMoney, money } from "../../kit/money.ts";
import type { Mismatch } from "../ledger/difference.ts";
import type { Records } from "../transactions/match-legs.ts";
import {
  defineMatchingJob,
  type MatchReport,
  matchRecords,
} from "../transactions/match-records.ts";
import { acquirerClearing } from "./clearing.ts";
import { findUnsettled } from "./find-unsettled.ts";
import { SETTLEMENT_LINE } from "./settlement-line.ts";

/** Beyond it the report is of another merchant, or the columns are wrong. */
const DIFFERING_MAX = 10_000;

/** A line is its own record: several may name one payment. */
const LINE_RECORDS: Records = {
  table: sql`(
    select line_id as transaction_id, account_number, 'live' as environment, currency, kind,
      amount_minor, fee_minor
    from settlement_lines where account_number is not null
  ) as lines`,
  occasions: ["sale_settled", "refund_settled"],
  wanted: sql`
    select transaction_id, kind || '_settled ' || transaction_id as posting_id, debit, credit, minor
    from record, lateral (values
      (case kind when 'sale' then 'bank' else 'gateway_clearing' end,
        case kind when 'sale' then 'gateway_clearing' else 'bank' end, amount_minor),
      ('acquirer_fees', 'bank', fee_minor)
    ) as move (debit, credit, minor)`,
};

interface SettlementReport extends MatchReport {
  /** Lines that agree with a payment; the record count has also those that differ. */
  readonly matchedCount: number;
  /** Lines that differ, or name nothing that we know. */
  readonly notMatchedCount: number;
}

/** `days`: after so many a payment has to be in a report. */
export async function reconcileSettlements(db: Database, days: number): Promise<SettlementReport> {
  let counts = { matchedCount: 0, notMatchedCount: 0 };
  const report = await matchRecords(db, LINE_RECORDS, {
    async ofAll(tx) {
      counts = await countLines(tx);
      return [...(await differingLines(tx)), ...(await findUnsettled(tx, days))];
    },
  });
  return { ...report, ...counts };
}

async function countLines(tx: Queryable) {
  const { matched, all } = await tx.one(sqlOf({ matched: int, all: int })`
    select count(*) filter (where state = 'matched')::int as matched, count(*)::int as all
    from settlement_lines`);
  return { matchedCount: matched, notMatchedCount: all - matched };
}

async function differingLines(tx: Queryable): Promise<Mismatch[]> {
  const rows = await tx.rows(sqlOf(SETTLEMENT_LINE)`
    select ${columns(SETTLEMENT_LINE)} from settlement_lines where state <> 'matched'
    order by settled_on, line_id limit ${DIFFERING_MAX}`);
  return rows.map((row) => {
    const amount = describeMoney(money(row.currency, row.amount_minor));
    const what = `${row.kind} of ${amount} settled on ${row.settled_on}`;
    const where = row.transaction_id ?? `settlement line ${row.identifier}`;
    return { where, words: `${what}: ${row.difference}` };
  });
}

const importedAt = new Gauge({
  name: "windward_settlement_imported_at_seconds",
  help: "When the newest line of a settlement report was imported, when last matched.",
  aggregator: "max",
});
const clearingGauge = new Gauge({
  name: "windward_acquirer_clearing_minor",
  help: "What the acquirer owes us of live payments in minor units, when last matched.",
  labelNames: ["currency"],
  aggregator: "max",
});

async function lastImport(db: Queryable): Promise<number> {
  const { seconds } = await db.one(sqlOf({ seconds: float })`
    select coalesce(extract(epoch from max(imported_at)), 0)::float8 as seconds
    from settlement_lines`);
  return seconds;
}

export const reconcileSettlementsJob = defineMatchingJob({
  name: "reconcile-settlements",
  everyHourAtMinute: 39,
  records: "settlement lines",
  gauge: {
    name: "windward_settlement_differences",
    help: "Differences of settlement reports from payments and the books, when last matched.",
  },
  async match({ db, config }) {
    for (const { currency, minor } of await acquirerClearing(db))
      clearingGauge.set({ currency }, Number(minor));
    importedAt.set(await lastImport(db));
    return reconcileSettlements(db, config.settlement.days);
  },
});
