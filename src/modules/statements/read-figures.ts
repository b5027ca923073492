/**
 * The figures of an account: what was paid and what it cost by day, how many payments succeed, and
 * why others do not, beside the same number of days before (Decision 0088).
 *
 * Volume and fees are the lines of the statement, so both pages agree. Amounts of several
 * currencies are never added; payments are.
 */

import { now } from "../../infra/db/clock.ts";
import { type Queryable, sql, sqlOf } from "../../infra/db/query.ts";
import { int } from "../../infra/db/row.ts";
import { addDays, dayAt, daysBetween, startOfDay } from "../../kit/local-day.ts";
import { CURRENCIES, type Currency, type Money, money } from "../../kit/money.ts";
import { runWhenBehind } from "../transactions/add-up-counts.ts";
import { ledgerSums } from "./ledger-sums.ts";
import { type PeriodSums, type Sum, type SumScope, sumPeriods } from "./sum-periods.ts";

const REASONS_MAX = 8;
/** So many changes are worth a run that adds them up. */
const CHANGES_COUNTED_MAX = 1_000;
const PAID = "payment_approved";

export interface Outcomes {
  readonly paid: number;
  /** Failed, or ended in an error. */
  readonly failed: number;
  /** From 0 to 1; undefined when there were none. */
  readonly successRate: number | undefined;
}

export interface Volume {
  /** What customers paid. */
  readonly volume: Money;
  readonly fees: Money;
  readonly paid: number;
}

export interface Figures {
  /** Oldest first; today is the last. */
  readonly days: readonly (Outcomes & { readonly day: string })[];
  readonly total: Outcomes;
  readonly totalBefore: Outcomes;
  /** Those in which anything was paid in either time. */
  readonly currencies: readonly {
    readonly currency: Currency;
    readonly days: readonly (Volume & { readonly day: string })[];
    readonly total: Volume;
    readonly totalBefore: Volume;
  }[];
  /** Why payments failed, the most common first. */
  readonly reasons: readonly Reason[];
  /** Failed for other reasons than those. */
  readonly otherReasons: number;
}

export interface Reason {
  /** As in `[2-R05]`, without brackets; `none` where the result has no code. */
  readonly code: string;
  /** The result of one of them, in words. */
  readonly message: string;
  readonly count: number;
}

export interface FiguresRequest extends SumScope {
  readonly timeZone: string;
  readonly days: 7 | 30 | 90;
}

export async function readFigures(db: Queryable, request: FiguresRequest): Promise<Figures> {
  const { timeZone, days: count } = request;
  const today = dayAt(await now(db), timeZone);
  const all = daysBetween(addDays(today, 1 - 2 * count), today);
  const moments = [...all, addDays(today, 1)].map((day) => startOfDay(day, timeZone));
  const { periods } = await ledgerSums(db, request, moments);
  const paid = periods.map((sums) => sums.filter(({ key }) => key === PAID));
  const failed = await failuresOf(db, request, moments);
  const days = all.slice(count);
  const ofDays = <T>(each: (at: number) => T) =>
    days.map((day, at) => ({ day, ...each(count + at) }));
  const both = (from: number, until?: number) =>
    outcomesOf(paid.slice(from, until).flat(), failed.slice(from, until).flat());
  return {
    days: ofDays((at) => both(at, at + 1)),
    total: both(count),
    totalBefore: both(0, count),
    currencies: currenciesIn(paid).map((currency) => ({
      currency,
      days: ofDays((at) => volumeOf(currency, paid[at] ?? [])),
      total: volumeOf(currency, paid.slice(count).flat()),
      totalBefore: volumeOf(currency, paid.slice(0, count).flat()),
    })),
    ...reasonsOf(failed.slice(count).flat()),
  };
}

function currenciesIn(periods: readonly (readonly Sum[])[]): Currency[] {
  const counts = Map.groupBy(periods.flat(), ({ currency }) => currency);
  return CURRENCIES.filter((currency) => countOf(counts.get(currency) ?? []) > 0);
}

async function failuresOf(
  db: Queryable,
  scope: SumScope,
  moments: readonly Date[],
): Promise<PeriodSums["periods"]> {
  const { accountNumber, environment, currency } = scope;
  const mine = sql`account_number = ${accountNumber} and environment = ${environment}`;
  const { changes } = await db.one(sqlOf({ changes: int })`
    select count(*)::int as changes from (
      select from transaction_count_changes where ${mine} limit ${CHANGES_COUNTED_MAX}) as counted`);
  await runWhenBehind(db, changes);
  const { periods } = await sumPeriods(
    db,
    scope,
    {
      table: sql`payment_failures`,
      columns: sql`code as key, failure_count as count, 0::bigint as moved_minor,
        0::bigint as fee_minor, message as words`,
      given: sql`nothing as (select)`,
      rest: sql`
        select failed_at as at, currency, result_code(message) as key, change as count,
          0 as moved_minor, 0 as fee_minor, message as words
        from transaction_count_changes where ${mine} and failed_at is not null
          ${currency === undefined ? sql`` : sql`and currency = ${currency}`}`,
    },
    moments,
  );
  return periods;
}

function outcomesOf(paidSums: readonly Sum[], failedSums: readonly Sum[]): Outcomes {
  const paid = countOf(paidSums);
  const failed = countOf(failedSums);
  const successRate = paid + failed === 0 ? undefined : paid / (paid + failed);
  return { paid, failed, successRate };
}

function volumeOf(currency: Currency, sums: readonly Sum[]): Volume {
  const own = sums.filter((sum) => sum.currency === currency);
  const fees = own.reduce((all, { feeMinor }) => all + feeMinor, 0n);
  const net = own.reduce((all, { movedMinor }) => all + movedMinor, 0n);
  return { volume: money(currency, net + fees), fees: money(currency, fees), paid: countOf(own) };
}

function countOf(sums: readonly Sum[]): number {
  return Number(sums.reduce((all, { count }) => all + count, 0n));
}

function reasonsOf(sums: readonly Sum[]): Pick<Figures, "reasons" | "otherReasons"> {
  const reasons = [...Map.groupBy(sums, ({ key }) => key)]
    .map(([code, own]) => ({ code, message: own[0]?.words ?? "", count: countOf(own) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
  const others = reasons.slice(REASONS_MAX);
  return {
    reasons: reasons.slice(0, REASONS_MAX),
    otherReasons: others.reduce((all, { count }) => all + count, 0),
  };
}
