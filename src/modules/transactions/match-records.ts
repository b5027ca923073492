/**
 * Matches all records of a module to the books: in one snapshot, and in pieces, because a statement
 * has a time limit (Decision 0024). Differences are reported, and never corrected automatically.
 */

import { Gauge } from "prom-client";
import type { Infra } from "../../infra/context.ts";
import type { Database } from "../../infra/db/database.ts";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { int, nullable, text } from "../../infra/db/row.ts";
import { inSnapshot } from "../../infra/db/snapshot.ts";
import { defineJob, type Job } from "../../infra/jobs/job.ts";
import { formatMoney, money } from "../../kit/money.ts";
import { DIFFERENCES_SHOWN_MAX, describeDifference, type Mismatch } from "../ledger/difference.ts";
import { keepReconciliation } from "../ledger/last-reconciliation.ts";
import { findStrays, findUnexplained, type Leg, type Records } from "./match-legs.ts";

const RECORDS_AT_ONCE = 5_000;

export interface MatchReport {
  readonly recordCount: number;
  readonly differenceCount: number;
  /** The first of them: records in the order of their ids, strays, what concerns all. */
  readonly differences: readonly Mismatch[];
}

export function matchRecords(
  db: Database,
  records: Records,
  options: {
    recordsAtOnce?: number | undefined;
    /** What else may be wrong with the records of one condition, or with all of them. */
    ofPiece?: (tx: Queryable, piece: Sql) => Promise<Mismatch[]>;
    ofAll?: (tx: Queryable) => Promise<Mismatch[]>;
  } = {},
): Promise<MatchReport> {
  const { recordsAtOnce = RECORDS_AT_ONCE, ofPiece, ofAll } = options;
  return inSnapshot(db, async (tx) => {
    const differences: Mismatch[] = [];
    let differenceCount = 0;
    const note = (found: readonly Mismatch[]) => {
      differenceCount += found.length;
      differences.push(...found.slice(0, DIFFERENCES_SHOWN_MAX - differences.length));
    };
    let recordCount = 0;
    for (let after = ""; ; ) {
      const { end, count } = await endOfPiece(tx, records, after, recordsAtOnce);
      if (end === null) break;
      const piece = sql`transaction_id > ${after} and transaction_id <= ${end}`;
      if (ofPiece !== undefined) note(await ofPiece(tx, piece));
      note((await findUnexplained(tx, records, piece)).map(describeLeg));
      recordCount += count;
      after = end;
    }
    const strays = await findStrays(tx, records);
    note(
      strays.map(({ posting_id, reference }) => ({
        where: reference,
        words: `posting ${posting_id} is of a transaction that is not there`,
      })),
    );
    if (ofAll !== undefined) note(await ofAll(tx));
    return { recordCount, differenceCount, differences };
  });
}

function endOfPiece(tx: Queryable, { table }: Records, after: string, count: number) {
  return tx.one(sqlOf({ end: nullable(text), count: int })`
    select max(transaction_id) as end, count(*)::int as count
    from (
      select transaction_id from ${table} where transaction_id > ${after}
      order by transaction_id limit ${count}
    ) as piece`);
}

function describeLeg({ transaction_id: where, posting_id, debit, credit, ...leg }: Leg): Mismatch {
  const amount = formatMoney(money(leg.currency, leg.amount_minor));
  const what = `${amount} ${leg.currency} from ${debit} to ${credit}`;
  const words = leg.is_booked
    ? `posting ${posting_id} moved ${what}, which no record explains`
    : `posting ${posting_id} should have moved ${what}`;
  return { where, words };
}

/** A job that matches one kind of record every hour, with a row, a log line and a gauge. */
export function defineMatchingJob<Ctx extends Infra>(matching: {
  readonly name: string;
  /** After the books have been re-added by themselves (`reconcile-ledger`). */
  readonly everyHourAtMinute: number;
  /** What is matched, in the plural, as the log says it. */
  readonly records: string;
  readonly gauge: { readonly name: string; readonly help: string };
  match(ctx: Ctx): Promise<MatchReport>;
}): Job<Ctx> {
  const { name, everyHourAtMinute, records, match } = matching;
  const differenceGauge = new Gauge({ ...matching.gauge, aggregator: "max" });
  return defineJob({
    name,
    everyHourAtMinute,
    async run(ctx: Ctx) {
      const { differences, ...counts } = await match(ctx);
      const { recordCount, differenceCount } = counts;
      const checked = { counted: recordCount, differenceCount, differences };
      differenceGauge.set(differenceCount);
      if (differenceCount === 0) ctx.log.info({ recordCount }, `${records} agree with the books`);
      else {
        const report = { ...counts, differences: differences.map(describeDifference) };
        ctx.log.error(report, `${records} differ from the books`);
      }
      // Last: whatever becomes of it, the alarm is raised.
      await keepReconciliation(ctx.db, name, checked);
    },
  });
}
