/** Which statement is meant: a month of the visitor's time zone and a currency, by the address. */

import { now } from "../../infra/db/clock.ts";
import type { Read } from "../../infra/db/standby.ts";
import { oneOf } from "../../kit/fields/choice.ts";
import { field, fieldRefused, optional, type Values } from "../../kit/fields/field.ts";
import { addDays, dayAt } from "../../kit/local-day.ts";
import { CURRENCIES, type Currency } from "../../kit/money.ts";
import { balancesOf } from "../../modules/ledger/balances.ts";
import { platformOf } from "../../modules/platforms/platform.ts";
import { readStatement, type Statement } from "../../modules/statements/read-statement.ts";
import type { ConsoleContext } from "../context.ts";
import type { Visitor } from "../visitor.ts";

const MONTH = /^20\d\d-(?:0[1-9]|1[0-2])$/;

const month = field({ type: "string" }, (value, name) => {
  if (typeof value !== "string" || !MONTH.test(value))
    throw fieldRefused(name, "must be a month such as 2026-11");
  return value;
});

export const STATEMENT_QUERY = { month: optional(month), currency: optional(oneOf(CURRENCIES)) };

export interface MonthStatement extends Statement {
  readonly month: string;
  readonly earlier: string;
  /** Undefined: this is the current month. */
  readonly later: string | undefined;
  /** Those with a balance, and the platform's own. */
  readonly currencies: readonly Currency[];
}

export async function readMonth(
  { db, read }: Pick<ConsoleContext, "db"> & { readonly read: Read },
  { account, environment, timeZone }: Visitor,
  asked: Values<typeof STATEMENT_QUERY>,
): Promise<MonthStatement> {
  const { accountNumber, countryCode } = account;
  const today = dayAt(await now(db), timeZone);
  const thisMonth = today.slice(0, 7);
  const chosen = asked.month !== undefined && asked.month < thisMonth ? asked.month : thisMonth;
  const from = `${chosen}-01`;
  const balances = await balancesOf(db, accountNumber, environment);
  const currencies = [...new Set([...platformOf(countryCode).currencies, ...balances.keys()])];
  const currency = asked.currency ?? platformOf(countryCode).localCurrency;
  const to = lastDayOf(chosen);
  const wanted = { accountNumber, environment, currency, timeZone, from, to };
  const statement = await read((reads) => readStatement(reads, wanted));
  const later = addDays(from, 32).slice(0, 7);
  return {
    ...statement,
    month: chosen,
    earlier: addDays(from, -1).slice(0, 7),
    later: later <= thisMonth ? later : undefined,
    currencies,
  };
}

function lastDayOf(month: string): string {
  return addDays(`${addDays(`${month}-01`, 32).slice(0, 7)}-01`, -1);
}

/** "November 2026". */
export function monthName(month: string): string {
  const format = new Intl.DateTimeFormat("en-GB", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return format.format(new Date(`${month}-15T00:00:00Z`));
}
