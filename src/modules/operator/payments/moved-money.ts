/** How much money an action about a payment or a withdrawal moves (Decision 0119). */

import type { Tx } from "../../../infra/db/transaction.ts";
import { addMoney, money } from "../../../kit/money.ts";
import { findRefund, leftOf, lockPaid, type PaidRow } from "../../transactions/refund.ts";
import type { Moved } from "../command.ts";
import { findPayment } from "./payment.ts";

/** All that is left of what the customer paid, or as much of it as is named. */
export async function leftToMove(tx: Tx, transactionId: string, wanted?: bigint): Promise<Moved> {
  const paid = await lockPayment(tx, transactionId);
  const { currency, account_number: accountNumber } = paid;
  const amount = wanted === undefined ? leftOf(paid) : money(currency, wanted);
  return { amount, accountNumber, transactionId };
}

/** Confirmed fraud ends an open chargeback as well, so its amount goes for good, too. */
export async function leftAndDisputed(tx: Tx, transactionId: string): Promise<Moved> {
  const paid = await lockPayment(tx, transactionId);
  const amount = addMoney(leftOf(paid), money(paid.currency, paid.disputed_minor));
  return { amount, accountNumber: paid.account_number, transactionId };
}

/** Of the chargeback that is open; nothing where none is, which the action refuses. */
export async function disputed(tx: Tx, transactionId: string): Promise<Moved> {
  const paid = await lockPayment(tx, transactionId);
  const { currency, account_number: accountNumber, disputed_minor } = paid;
  return { amount: money(currency, disputed_minor), accountNumber, transactionId };
}

/** Neither what is left nor what is disputed can change until the tx ends. */
async function lockPayment(tx: Tx, transactionId: string): Promise<PaidRow> {
  await findPayment(tx, transactionId);
  return lockPaid(tx, transactionId);
}

/** An amount that never changes. */
export async function customerTotal(tx: Tx, transactionId: string): Promise<Moved> {
  const payment = await findPayment(tx, transactionId);
  const { currency, account_number: accountNumber, customer_total_minor } = payment;
  return { amount: money(currency, customer_total_minor), accountNumber, transactionId };
}

export async function ofRefund(tx: Tx, refundId: string): Promise<Moved | undefined> {
  const refund = await findRefund(tx, refundId);
  if (refund === undefined) return undefined;
  const { transaction_id: transactionId, currency, amount_minor } = refund;
  const { account_number: accountNumber } = await findPayment(tx, transactionId);
  return { amount: money(currency, amount_minor), accountNumber, transactionId };
}
