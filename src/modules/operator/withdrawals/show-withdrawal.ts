/** Everything known of a withdrawal: record, payouts, money, trail. */

import { type Queryable, type Sql, sql, sqlOf } from "../../../infra/db/query.ts";
import { columns, computed, nullable, pick, type Row, text } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { viewWithdrawal, type WithdrawalRow } from "../../withdrawals/withdrawal.ts";
import { amountIn } from "../amount-cell.ts";
import { defineRead } from "../command.ts";
import { transactionIdField } from "../fields.ts";
import { type Block, factsBlock, reportBlocks, tableBlock } from "../render.ts";
import { readHistory } from "../trail.ts";
import { findAnyWithdrawal } from "./withdrawal.ts";

const PAYOUT = {
  number: tables.payouts.number,
  batch: computed(nullable(text), sql`message_id`),
  ...pick(tables.payouts, "began_at", "ended_at", "ask_count", "next_ask_at"),
};

export const showWithdrawal = defineRead({
  name: "show-withdrawal",
  about: "show everything known of a withdrawal",
  more: "Its record, when it was sent to banks, what moved in the ledger, and its audit trail.",
  fields: { transaction_id: transactionIdField },
  subject: "transaction_id",
  example: {
    given: "TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD",
    shows: `Withdrawal   TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD
Reference    5f0c2a4e-93b1-4c57-8d6a-1e2f3a4b5c6d
Account      1234567890
Environment  live
Type         normal
Amount       40.00 TTD
Fee          5.00 TTD
Status       completed
Because      -
Paid to      Anika Mohammed
Bank         First Citizens
Number       ****5678
Asked for    2026-11-15 06:32:03Z
Updated      2026-11-15 06:32:08Z

Payouts
  number  file                      sent                  ended                 queries  next
  1       TT-TTD-20261116-3F9A2C1B  2026-11-15 06:32:05Z  2026-11-15 06:32:08Z  0      -

Ledger
  when                  occasion              from                  to                    amount
  2026-11-15 06:32:03Z  withdrawal_requested  available 1234567890  held 1234567890       40.00
  2026-11-15 06:32:03Z  withdrawal_requested  available 1234567890  held 1234567890       5.00
  2026-11-15 06:32:05Z  withdrawal_sent       held 1234567890       payouts_in_transit 0  40.00
  2026-11-15 06:32:08Z  withdrawal_completed  payouts_in_transit 0  gateway_clearing 0    40.00
  2026-11-15 06:32:08Z  withdrawal_completed  held 1234567890       fee_income 0          5.00

Audit trail
  entry  when                  who                 what                 why
  15     2026-11-15 06:32:08Z  operator D. Joseph  bank_status_read     ticket 4711
  14     2026-11-15 06:32:05Z  operator D. Joseph  bank_file_made       ticket 4711
  13     2026-11-15 06:32:04Z  operator D. Joseph  withdrawal_released  ticket 4711
  12     2026-11-15 06:32:04Z  operator D. Joseph  withdrawal_held      ticket 4711
  11     2026-11-15 06:32:03Z  account 1234567890  withdrawal_created   -`,
  },
  async run({ db }, { transaction_id: transactionId }) {
    const row = await findAnyWithdrawal(db, transactionId);
    const payouts = await readPayouts(db, transactionId);
    const history = await readHistory(db, transactionId, aboutThis(transactionId));
    const blocks = [
      factsOf(row),
      tableBlock("Payouts", payouts, {
        number: "number",
        file: "batch",
        sent: "began_at",
        ended: "ended_at",
        queries: "ask_count",
        next: "next_ask_at",
      }),
      ...history.tables,
    ];
    const record = { account_number: row.account_number, ...viewWithdrawal(row) };
    return reportBlocks({ ...record, payouts, ...history.data }, blocks);
  },
});

/**
 * What was done to it; and the files it went with and the answers that ended it, which are entries
 * of the whole file. Those are of the same tx, and found by its time, which has an index; payouts
 * keep it to the millisecond.
 */
function aboutThis(transactionId: string) {
  const second = sql`interval '1 second'`;
  const at = (moment: Sql) =>
    sql`whole.happened_at between ${moment} - ${second} and ${moment} + ${second}`;
  return sql`(detail ->> 'transaction_id' = ${transactionId} or entry_id = any (array(
    select whole.entry_id
    from payouts join payout_batches using (batch_id)
    join audit_entries as whole on (${at(sql`began_at`)} or ${at(sql`ended_at`)})
    where payouts.transaction_id = ${transactionId} and whole.detail ->> 'batch' = message_id
      and whole.detail ->> 'transaction_id' is null)))`;
}

function readPayouts(db: Queryable, transactionId: string): Promise<Row<typeof PAYOUT>[]> {
  return db.rows(sqlOf(PAYOUT)`
    select ${columns(PAYOUT)}
    from payouts left join payout_batches using (batch_id)
    where transaction_id = ${transactionId} order by number`);
}

function factsOf(row: WithdrawalRow): Block {
  return factsBlock(viewWithdrawal(row), {
    Withdrawal: "transaction_id",
    Reference: "reference",
    Account: () => row.account_number,
    Environment: "environment",
    Type: "withdrawal_type",
    Amount: ({ amount, currency }) => amountIn(currency, amount),
    Fee: ({ fee, currency }) => amountIn(currency, fee),
    Status: "status",
    Because: () => row.status_reason,
    "Paid to": ({ name_in_bank, recipient_name }) => name_in_bank ?? recipient_name,
    Bank: "bank_name",
    Number: "bank_account",
    "Asked for": "created_at",
    Updated: "updated_at",
  });
}
