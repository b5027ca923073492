/**
 * What was added up by time, between any moments that begin a quarter of an hour, such as the
 * midnights of a time zone (Decision 0088).
 *
 * A period between two moments is the whole UTC days from the day of the first to the day of the
 * second, less what of its day is before the first, and with what of its day is before the second.
 * So a day of a zone reads one day and a few hours. Sums and what has yet to be added to them are
 * read in one statement, so the result is exact in every snapshot.
 */

import assert from "node:assert/strict";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { bigint, int, pick, type Row, text, word } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Currency } from "../../kit/money.ts";
import type { Environment } from "../../kit/vocabulary.ts";

const QUARTER_MS = 15 * 60 * 1_000;

export interface SumScope {
  readonly accountNumber: string;
  readonly environment: Environment;
  /** Undefined: each one apart. */
  readonly currency: Currency | undefined;
}

/** Where sums are kept, and what has yet to be added to them. */
export interface SumSource {
  readonly table: Sql;
  /** As `key, count, moved_minor, fee_minor, words` of a row of the table. */
  readonly columns: Sql;
  /** CTEs that `rest` reads. */
  readonly given: Sql;
  /** As `at, currency, key, count, moved_minor, fee_minor, words`. */
  readonly rest: Sql;
}

const PART = {
  part: word("before", "day", "edge", "rest"),
  place: int,
  ...pick(tables.statement_sums, "currency"),
  key: text,
  count: bigint,
  moved_minor: bigint,
  fee_minor: bigint,
  words: text,
};

export interface Sum {
  readonly currency: Currency;
  /** What for: the occasion of a posting, or the code of a failure. */
  readonly key: string;
  readonly count: bigint;
  readonly movedMinor: bigint;
  readonly feeMinor: bigint;
  readonly words: string;
}

export interface PeriodSums {
  /** All that was before the first moment. */
  readonly before: readonly Sum[];
  /** Of the time between each moment and the next. A key may come several times. */
  readonly periods: readonly (readonly Sum[])[];
}

export async function sumPeriods(
  db: Queryable,
  scope: SumScope,
  source: SumSource,
  moments: readonly Date[],
): Promise<PeriodSums> {
  assert(moments.every((moment) => moment.getTime() % QUARTER_MS === 0));
  const rows = await db.rows(statementOf(scope, source, moments));
  const before: Sum[] = [];
  const periods = moments.slice(1).map((): Sum[] => []);
  for (const row of rows) {
    const sum = sumOf(row);
    // Places are counted from 1; of periods, 0 is before the first moment.
    if (row.part === "before" || row.place === 0) before.push(sum);
    else if (row.part !== "edge") periods[row.place - 1]?.push(sum);
    else {
      (row.place === 1 ? before : periods[row.place - 2])?.push(sum);
      periods[row.place - 1]?.push(negated(sum));
    }
  }
  return { before, periods };
}

function statementOf(scope: SumScope, source: SumSource, moments: readonly Date[]) {
  const { accountNumber, environment, currency } = scope;
  const of = (span: string) => sql`
    account_number = ${accountNumber} and environment = ${environment} and span = ${span}
    ${currency === undefined ? sql`` : sql`and currency = ${currency}`}`;
  const summed = (part: string, place: Sql, from: Sql) => sql`
    select ${part} as part, (${place})::int as place, currency, ${source.columns} ${from}`;
  const nthDay = sql`width_bucket(starts_at, (select days from ends))`;
  // OFFSET keeps each from being read as one of all moments: then all hours would be compared.
  const edge = (span: string, from: Sql, until: Sql) => sql`
    select 'edge' as part, moment.place::int, one.* from moment cross join lateral (
      select currency, ${source.columns} from ${source.table}
      where ${of(span)} and starts_at >= ${from} and starts_at < ${until} offset 0
    ) as one
    where ${from} < ${until}`;
  return sqlOf(PART)`
    with moment as materialized (
      select place, at, date_trunc('hour', at, 'UTC') as hour, date_trunc('day', at, 'UTC') as day
      from unnest(${moments}::timestamptz[]) with ordinality as given (at, place)
    ), ends as materialized (
      select min(day) as first, max(day) as last, date_trunc('month', min(day), 'UTC') as month,
        array_agg(day order by place) as days, array_agg(at order by place) as moments
      from moment
    ), ${source.given}, all_of_it as (
      ${summed("before", sql`0`, sql`from ${source.table}`)}
        where ${of("month")} and starts_at < (select month from ends)
      union all
      ${summed("before", sql`0`, sql`from ${source.table}`)}
        where ${of("day")} and starts_at >= (select month from ends)
          and starts_at < (select first from ends)
      union all
      ${summed("day", nthDay, sql`from ${source.table}`)}
        where ${of("day")} and starts_at >= (select first from ends)
          and starts_at < (select last from ends)
      union all
      ${edge("hour", sql`moment.day`, sql`moment.hour`)}
      union all
      ${edge("quarter", sql`moment.hour`, sql`moment.at`)}
      union all
      select 'rest', width_bucket(at, (select moments from ends)), currency, key, count,
        moved_minor, fee_minor, words
      from (${source.rest}) as rest
    )
    select part, place, currency, key, sum(count)::bigint as count,
      sum(moved_minor)::bigint as moved_minor, sum(fee_minor)::bigint as fee_minor,
      max(words) as words
    from all_of_it group by part, place, currency, key`;
}

function sumOf({ currency, key, count, moved_minor, fee_minor, words }: Row<typeof PART>): Sum {
  return { currency, key, count, movedMinor: moved_minor, feeMinor: fee_minor, words };
}

function negated({ count, movedMinor, feeMinor, ...sum }: Sum): Sum {
  return { ...sum, count: -count, movedMinor: -movedMinor, feeMinor: -feeMinor };
}
