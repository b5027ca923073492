/** How much money an action about a payment or a withdrawal moves (Decision 0119). */

import type { Queryable } from "../../../infra/db/query.ts";
import { money } from "../../../kit/money.ts";
import { disputesOf } from "../../transactions/dispute.ts";
import { findRefund, leftOf, readPaid } from "../../transactions/refund.ts";
import type { Moved } from "../command.ts";
import { findPayment } from "./payment.ts";

/** All that is left of what the customer paid, or as much of it as is named. */
export async function leftToMove(
  db: Queryable,
  transactionId: string,
  wanted?: bigint,
): Promise<Moved> {
  await findPayment(db, transactionId);
  const paid = await readPaid(db, transactionId);
  const { currency, account_number: accountNumber } = paid;
  const amount = wanted === undefined ? leftOf(paid) : money(currency, wanted);
  return { amount, accountNumber, transactionId };
}

export async function customerTotal(db: Queryable, transactionId: string): Promise<Moved> {
  const payment = await findPayment(db, transactionId);
  const { currency, account_number: accountNumber, customer_total_minor } = payment;
  return { amount: money(currency, customer_total_minor), accountNumber, transactionId };
}

/** Of the chargeback that is open; nothing where none is, which the action refuses. */
export async function disputed(db: Queryable, transactionId: string): Promise<Moved> {
  const { currency, account_number: accountNumber } = await findPayment(db, transactionId);
  const open = (await disputesOf(db, transactionId)).find(({ state }) => state === "open");
  return { amount: money(currency, open?.amount_minor ?? 0n), accountNumber, transactionId };
}

export async function ofRefund(db: Queryable, refundId: string): Promise<Moved | undefined> {
  const refund = await findRefund(db, refundId);
  if (refund === undefined) return undefined;
  const { transaction_id: transactionId, currency, amount_minor } = refund;
  const { account_number: accountNumber } = await findPayment(db, transactionId);
  return { amount: money(currency, amount_minor), accountNumber, transactionId };
}
