/** A dispute as an operator sees it. */

import { formatMoney, money } from "../../kit/money.ts";
import type { DisputeRow } from "../transactions/dispute.ts";
import type { TransactionRow } from "../transactions/transaction.ts";

export function viewDispute(
  { account_number, currency }: Pick<TransactionRow, "account_number" | "currency">,
  { amount_minor, covered_minor, ...dispute }: DisputeRow,
) {
  return {
    account_number,
    ...dispute,
    currency,
    amount: formatMoney(money(currency, amount_minor)),
    covered: formatMoney(money(currency, covered_minor)),
  };
}
