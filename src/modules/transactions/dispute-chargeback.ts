/**
 * A chargeback: the bank of the card wants the money back. Opened, the merchant's share is held and
 * no refund is taken; processed, the bank has it; released, all is as it was (Decision 0030).
 */

import { sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { compareMoney, isZero, type Money } from "../../kit/money.ts";
import { chargebackOpened, chargebackProcessed, chargebackReleased } from "../ledger/recipes.ts";
import {
  amountsOf,
  bookDispute,
  coverOf,
  DISPUTE,
  DISPUTE_COLUMNS,
  DisputedTooMuch,
  DisputeForbidden,
  type DisputeRow,
  demandPaid,
  endDispute,
  findOpenDispute,
  type OperatorAction,
} from "./dispute.ts";
import { tellOfChangedPayment } from "./payment-event.ts";
import { leftOf, lockPaid, moveStatusDesc, refundStatusDesc } from "./refund.ts";

/** Without an amount: all that neither went back nor is on its way. */
export async function openChargeback(
  tx: Tx,
  action: OperatorAction & { amount?: Money },
): Promise<DisputeRow> {
  const paid = await lockPaid(tx, action.transactionId);
  demandPaid(paid);
  if (/^(Chargeback|Fraud)/.test(paid.status_desc))
    throw new DisputeForbidden(
      `A chargeback cannot be opened: the transaction is ${paid.status_desc}.`,
    );
  const left = leftOf(paid);
  if (isZero(left))
    throw new DisputeForbidden(
      "A chargeback cannot be opened: all that was paid is refunded or being refunded.",
    );
  const amount = action.amount ?? left;
  if (amount.currency !== left.currency || compareMoney(amount, left) > 0 || amount.minor <= 0n)
    throw new DisputedTooMuch(left);
  const covered = await coverOf(tx, paid, amount);
  const dispute = await tx.one(sqlOf(DISPUTE)`
    insert into disputes (transaction_id, kind, amount_minor, covered_minor, state)
    values (${paid.transaction_id}, 'chargeback', ${amount.minor}, ${covered.minor}, 'open')
    returning ${DISPUTE_COLUMNS}`);
  await moveStatusDesc(tx, paid, "Chargeback Pending");
  await tellOfChangedPayment(tx, paid, "payment.chargeback_pending");
  const { accountNumber } = amountsOf(paid, dispute);
  await bookDispute(
    tx,
    { ...action, action: "chargeback_opened", paid, dispute },
    chargebackOpened({ accountNumber, covered }),
  );
  return dispute;
}

export async function settleChargeback(
  tx: Tx,
  action: OperatorAction & { outcome: "processed" | "released" },
): Promise<DisputeRow> {
  const { outcome } = action;
  const paid = await lockPaid(tx, action.transactionId);
  const open = await findOpenDispute(tx, paid.transaction_id);
  if (open === undefined)
    throw new DisputeForbidden("The transaction has no chargeback that is open.");
  const dispute = await endDispute(tx, open, outcome);
  const isProcessed = outcome === "processed";
  const next = isProcessed
    ? ("Chargeback Processed" as const)
    : await refundStatusDesc(tx, paid.transaction_id);
  await moveStatusDesc(tx, paid, next);
  await tellOfChangedPayment(tx, paid, `payment.chargeback_${outcome}`);
  const { amount, covered, accountNumber } = amountsOf(paid, dispute);
  await bookDispute(
    tx,
    { ...action, action: `chargeback_${outcome}`, paid, dispute },
    isProcessed
      ? chargebackProcessed({ accountNumber, amount, covered })
      : chargebackReleased({ accountNumber, covered }),
  );
  return dispute;
}
