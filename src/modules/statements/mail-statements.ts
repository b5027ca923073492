/**
 * Mails the statement of the month that has ended to the members who asked for it, once, from the
 * first of the next in the account's time zone on (Decision 0088); when the clock was moved, of
 * each month that it passed (Decision 0104). The mail's reason names the month, so running again
 * sends nothing twice; one that could not be made is made later, within `LATE_DAYS`.
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
import { canSendMail, knownReasons, queueMail } from "../mail/queue-mail.ts";
import { platformOf } from "../platforms/platform.ts";
import { LINES, readStatement, type Statement } from "./read-statement.ts";

const SUBSCRIBER = {
  ...pick(tables.statement_mails, "account_number", "person_id", "created_at"),
  ...pick(tables.accounts, "country_code"),
  ...pick(tables.persons, "email"),
  // Null also where there is no business.
  ...pick(tables.businesses, "time_zone"),
};

/** Mails are known by their reason for 30 days: a statement that is later than this is not sent. */
const LATE_DAYS = 20;

type Subscriber = Row<typeof SUBSCRIBER>;

interface Due {
  readonly subscriber: Subscriber;
  /** Of the month. */
  readonly lastDay: string;
  readonly reason: string;
}

export const mailStatementsJob = defineJob({
  name: "mail-statements",
  everyHourAtMinute: 7,
  followsTheClock: true,
  run: mailStatements,
});

export async function mailStatements(
  { config, db, log }: Pick<Infra, "config" | "db" | "log">,
  { clockMovedFrom }: Partial<ClockMoved> = {},
): Promise<void> {
  if (!canSendMail(config)) return;
  const subscribers = await db.rows(sqlOf(SUBSCRIBER)`
    select account_number, person_id, statement_mails.created_at, country_code, time_zone,
      persons.email
    from statement_mails join accounts using (account_number) join persons using (person_id)
      left join businesses using (account_number)
    where accounts.status = 'active' order by account_number, person_id`);
  const at = await now(db);
  const from = clockMovedFrom === undefined ? at : new Date(clockMovedFrom);
  const due = subscribers.flatMap((subscriber) => dueOf(subscriber, { from, at }));
  const known = await knownReasons(
    db,
    due.map(({ reason }) => reason),
  );
  for (const one of due.filter(({ reason }) => !known.has(reason)))
    await mailTo({ config, db }, one).catch((err: unknown) =>
      log.error({ err, reason: one.reason }, "a statement could not be mailed; it is tried again"),
    );
}

/** Also those that were mailed; not of months that had ended when they were asked for. */
function dueOf(subscriber: Subscriber, { from, at }: { from: Date; at: Date }): Due[] {
  const { account_number, person_id, created_at } = subscriber;
  const zone = zoneOf(subscriber);
  const today = dayAt(at, zone);
  const [asked, late, moved] = [
    dayAt(created_at, zone),
    addDays(today, -LATE_DAYS),
    dayAt(from, zone),
  ];
  const earliest = late < moved ? late : moved;
  return daysBetween(asked > earliest ? asked : earliest, today)
    .filter((day) => day.endsWith("-01"))
    .map((first) => {
      const lastDay = addDays(first, -1);
      const reason = `statement ${account_number} ${lastDay.slice(0, 7)} ${person_id}`;
      return { subscriber, lastDay, reason };
    });
}

async function mailTo(
  { config, db }: Pick<Infra, "config" | "db">,
  { subscriber, lastDay, reason }: Due,
): Promise<void> {
  const { account_number: accountNumber, email } = subscriber;
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
      reason,
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

function zoneOf({ time_zone, country_code }: Subscriber): string {
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
