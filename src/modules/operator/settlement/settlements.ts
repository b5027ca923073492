/** Lists what the acquirer has settled, and what it still owes us. */

import { sql, sqlOf } from "../../../infra/db/query.ts";
import { columns } from "../../../infra/db/row.ts";
import { optional } from "../../../kit/fields/field.ts";
import { day } from "../../../kit/fields/time.ts";
import { describeMoney, isZero } from "../../../kit/money.ts";
import { acquirerClearing, viewOwed } from "../../settlement/clearing.ts";
import { SETTLEMENT_LINE } from "../../settlement/settlement-line.ts";
import { defineRead } from "../command.ts";
import { limitOption, option, transactionIdField, wordOption } from "../fields.ts";
import { reportBlocks, reportList, words } from "../render.ts";
import { LINE_COLUMNS, viewLine } from "./settlement-view.ts";

export const settlements = defineRead({
  name: "settlements",
  right: "money",
  about: "list lines of the acquirer's settlement reports, newest first",
  more:
    "And what the acquirer owes us of live payments: nothing, once every line is imported and " +
    "none differs.",
  fields: {
    state: optional(wordOption(["matched", "differs", "unknown"], "Only such lines.")),
    payment: optional(transactionIdField),
    since: optional(option(day(), "day", "Settled on this day or later.")),
    limit: limitOption(50),
  },
  example: {
    given: "--limit 1",
    shows: `Settlement lines
  settled on  payment                        what  amount      fee   state    difference
  2026-11-16  TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD  sale  105.20 TTD  2.10  matched  -
  and more: 1 are shown
The acquirer owes us nothing.`,
  },
  async run({ db }, { state = null, payment = null, since = null, limit }) {
    const rows = await db.rows(sqlOf(SETTLEMENT_LINE)`
      select ${columns(SETTLEMENT_LINE)} from settlement_lines
      where ${sql`(${state}::text is null or state = ${state})`}
        and (${payment}::text is null or transaction_id = ${payment})
        and (${since}::date is null or settled_on >= ${since}::date)
      order by settlement_lines.settled_on desc, line_id limit ${limit + 1}`);
    const list = { title: "Settlement lines", name: "lines", rows: rows.map(viewLine), max: limit };
    const report = reportList(list, LINE_COLUMNS);
    const owed = await acquirerClearing(db);
    const open = owed.filter((one) => !isZero(one));
    const amounts = open.map(describeMoney).join(", ");
    return reportBlocks({ ...report.data, acquirer_owes: viewOwed(owed) }, [
      ...report.blocks,
      words(`The acquirer owes us ${amounts || "nothing"}.`),
    ]);
  },
});
