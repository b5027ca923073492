/** Lists the withdrawals that have not moved for too long, and what would move each of them. */

import { type Queryable, sqlOf } from "../../../infra/db/query.ts";
import { bool, columns, int, nullable, pick, type Row, text, word } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { withDefault } from "../../../kit/fields/field.ts";
import { formatMoney, money } from "../../../kit/money.ts";
import type { Environment } from "../../../kit/vocabulary.ts";
import { defineRead } from "../command.ts";
import { wholeNumber } from "../fields.ts";
import { renderTable } from "../render.ts";
import { environmentField } from "./environment-field.ts";

const HOURS_DEFAULT = 24n;
const HOURS_MAX = 10_000n;
const SHOWN_MAX = 200;

const WITHDRAWAL = {
  ...pick(
    tables.withdrawals,
    "transaction_id",
    "account_number",
    "country_code",
    "currency",
    "amount_minor",
    "status",
    "status_reason",
    "updated_at",
  ),
  status: word("pending", "processing", "held"),
};

const STUCK = {
  ...WITHDRAWAL,
  hours: int,
  is_frozen: bool,
  batch: nullable(text),
  ask_count: nullable(int),
};

type StuckRow = Row<typeof STUCK>;

export const stuckWithdrawals = defineRead({
  name: "stuck-withdrawals",
  about: "list withdrawals that have not moved for long",
  more: "The oldest first, with what to do about each. --hours 0 lists all that are under way.",
  fields: {
    environment: environmentField,
    hours: withDefault(
      wholeNumber(
        { min: 0n, max: HOURS_MAX },
        "number",
        `Not moved for so many; ${HOURS_DEFAULT} if absent.`,
      ),
      HOURS_DEFAULT,
    ),
  },
  example: {
    given: "--hours 0",
    shows: `Withdrawals that have not moved for 0 hours
  withdrawal                     account     status   hours  amount     file  do
  TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD  1234567890  pending  0      40.00 TTD  -     make-bank-file`,
  },
  async run({ db, config }, { environment, hours }) {
    const rows = await findStuck(db, environment, Number(hours));
    const isPaidByFiles = environment === "live" && config.withdrawals.livePaidBy === "files";
    const shown = rows.slice(0, SHOWN_MAX).map((row) => viewStuck(row, isPaidByFiles));
    const more = rows.length > SHOWN_MAX ? `\n  and more: ${SHOWN_MAX} are shown` : "";
    const table = renderTable(
      `Withdrawals that have not moved for ${hours} hours`,
      ["withdrawal", "account", "status", "hours", "amount", "file", "do"],
      shown.map((one) => [
        one.transaction_id,
        one.account_number,
        one.status,
        one.hours,
        `${one.amount} ${one.currency}`,
        one.batch,
        one.next,
      ]),
    );
    return {
      data: { withdrawals: shown, is_complete: rows.length <= SHOWN_MAX },
      text: table + more,
    };
  },
});

function findStuck(db: Queryable, environment: Environment, hours: number): Promise<StuckRow[]> {
  return db.rows(sqlOf(STUCK)`
    select ${columns(WITHDRAWAL, "withdrawal")},
      floor(extract(epoch from app_now() - withdrawal.updated_at) / 3600)::int as hours,
      account.status <> 'active' as is_frozen, message_id as batch, ask_count
    from withdrawals as withdrawal join accounts as account using (account_number)
    left join payouts as payout
      on payout.transaction_id = withdrawal.transaction_id and payout.is_open
    left join payout_batches as batch using (batch_id)
    where withdrawal.status in ('pending', 'processing', 'held')
      and withdrawal.environment = ${environment}
      -- All of them with 0, whatever a clock that was set back says of their age.
      and (${hours} = 0 or withdrawal.updated_at <= app_now() - make_interval(hours => ${hours}))
    order by withdrawal.updated_at, withdrawal.transaction_id
    limit ${SHOWN_MAX + 1}`);
}

function viewStuck({ amount_minor, updated_at, ...row }: StuckRow, isPaidByFiles: boolean) {
  const { status, status_reason, batch, ask_count, is_frozen } = row;
  return {
    transaction_id: row.transaction_id,
    account_number: row.account_number,
    country_code: row.country_code,
    status,
    status_reason,
    since: updated_at,
    hours: row.hours,
    amount: formatMoney(money(row.currency, amount_minor)),
    currency: row.currency,
    batch,
    ask_count,
    next: nextStep(status, { batch, is_frozen, isPaidByFiles }),
  };
}

function nextStep(
  status: StuckRow["status"],
  of: Pick<StuckRow, "batch" | "is_frozen"> & { isPaidByFiles: boolean },
): string {
  if (status === "held") return "release-withdrawal or fail-withdrawal";
  // Processing ones too, unless a file has gone out: no bank is given their order (Decision 0046).
  if (of.is_frozen && of.batch === null) return "unfreeze-account or hold-withdrawal";
  if (status === "pending") return of.isPaidByFiles ? "make-bank-file" : "is a worker running?";
  return of.batch === null ? "is a worker running?" : "read-bank-status";
}
