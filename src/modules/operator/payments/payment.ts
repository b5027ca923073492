/** A payment as an operator finds it, by its id, and what an operator does about disputes. */

import { type Queryable, sqlOf } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { NoSuchRecord } from "../../../kit/errors.ts";
import { formatMoney, money } from "../../../kit/money.ts";
import type { DisputeRow, OperatorAction } from "../../transactions/dispute.ts";
import {
  TRANSACTION,
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from "../../transactions/transaction.ts";
import type { Act, Report } from "../command.ts";

export async function findPayment(db: Queryable, transactionId: string): Promise<TransactionRow> {
  const row = await db.maybeOne(sqlOf(TRANSACTION)`
    select ${TRANSACTION_COLUMNS} from transactions where transaction_id = ${transactionId}`);
  if (row === undefined) throw new NoSuchRecord(`There is no payment ${transactionId}.`);
  return row;
}

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

/** Opens or ends a dispute of a payment; the use case writes its own audit entry. */
export function actOnDispute(
  act: Act,
  transactionId: string,
  {
    work,
    text,
  }: {
    work(tx: Tx, action: OperatorAction, payment: TransactionRow): Promise<DisputeRow>;
    text(dispute: ReturnType<typeof viewDispute>): string;
  },
): Promise<Report> {
  return act(async (tx, signature) => {
    const payment = await findPayment(tx, transactionId);
    const dispute = await work(tx, { transactionId, ...signature }, payment);
    const data = viewDispute(payment, dispute);
    return { data, text: text(data) };
  });
}
