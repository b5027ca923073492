/** Lists disputes with their dates, the open ones first. */

import { type Queryable, sql, sqlOf } from "../../../infra/db/query.ts";
import { columns, computed, int, nullable, pick, text } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { optional } from "../../../kit/fields/field.ts";
import { formatMoney, money } from "../../../kit/money.ts";
import { demandAccount } from "../accounts/account.ts";
import { amountIn, bareAmountIn } from "../amount-cell.ts";
import { defineRead } from "../command.ts";
import { accountOption, limitOption, wordOption } from "../fields.ts";
import { reportList } from "../render.ts";

const STATES = ["open", "processed", "released"] as const;

const LISTED = {
  ...pick(tables.disputes, "transaction_id", "kind", "amount_minor", "covered_minor", "state"),
  ...pick(tables.disputes, "opened_at", "ended_at"),
  account_number: computed(tables.transactions.account_number, sql`payment.account_number`),
  order_id: computed(tables.transactions.order_id, sql`payment.order_id`),
  currency: computed(tables.transactions.currency, sql`payment.currency`),
  answer_by: computed(nullable(text), sql`answer_by::text`),
  days: computed(int, sql`floor(extract(epoch from app_now() - opened_at) / 86400)::int`),
};

export const disputes = defineRead({
  name: "disputes",
  about: "list disputes, the open ones first, with their dates",
  more:
    "The longest open first. Days counts since it was opened; Answer by is the bank's own " +
    "deadline, where open-chargeback was told of it.",
  fields: {
    state: optional(wordOption(STATES, "Only such ones.")),
    account: accountOption,
    limit: limitOption(50),
  },
  example: {
    given: "--state open",
    shows: [
      "Disputes",
      "  payment                        account     order    kind    " +
        "    amount     covered  state  opened                days  answer by  ended",
      "  TT-01KGWQ6Y7RN5C0P8V3T2M4X9ZD  1234567890  order-1  chargeba" +
        "ck  40.00 TTD  40.00    open   2026-11-15 06:32:08Z  0     -          -",
    ].join("\n"),
  },
  async run({ db }, { state = null, account = null, limit: max }) {
    await demandAccount(db, account);
    const rows = await readDisputes(db, { state, account, max: max + 1 });
    const shown = rows.map(({ amount_minor, covered_minor, ...row }) => ({
      ...row,
      amount: formatMoney(money(row.currency, amount_minor)),
      covered: formatMoney(money(row.currency, covered_minor)),
    }));
    return reportList(
      { title: "Disputes", name: "disputes", rows: shown, max },
      {
        payment: "transaction_id",
        account: "account_number",
        order: "order_id",
        kind: "kind",
        amount: ({ amount, currency }) => amountIn(currency, amount),
        covered: ({ covered, currency }) => bareAmountIn(currency, covered),
        state: "state",
        opened: "opened_at",
        days: "days",
        "answer by": "answer_by",
        ended: "ended_at",
      },
    );
  },
});

/** There are few: they are one in thousands of payments, and all of a state are read. */
function readDisputes(
  db: Queryable,
  of: { state: string | null; account: string | null; max: number },
) {
  return db.rows(sqlOf(LISTED)`
    select ${columns(LISTED)}
    from disputes join transactions as payment using (transaction_id)
    where (${of.state}::text is null or disputes.state = ${of.state})
      and (${of.account}::text is null or payment.account_number = ${of.account})
    order by disputes.state = 'open' desc,
      case when disputes.state = 'open' then opened_at end, opened_at desc, dispute_id
    limit ${of.max}`);
}
