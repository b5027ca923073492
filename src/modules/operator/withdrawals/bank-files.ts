/** Lists the files made for the bank, and how far the bank is with each. */

import { type Queryable, sql, sqlOf } from "../../../infra/db/query.ts";
import { columns, computed, int, type Row } from "../../../infra/db/row.ts";
import { optional } from "../../../kit/fields/field.ts";
import { day } from "../../../kit/fields/time.ts";
import { BATCH, viewBatch } from "../../withdrawals/bank-files/payout-batch.ts";
import { asked, defineRead } from "../command.ts";
import { renderTable } from "../render.ts";

const SHOWN_MAX = 100;

export const bankFiles = defineRead({
  name: "bank-files",
  about: "list the files made for the bank, newest first",
  fields: { since: optional(asked(day(), "day", "To be paid on this day or later.")) },
  example: {
    given: "",
    shows: `Bank files
  batch                     pay on      payments  total      undecided  made
  TT-TTD-20261116-3F9A2C1B  2026-11-16  1         40.00 TTD  0          2026-11-15 06:32:03Z`,
  },
  async run({ db }, { since = null }) {
    const rows = await readBatches(db, since);
    const isComplete = rows.length <= SHOWN_MAX;
    const more = isComplete ? "" : `\n  and more: ${SHOWN_MAX} are shown`;
    const shown = rows
      .slice(0, SHOWN_MAX)
      .map((row) => ({ ...viewBatch(row), undecided: row.undecided }));
    const table = renderTable(
      "Bank files",
      ["batch", "pay on", "payments", "total", "undecided", "made"],
      shown.map((one) => [
        one.batch,
        one.bank_day,
        one.payment_count,
        `${one.total} ${one.currency}`,
        one.undecided,
        one.made_at,
      ]),
    );
    return { data: { bank_files: shown, is_complete: isComplete }, text: table + more };
  },
});

const LISTED = {
  ...BATCH,
  undecided: computed(
    int,
    sql`(select count(*)::int from payouts
      where payouts.batch_id = payout_batches.batch_id and is_open)`,
  ),
};

type ListedRow = Row<typeof LISTED>;

function readBatches(db: Queryable, since: string | null): Promise<ListedRow[]> {
  return db.rows(sqlOf(LISTED)`
    select ${columns(LISTED)} from payout_batches
    where ${since}::date is null or bank_day >= ${since}::date
    order by made_at desc, message_id limit ${SHOWN_MAX + 1}`);
}
