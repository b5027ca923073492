/**
 * How many transactions there are, without counting them: whole months, days and hours were added
 * up by `add-up-counts.ts`, and the few changes since then are added here (Decision 0027).
 *
 * Sums and changes are read in one statement, and a row moves from the one to the other in one tx,
 * so the result is exact in every snapshot.
 */

import { join } from "sql-template-tag";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { int, type Row, timestamp, word } from "../../infra/db/row.ts";
import { HOUR_SECONDS, SECOND_MS } from "../../kit/clock.ts";
import type { HistoryFilter } from "./history-filter.ts";

type HistoryScope = Pick<HistoryFilter, "accountNumber" | "environment" | "status" | "currency">;

const SPAN = {
  span: word("month", "day", "hour"),
  from: timestamp,
  until: timestamp,
  count: int,
  count_of_all: int,
  change_count: int,
};

/** A stretch of time with how many were created in it. */
type Span = Row<typeof SPAN>;

interface Range {
  readonly span: Span["span"];
  /** Absent: from the first one, or to the last. */
  readonly from: Date | undefined;
  readonly until: Date | undefined;
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

/** Counts what a filter allows, in all hours that its time touches. */
export function countHistory(db: Queryable, filter: HistoryFilter): Promise<Counted> {
  return countRanges(db, filter, rangesOf(filter));
}

async function countRanges(
  db: Queryable,
  scope: HistoryScope,
  ranges: readonly Range[],
): Promise<Counted> {
  if (ranges.length === 0) return { total: 0, totalOfAll: 0, spans: [], changeCount: 0 };
  const { status = null, currency = null } = scope;
  const parts = ranges.flatMap((range) => [added(scope, range), changed(scope, range)]);
  const spans = await db.rows(sqlOf(SPAN)`
    select span, starts_at as "from", starts_at + ('1 ' || span)::interval as until,
      coalesce(sum(change) filter (where
        status = coalesce(${status}, status) and currency = coalesce(${currency}, currency)
      ), 0)::int as count,
      sum(change)::int as count_of_all, count(*) filter (where is_change)::int as change_count
    from (${join(parts, " union all ")})
      as counted (span, starts_at, status, currency, change, is_change)
    group by span, starts_at
    order by starts_at desc`);
  const sum = (name: "count" | "count_of_all" | "change_count") =>
    spans.reduce((all, span) => all + span[name], 0);
  return {
    total: sum("count"),
    totalOfAll: sum("count_of_all"),
    changeCount: sum("change_count"),
    spans: spans.filter(({ count }) => count > 0),
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

export function ofAccount(scope: Pick<HistoryScope, "accountNumber" | "environment">): Sql {
  return sql`account_number = ${scope.accountNumber} and environment = ${scope.environment}`;
}

/** The end is not included. */
export function within(column: Sql, from: Date | undefined, until: Date | undefined): Sql {
  return sql`${from === undefined ? sql`` : sql`and ${column} >= ${from}`}
    ${until === undefined ? sql`` : sql`and ${column} < ${until}`}`;
}

function rangesOf({ from, until }: HistoryFilter): Range[] {
  const hourMs = HOUR_SECONDS * SECOND_MS;
  const wholeHour = (time: Date | undefined, round: (hours: number) => number) =>
    time && new Date(round(time.getTime() / hourMs) * hourMs);
  return rangesIn("month", wholeHour(from, Math.floor), wholeHour(until, Math.ceil));
}

/** The whole months within, and beside them whole days and hours. */
function rangesIn(span: Range["span"], from: Date | undefined, until: Date | undefined): Range[] {
  if (from !== undefined && until !== undefined && from >= until) return [];
  if (span === "hour") return [{ span, from, until }];
  const finer = FINER[span];
  const first = from && spanAtOrAfter(span, from);
  const end = until && spanOf(span, until);
  if (first !== undefined && end !== undefined && first >= end) return rangesIn(finer, from, until);
  return [
    { span, from: first, until: end },
    ...(first === undefined ? [] : rangesIn(finer, from, first)),
    ...(end === undefined ? [] : rangesIn(finer, end, until)),
  ];
}

function spanAtOrAfter(span: "month" | "day", time: Date): Date {
  const start = spanOf(span, time);
  if (start.getTime() === time.getTime()) return start;
  if (span === "month") start.setUTCMonth(start.getUTCMonth() + 1);
  else start.setUTCDate(start.getUTCDate() + 1);
  return start;
}

function spanOf(span: "month" | "day", time: Date): Date {
  const start = new Date(time);
  start.setUTCHours(0, 0, 0, 0);
  if (span === "month") start.setUTCDate(1);
  return start;
}

/** Those in which anything could fit, as `2026-11-01`. */
export function monthsOf({ spans }: Counted): string[] {
  return [...new Set(spans.map(({ from }) => `${from.toISOString().slice(0, 7)}-01`))];
}

const FINER = { month: "day", day: "hour" } as const;

/**
 * Finds a page in the middle of a long list without reading up to it: by the months, then the
 * days, then the hours, whose counts are known. What is left to skip is less than the rows of one
 * hour.
 */
export async function locatePage(
  db: Queryable,
  scope: HistoryScope,
  counted: Counted,
  rowsNewer: number,
): Promise<{ until: Date; skip: number } | undefined> {
  let { spans } = counted;
  let skip = rowsNewer;
  for (;;) {
    let found: Span | undefined;
    for (const span of spans) {
      if (skip < span.count) {
        found = span;
        break;
      }
      skip -= span.count;
    }
    if (found === undefined) return undefined;
    const { span, from, until } = found;
    if (span === "hour") return { until, skip };
    ({ spans } = await countRanges(db, scope, [{ span: FINER[span], from, until }]));
  }
}
