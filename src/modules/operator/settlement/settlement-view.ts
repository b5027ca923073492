/** A settlement line as operators see it. */

import { formatMoney, money } from "../../../kit/money.ts";
import type { SettlementLineRow } from "../../settlement/settlement-line.ts";
import { amountIn, bareAmountIn } from "../amount-cell.ts";

export function viewLine(row: SettlementLineRow) {
  const { currency } = row;
  return {
    line_id: row.line_id,
    settled_on: row.settled_on,
    transaction_id: row.transaction_id,
    identifier: row.identifier,
    order: row.order_identifier,
    kind: row.kind,
    type: row.type,
    currency,
    amount: formatMoney(money(currency, row.amount_minor)),
    fee: formatMoney(money(currency, row.fee_minor)),
    state: row.state,
    difference: row.difference,
  };
}

type LineView = ReturnType<typeof viewLine>;

export const LINE_COLUMNS = {
  "settled on": "settled_on",
  payment: ({ transaction_id, order }: LineView) => transaction_id ?? order,
  what: ({ kind, type }: LineView) => (kind === "other" ? `type ${type}` : kind),
  amount: ({ amount, currency }: LineView) => amountIn(currency, amount),
  fee: ({ fee, currency }: LineView) => bareAmountIn(currency, fee),
  state: "state",
  difference: "difference",
} as const;
