/**
 * Mails the statement of the month that has just ended to the members who asked for it, once, on
 * the first of the next month in the account's time zone (Decision 0088); when the clock was moved,
 * of each month that it passed (Decision 0104). The mail's reason names the month, so running again
 * sends nothing twice.
 */

import type { Infra } from "../../infra/context.ts";
import { now } from "../../infra/db/clock.ts";
import { sqlOf } from "../../infra/db/query.ts";
import { pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { type ClockMoved, defineJob } from "../../infra/jobs/job.ts";
import { addDays, dayAt, daysBetween } from "../../kit/local-day.ts";
import { describeMoney } from "../../kit/money.ts";
import { balancesOf } from "../ledger/balances.ts";
import { canSendMail, queueMail } from "../mail/queue-mail.ts";
import { platformOf } from "../platforms/platform.ts";
import { LINES, readStatement, type Statement } from "./read-statement.ts";

const SUBSCRIBER = {
  ...pick(tables.statement_mails, "account_number", "person_id"),
  ...pick(tables.accounts, "country_code"),
  ...pick(tables.persons, "email"),
  // Null also where there is no business.
  ...pick(tables.businesses, "time_zone"),
};

export const mailStatementsJob = defineJob({
  name: "mail-statements",
  everyHourAtMinute: 7,
  followsTheClock: true,
  run: mailStatements,
});

export async function mailStatements(
  { config, db }: Infra,
  { clockMovedFrom }: Partial<ClockMoved> = {},
): Promise<void> {
  if (!canSendMail(config)) return;
  const subscribers = await db.rows(sqlOf(SUBSCRIBER)`
    select account_number, person_id, country_code, time_zone, persons.email
    from statement_mails join accounts using (account_number) join persons using (person_id)
      left join businesses using (account_number)
    where accounts.status = 'active' order by account_number, person_id`);
  const at = await now(db);
  for (const subscriber of subscribers) {
    const today = dayAt(at, zoneOf(subscriber));
    const movedOn =
      clockMovedFrom === undefined ? today : dayAt(new Date(clockMovedFrom), zoneOf(subscriber));
    for (const first of firstsOf(movedOn, today))
      await mailTo({ config, db }, subscriber, addDays(first, -1));
  }
}

/** The first days of months from one day to another, both included. */
function firstsOf(from: string, to: string): string[] {
  return daysBetween(from, to).filter((day) => day.endsWith("-01"));
}

async function mailTo(
  { config, db }: Pick<Infra, "config" | "db">,
  subscriber: Row<typeof SUBSCRIBER>,
  lastDay: string,
): Promise<void> {
  const { account_number: accountNumber, person_id, email } = subscriber;
  const month = lastDay.slice(0, 7);
  const timeZone = zoneOf(subscriber);
  const balances = await balancesOf(db, accountNumber, "live");
  const statements: Statement[] = [];
  for (const currency of balances.keys())
    statements.push(
      await readStatement(db, {
        accountNumber,
        environment: "live",
        currency,
        timeZone,
        from: `${month}-01`,
        to: lastDay,
      }),
    );
  await db.transaction((tx) =>
    queueMail(config, tx, {
      reason: `statement ${accountNumber} ${month} ${person_id}`,
      to: email,
      subject: `Your statement of ${month}`,
      content: {
        heading: `Statement of ${month}, account ${accountNumber}`,
        parts: [
          ...(statements.length === 0 ? ["Nothing has moved on this account yet."] : []),
          ...statements.map(({ totals }) => ({ rows: rowsOf(totals) })),
          {
            link: `${config.http.publicUrl}/console/balance?month=${month}`,
            text: "See it day by day",
          },
        ],
      },
    }),
  );
}

function zoneOf({ time_zone, country_code }: Row<typeof SUBSCRIBER>): string {
  return time_zone ?? platformOf(country_code).timeZone;
}

function rowsOf(totals: Statement["totals"]): [string, string][] {
  const row = (label: string, name: keyof Statement["totals"]): [string, string] => [
    label,
    describeMoney(totals[name]),
  ];
  const moved = LINES.filter((line) => totals[line].minor !== 0n);
  return [
    row("Opening", "opening"),
    ...moved.map((line) => row(line.charAt(0).toUpperCase() + line.slice(1), line)),
    row("Closing", "closing"),
  ];
}
