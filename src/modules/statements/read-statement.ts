/**
 * Statements: what a merchant had at the beginning of each day of a time zone, what came and went,
 * and what was left (Decision 0088).
 *
 * They add up to the cent: opening and lines make the closing, a day opens as the one before it
 * closed, and today closes with the balance of the ledger. Each entry of the ledger is in one line.
 */

import { now } from "../../infra/db/clock.ts";
import type { Queryable } from "../../infra/db/query.ts";
import { csvLine } from "../../kit/csv.ts";
import { FieldRefused, FieldsConflict } from "../../kit/errors.ts";
import { addDays, dayAt, daysBetween, startOfDay } from "../../kit/local-day.ts";
import { addMoney, type Currency, type Money, money, subtractMoney } from "../../kit/money.ts";
import { ledgerSums } from "./ledger-sums.ts";
import type { Sum, SumScope } from "./sum-periods.ts";

const DAYS_MAX = 366;

/**
 * In the order of a statement. Payments are what customers paid, fees what was kept of them; the
 * fee of a withdrawal is part of the withdrawal. Withdrawals that banks sent back have a line of
 * their own: netted, a month could not be compared with the bank's statement (Decision 0101).
 */
export const LINES = [
  "payments",
  "fees",
  "refunds",
  "disputes",
  "withdrawals",
  "returned",
  "other",
] as const;

type Line = (typeof LINES)[number];

/** By how the name of a posting's occasion begins. The rest is rare: opening funds. */
const LINE_OF_SUBJECT: Readonly<Record<string, Line>> = {
  payment: "payments",
  refund: "refunds",
  chargeback: "disputes",
  fraud: "disputes",
  withdrawal: "withdrawals",
};

interface StatementLines extends Readonly<Record<Line, Money>> {
  readonly opening: Money;
  readonly closing: Money;
}

export interface StatementDay extends StatementLines {
  readonly day: string;
}

export interface Statement {
  readonly currency: Currency;
  readonly timeZone: string;
  /** Oldest first; today is the last that there may be. */
  readonly days: readonly StatementDay[];
  /** From the opening of the first day to the closing of the last. */
  readonly totals: StatementLines;
}

export interface StatementRequest extends SumScope {
  readonly currency: Currency;
  readonly timeZone: string;
  /** Days of the zone, both included. */
  readonly from: string;
  readonly to: string;
}

export async function readStatement(db: Queryable, request: StatementRequest): Promise<Statement> {
  const { currency, timeZone, from, to } = request;
  if (to < from) throw new FieldsConflict("The end date must not be before the start date.", "to");
  if (addDays(from, DAYS_MAX) <= to)
    throw new FieldRefused(`A statement must not be longer than ${DAYS_MAX} days.`, {
      field: "to",
    });
  const today = dayAt(await now(db), timeZone);
  const days = daysBetween(from, to < today ? to : today);
  const moments = [...days, addDays(days.at(-1) ?? from, 1)].map((day) =>
    startOfDay(day, timeZone),
  );
  const { before, periods } = await ledgerSums(db, request, moments);
  let opening = netOf(currency, before);
  const listed = days.map((day, at) => {
    const lines = linesOf(currency, opening, periods[at] ?? []);
    opening = lines.closing;
    return { day, ...lines };
  });
  const first = listed[0]?.opening ?? opening;
  return { currency, timeZone, days: listed, totals: linesOf(currency, first, periods.flat()) };
}

function linesOf(currency: Currency, opening: Money, sums: readonly Sum[]): StatementLines {
  const lines: Record<Line, Money> = {
    payments: money(currency, 0n),
    fees: money(currency, 0n),
    refunds: money(currency, 0n),
    disputes: money(currency, 0n),
    withdrawals: money(currency, 0n),
    returned: money(currency, 0n),
    other: money(currency, 0n),
  };
  for (const { key, movedMinor, feeMinor } of sums) {
    const line = lineOf(key);
    const fee = money(currency, feeMinor);
    lines[line] = addMoney(addMoney(lines[line], money(currency, movedMinor)), fee);
    lines.fees = subtractMoney(lines.fees, fee);
  }
  return { opening, ...lines, closing: addMoney(opening, netOf(currency, sums)) };
}

function lineOf(occasion: string): Line {
  if (occasion === "withdrawal_returned") return "returned";
  return LINE_OF_SUBJECT[occasion.slice(0, occasion.indexOf("_"))] ?? "other";
}

function netOf(currency: Currency, sums: readonly Sum[]): Money {
  return money(
    currency,
    sums.reduce((all, { movedMinor }) => all + movedMinor, 0n),
  );
}

const CSV_COLUMNS = ["opening", ...LINES, "closing"] as const;

/** A line for each day, and their totals. */
export function statementCsv({ currency, days, totals }: Statement): string {
  const line = (day: string, lines: StatementLines) =>
    csvLine([day, currency, ...CSV_COLUMNS.map((name) => lines[name])]);
  return [
    csvLine(["day", "currency", ...CSV_COLUMNS]),
    ...days.map((one) => line(one.day, one)),
    line("total", totals),
  ].join("");
}
