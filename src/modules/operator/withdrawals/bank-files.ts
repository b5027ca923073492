/** Lists the files made for the bank, and how far the bank is with each. */

import { sql, sqlOf } from "../../../infra/db/query.ts";
import { columns, computed, int } from "../../../infra/db/row.ts";
import { optional } from "../../../kit/fields/field.ts";
import { day } from "../../../kit/fields/time.ts";
import { BATCH, viewBatch } from "../../withdrawals/bank-files/payout-batch.ts";
import { amountIn } from "../amount-cell.ts";
import { defineRead } from "../command.ts";
import { option } from "../fields.ts";
import { reportList } from "../render.ts";

const ROWS_MAX = 100;

const LISTED = {
  ...BATCH,
  undecided: computed(
    int,
    sql`(select count(*)::int from payouts
      where payouts.batch_id = payout_batches.batch_id and is_open)`,
  ),
};

export const bankFiles = defineRead({
  name: "bank-files",
  about: "list the files made for the bank, newest first",
  fields: { since: optional(option(day(), "day", "To be paid on this day or later.")) },
  example: {
    given: "",
    shows: `Bank files
  batch                     pay on      payments  total      undecided  made
  TT-TTD-20261116-3F9A2C1B  2026-11-16  1         40.00 TTD  0          2026-11-15 06:32:03Z`,
  },
  async run({ db }, { since = null }) {
    const rows = await db.rows(sqlOf(LISTED)`
      select ${columns(LISTED)} from payout_batches
      where ${since}::date is null or bank_day >= ${since}::date
      order by made_at desc, message_id limit ${ROWS_MAX + 1}`);
    const files = rows.map((row) => ({ ...viewBatch(row), undecided: row.undecided }));
    return reportList(
      { title: "Bank files", name: "bank_files", rows: files, max: ROWS_MAX },
      {
        batch: "batch",
        "pay on": "bank_day",
        payments: "payment_count",
        total: ({ total, currency }) => amountIn(currency, total),
        undecided: "undecided",
        made: "made_at",
      },
    );
  },
});
