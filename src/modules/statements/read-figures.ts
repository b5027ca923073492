/**
 * The figures of an account: what was paid and what it cost by day, how many payments succeed, and
 * why others do not, beside the same number of days before (Decision 0088).
 *
 * Volume and fees are the lines of the statement, so both pages agree. Amounts of several
 * currencies are never added; payments are.
 */

import { now } from "../../infra/db/clock.ts";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { int } from "../../infra/db/row.ts";
import { addDays, dayAt, daysBetween, startOfDay } from "../../kit/local-day.ts";
import { CURRENCIES, type Currency, type Money, money } from "../../kit/money.ts";
import { GIVEN_UP, REPLACED, resultCode, TIMED_OUT } from "../checkout/session/result-messages.ts";
import { runWhenBehind } from "../transactions/add-up-counts.ts";
import { ofAccount } from "../transactions/count-history.ts";
import { ledgerSums } from "./ledger-sums.ts";
import { type PeriodSums, type Sum, type SumScope, sumPeriods } from "./sum-periods.ts";

const REASONS_MAX = 8;
/** So many changes are worth a run that adds them up. */
const CHANGES_COUNTED_MAX = 1_000;
const PAID = "payment_approved";
const LEFT = "left";
/** Ended without a refusal (Decision 0117). */
const LEFT_CODES = [GIVEN_UP, REPLACED, TIMED_OUT].map(resultCode);

interface Outcomes {
  readonly paid: number;
  /** Failed, or ended in an error; without those that were left. */
  readonly failed: number;
  /** Failed because the customer went away: no bank refused anything. */
  readonly left: number;
  /** Of those paid and failed, from 0 to 1; undefined when there were none. */
  readonly successRate: number | undefined;
}

interface Volume {
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

interface Reason {
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
  const days = daysBetween(addDays(today, 1 - count), today);
  // The time before is one period: nothing is shown of its days.
  const starts = [addDays(today, 1 - 2 * count), ...days, addDays(today, 1)];
  const moments = starts.map((day) => startOfDay(day, timeZone));
  const ledger = await ledgerSums(db, request, moments);
  const [paidBefore = [], ...paid] = ledger.periods.map((sums) =>
    sums.filter(({ key }) => key === PAID),
  );
  await runJobWhenBehind(db, request);
  const [failedBefore = [], ...failed] = await failuresIn(db, request, moments, TOGETHER);
  const ends = moments.filter((_, at) => at === 1 || at === moments.length - 1);
  const [reasons = []] = await failuresIn(db, request, ends, BY_CODE);
  const ofDays = <T>(each: (at: number) => T) => days.map((day, at) => ({ day, ...each(at) }));
  return {
    days: ofDays((at) => outcomesOf(paid[at] ?? [], failed[at] ?? [])),
    total: outcomesOf(paid.flat(), failed.flat()),
    totalBefore: outcomesOf(paidBefore, failedBefore),
    currencies: currenciesIn([paidBefore, ...paid].flat()).map((currency) => ({
      currency,
      days: ofDays((at) => volumeOf(currency, paid[at] ?? [])),
      total: volumeOf(currency, paid.flat()),
      totalBefore: volumeOf(currency, paidBefore),
    })),
    ...reasonsOf(reasons),
  };
}

function currenciesIn(sums: readonly Sum[]): Currency[] {
  const byCurrency = Map.groupBy(sums, ({ currency }) => currency);
  return CURRENCIES.filter((currency) => countOf(byCurrency.get(currency) ?? []) > 0);
}

async function runJobWhenBehind(db: Queryable, scope: SumScope): Promise<void> {
  const { changes } = await db.one(sqlOf({ changes: int })`
    select count(*)::int as changes from (
      select from transaction_count_changes where ${ofAccount(scope)}
      limit ${CHANGES_COUNTED_MAX}) as counted`);
  await runWhenBehind(db, changes);
}

/** All failures of a period, or those of each code, with the result of one of them. */
const TOGETHER = {
  key: sql`case when code = any(${LEFT_CODES}) then ${LEFT} else '' end`,
  words: sql`''`,
};
const BY_CODE = { key: sql`code`, words: sql`message` };

async function failuresIn(
  db: Queryable,
  scope: SumScope,
  moments: readonly Date[],
  { key, words }: { readonly key: Sql; readonly words: Sql },
): Promise<PeriodSums["periods"]> {
  const { currency } = scope;
  const nothing = sql`0::bigint as moved_minor, 0::bigint as fee_minor`;
  const source = {
    table: sql`payment_failures`,
    columns: sql`${key} as key, failure_count as count, ${nothing}, ${words} as words`,
    given: sql`failure as (
      select *, result_code(message) as code from transaction_count_changes
      where ${ofAccount(scope)} and failed_at is not null
        ${currency === undefined ? sql`` : sql`and currency = ${currency}`}
    )`,
    rest: sql`
      select failed_at as at, currency, ${key} as key, change as count, ${nothing},
        ${words} as words
      from failure`,
  };
  return (await sumPeriods(db, scope, source, moments)).periods;
}

function outcomesOf(paidSums: readonly Sum[], failedSums: readonly Sum[]): Outcomes {
  const paid = countOf(paidSums);
  const left = countOf(failedSums.filter(({ key }) => key === LEFT));
  const failed = countOf(failedSums) - left;
  const successRate = paid + failed === 0 ? undefined : paid / (paid + failed);
  return { paid, failed, left, successRate };
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
