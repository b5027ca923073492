/**
 * A day's payouts as CSV: every one that a bank was told of on that day, by the midnight of its
 * platform, and what has become of it (Decision 0048). Of account numbers only the ends. It is the
 * whole day or a refusal: half of one would pass for the whole.
 */

import { type Queryable, sql, sqlOf } from "../../../infra/db/query.ts";
import {
  bool,
  columns,
  computed,
  nullable,
  type Row,
  text,
  timestamp,
} from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { csvLine } from "../../../kit/csv.ts";
import { OperatorError } from "../../../kit/errors.ts";
import { optional } from "../../../kit/fields/field.ts";
import { day } from "../../../kit/fields/time.ts";
import { formatMoney, money } from "../../../kit/money.ts";
import { COUNTRY_CODES, type CountryCode, type Environment } from "../../../kit/vocabulary.ts";
import { platformOf } from "../../platforms/platform.ts";
import { viewWithdrawal, WITHDRAWAL } from "../../withdrawals/withdrawal.ts";
import { defineRead } from "../command.ts";
import { environmentOrLive, option, wordOption } from "../fields.ts";

const COLUMNS = [
  ...(["transaction_id", "reference", "account_number", "country_code", "currency"] as const),
  ...(["amount", "fee", "status", "batch", "sent_at", "completed_at"] as const),
  ...(["withdrawal_type", "name", "bank_name", "bank_account"] as const),
];

/** All of them are in memory at once. */
const ROWS_MAX = 50_000;

const PAYOUT = {
  ...WITHDRAWAL,
  sent_at: computed(timestamp, sql`began_at`),
  batch: computed(nullable(text), sql`message_id`),
  is_stopped: tables.payouts.is_stopped,
  is_last: computed(bool, sql`number = payout_count`),
};

type PayoutRow = Row<typeof PAYOUT>;

export const exportPayouts = defineRead({
  name: "export-payouts",
  right: { terminalOnly: "It is a file for programs; pages have the bank files." },
  about: "write a day's payouts as CSV",
  more:
    "Those that a bank was told of on that day of their platform, with their status of now; " +
    "stopped is one by which nothing is paid. With --json also what they add up to: a withdrawal " +
    "that was sent again counts where it was sent last.",
  fields: {
    day: option(day(), "day", "As in 2026-11-16."),
    environment: environmentOrLive,
    country: optional(wordOption(COUNTRY_CODES, "Of this platform alone.")),
  },
  subject: "day",
  example: {
    given: "2026-11-15",
    shows: [
      COLUMNS.join(","),
      "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD,5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d,1234567890,TT,TTD," +
        "40.00,5.00,completed,TT-TTD-20261116-3F9A2C1B,2026-11-15T06:32:05.000Z," +
        "2026-11-15T06:32:08.000Z,normal,Anika Mohammed,First Citizens,****5678",
    ].join("\n"),
  },
  async run({ db }, { day: wanted, environment, country }) {
    const rows = await readPayouts(db, { wanted, environment, country });
    if (rows.length > ROWS_MAX)
      throw new OperatorError(
        `There are more than ${ROWS_MAX} payouts of ${wanted}. Ask for one platform at a time ` +
          "with --country.",
      );
    const shown = rows.map(viewPayout);
    const lines = [[...COLUMNS], ...shown.map((one) => COLUMNS.map((name) => textIn(one[name])))];
    return {
      data: { day: wanted, environment, totals: totalsOf(rows), payouts: shown },
      text: lines.map(csvLine).join("").trimEnd(),
    };
  },
});

/** The bounds stand apart from the zones, so that the index on the time is used. */
function readPayouts(
  db: Queryable,
  of: { wanted: string; environment: Environment; country: CountryCode | undefined },
): Promise<PayoutRow[]> {
  const { wanted, environment, country } = of;
  const codes = country === undefined ? COUNTRY_CODES : [country];
  const zones = codes.map((code) => platformOf(code).timeZone);
  return db.rows(sqlOf(PAYOUT)`
    select ${columns(PAYOUT)}
    from payouts join withdrawals using (transaction_id)
    left join (select batch_id, message_id from payout_batches) as batch using (batch_id)
    join unnest(${codes}::text[], ${zones}::text[]) as platform (country_code, time_zone)
      using (country_code)
    where environment = ${environment}
      and began_at >= ${wanted}::date - interval '1 day'
      and began_at < ${wanted}::date + interval '3 days'
      and (began_at at time zone time_zone)::date = ${wanted}::date
    order by began_at, transaction_id, number
    limit ${ROWS_MAX + 1}`);
}

function viewPayout(row: PayoutRow) {
  const { name_in_bank, recipient_name, ...view } = viewWithdrawal(row);
  return {
    ...view,
    status: statusOf(row),
    completed_at: row.is_stopped ? null : view.completed_at,
    account_number: row.account_number,
    country_code: row.country_code,
    batch: row.batch,
    sent_at: row.sent_at,
    name: name_in_bank ?? recipient_name,
  };
}

function textIn(value: string | Date | null): string | null {
  return value instanceof Date ? value.toISOString() : value;
}

/** Of this payout: what came of the withdrawal may have come by a later one. */
function statusOf({ status, is_stopped }: PayoutRow): string {
  return is_stopped ? "stopped" : status;
}

/** By currency and status; each withdrawal once. */
function totalsOf(rows: readonly PayoutRow[]) {
  const last = rows.filter(({ is_last }) => is_last);
  const groups = Map.groupBy(last, (row) => `${row.currency} ${statusOf(row)}`);
  return [...groups.values()].map((group) => {
    const [first] = group as [PayoutRow, ...PayoutRow[]];
    const { currency } = first;
    const sum = group.reduce((minor, row) => minor + row.amount_minor, 0n);
    const total = formatMoney(money(currency, sum));
    return { currency, status: statusOf(first), count: group.length, total };
  });
}
