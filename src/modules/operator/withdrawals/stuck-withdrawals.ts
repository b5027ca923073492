/** Lists the withdrawals that have not moved for too long, and what would move each of them. */

import { type Queryable, sqlOf } from "../../../infra/db/query.ts";
import { bool, columns, int, nullable, pick, type Row, text, word } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { formatMoney, money } from "../../../kit/money.ts";
import type { Environment } from "../../../kit/vocabulary.ts";
import { amountIn } from "../amount-cell.ts";
import { defineRead } from "../command.ts";
import { environmentOrLive, wholeNumber } from "../fields.ts";
import { reportList } from "../render.ts";

const ROWS_MAX = 200;

const WITHDRAWAL = {
  ...pick(tables.withdrawals, "transaction_id", "account_number", "country_code", "currency"),
  ...pick(tables.withdrawals, "amount_minor", "status_reason", "updated_at"),
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
    environment: environmentOrLive,
    hours: wholeNumber({ min: 0, max: 10_000, usual: 24 }, "Not moved for so many"),
  },
  example: {
    given: "--hours 0",
    shows: `Withdrawals under way
  withdrawal                     account     status   hours  amount     file  do
  TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD  1234567890  pending  0      40.00 TTD  -     make-bank-file`,
  },
  async run({ db, config }, { environment, hours }) {
    const isPaidByFiles = environment === "live" && config.withdrawals.livePaidBy === "files";
    const stuck = await findStuck(db, environment, hours);
    return reportList(
      {
        title:
          hours === 0
            ? "Withdrawals under way"
            : `Withdrawals that have not moved for ${hours} hours`,
        name: "withdrawals",
        rows: stuck.map((row) => viewStuck(row, isPaidByFiles)),
        max: ROWS_MAX,
      },
      {
        withdrawal: "transaction_id",
        account: "account_number",
        status: "status",
        hours: "hours",
        amount: ({ amount, currency }) => amountIn(currency, amount),
        file: "batch",
        do: "next",
      },
    );
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
    limit ${ROWS_MAX + 1}`);
}

function viewStuck({ amount_minor, updated_at, ...row }: StuckRow, isPaidByFiles: boolean) {
  return {
    transaction_id: row.transaction_id,
    account_number: row.account_number,
    country_code: row.country_code,
    status: row.status,
    status_reason: row.status_reason,
    since: updated_at,
    hours: row.hours,
    amount: formatMoney(money(row.currency, amount_minor)),
    currency: row.currency,
    batch: row.batch,
    ask_count: row.ask_count,
    next: nextStep(row, isPaidByFiles),
  };
}

function nextStep(
  { status, batch, is_frozen }: Pick<StuckRow, "status" | "batch" | "is_frozen">,
  isPaidByFiles: boolean,
): string {
  if (status === "held") return "release-withdrawal or fail-withdrawal";
  // Processing ones too, unless a file has gone out: no bank is given their order (Decision 0046).
  if (is_frozen && batch === null) return "unfreeze-account or hold-withdrawal";
  if (status === "pending") return isPaidByFiles ? "make-bank-file" : "is a worker running?";
  return batch === null ? "is a worker running?" : "read-bank-status";
}
