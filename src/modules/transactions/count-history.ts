/**
 * How many transactions there are, without counting them: whole months and days were added up by
 * `add-up-counts.ts`, and the few changes since then are added here (Decision 0027).
 *
 * The rule that matters: sums and changes are read in one statement, and a row moves from the one
 * to the other in one tx, so the result is exact in every snapshot.
 */

import { join } from "sql-template-tag";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { int, type Row, timestamp, word } from "../../infra/db/row.ts";
import type { HistoryFilter, HistoryScope } from "./history-filter.ts";

export type SpanName = "month" | "day" | "hour";

export interface Range {
  readonly span: SpanName;
  /** Absent: from the first one, or to the last. */
  readonly from: Date | undefined;
  readonly until: Date | undefined;
}

/** A stretch of time with how many were created in it. */
export interface Span {
  readonly span: SpanName;
  readonly from: Date;
  readonly until: Date;
  readonly count: number;
}

export interface Counted {
  readonly total: number;
  /** The same without regard to status and currency. */
  readonly totalOfAll: number;
  /** Newest first; none is empty. */
  readonly spans: readonly Span[];
  /** How many changes had to be added, which is what this costs. */
  readonly changeCount: number;
}

/** Counts what the days of a filter allow, in whole months and the days that are left over. */
export function countHistory(db: Queryable, filter: HistoryFilter): Promise<Counted> {
  return countRanges(db, filter, rangesOf(filter));
}

const SPAN = {
  span: word("month", "day", "hour"),
  starts_at: timestamp,
  ends_at: timestamp,
  count: int,
  count_of_all: int,
  change_count: int,
};

export async function countRanges(
  db: Queryable,
  scope: HistoryScope,
  ranges: readonly Range[],
): Promise<Counted> {
  const { status = null, currency = null } = scope;
  const parts = ranges.flatMap((range) => [added(scope, range), changed(scope, range)]);
  const rows = await db.rows(sqlOf(SPAN)`
    select span, starts_at, starts_at + ('1 ' || span)::interval as ends_at,
      coalesce(sum(change) filter (where
        status = coalesce(${status}, status) and currency = coalesce(${currency}, currency)
      ), 0)::int as count,
      sum(change)::int as count_of_all, count(*) filter (where is_change)::int as change_count
    from (${join(parts, " union all ")})
      as counted (span, starts_at, status, currency, change, is_change)
    group by span, starts_at
    order by starts_at desc`);
  const sum = (pick: (row: Row<typeof SPAN>) => number) =>
    rows.reduce((all, row) => all + pick(row), 0);
  return {
    total: sum((row) => row.count),
    totalOfAll: sum((row) => row.count_of_all),
    changeCount: sum((row) => row.change_count),
    spans: rows
      .filter(({ count }) => count > 0)
      .map(({ span, starts_at, ends_at, count }) => ({
        span,
        from: starts_at,
        until: ends_at,
        count,
      })),
  };
}

function added(scope: HistoryScope, { span, from, until }: Range): Sql {
  return sql`
    select span, starts_at, status, currency, transaction_count, false
    from transaction_counts where ${ofAccount(scope)} and span = ${span}
      ${within(sql`starts_at`, from, until)}`;
}

function changed(scope: HistoryScope, { span, from, until }: Range): Sql {
  return sql`
    select ${span}::text, date_trunc(${span}, hour, 'UTC'), status, currency, change, true
    from transaction_count_changes where ${ofAccount(scope)} ${within(sql`hour`, from, until)}`;
}

export function ofAccount({
  accountNumber,
  environment,
}: Pick<HistoryScope, "accountNumber" | "environment">): Sql {
  return sql`account_number = ${accountNumber} and environment = ${environment}`;
}

/** The end is not included. */
export function within(column: Sql, from: Date | undefined, until: Date | undefined): Sql {
  return sql`${from === undefined ? sql`` : sql`and ${column} >= ${from}`}
    ${until === undefined ? sql`` : sql`and ${column} < ${until}`}`;
}

function rangesOf({ from, until }: HistoryFilter): Range[] {
  const months = {
    span: "month",
    from: from && monthAtOrAfter(from),
    until: until && monthOf(until),
  } as const;
  const { from: first, until: end } = months;
  if (first !== undefined && end !== undefined && first >= end)
    return [{ span: "day", from, until }];
  return [
    ...(first === undefined ? [] : [{ span: "day", from, until: first } as const]),
    months,
    ...(end === undefined ? [] : [{ span: "day", from: end, until } as const]),
  ];
}

function monthOf(time: Date): Date {
  return utcMonth(time.getUTCFullYear(), time.getUTCMonth());
}

function monthAtOrAfter(time: Date): Date {
  const month = monthOf(time);
  return month < time ? utcMonth(time.getUTCFullYear(), time.getUTCMonth() + 1) : month;
}

/** `Date.UTC` takes the years 0 to 99 for those of the last century. */
function utcMonth(year: number, month: number): Date {
  const time = new Date(0);
  time.setUTCFullYear(year, month, 1);
  return time;
}
