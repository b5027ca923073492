/**
 * Fraud, once it is certain: what is left of the payment goes back to whom the card belongs, at
 * once and for good (Decision 0030). A chargeback that is open is processed by it.
 */

import { sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { chargebackProcessed, fraudConfirmed } from "../ledger/recipes.ts";
import {
  amountsOf,
  bookDispute,
  coverOf,
  DISPUTE,
  DISPUTE_COLUMNS,
  DisputeForbidden,
  type DisputeRow,
  demandPaid,
  endDispute,
  findOpenDispute,
  type OperatorAction,
} from "./dispute.ts";
import { tellOfChangedPayment } from "./payment-event.ts";
import { leftOf, lockPaid, moveStatusDesc, type PaidRow } from "./refund.ts";

export async function confirmFraud(tx: Tx, action: OperatorAction): Promise<DisputeRow> {
  const paid = await lockPaid(tx, action.transactionId);
  demandPaid(paid);
  if (paid.status_desc === "Chargeback Processed" || paid.status_desc === "Fraud Confirmed")
    throw new DisputeForbidden(
      `Fraud cannot be confirmed: the transaction is ${paid.status_desc}.`,
    );
  // Rejected later, it would leave the merchant money that nobody could take back any more.
  if (paid.refund_pending_minor > 0n)
    throw new DisputeForbidden("Fraud cannot be confirmed while a refund is under way.");
  const hadChargeback = await processOpenChargeback(tx, action, paid);
  const amount = leftOf(paid);
  const covered = await coverOf(tx, paid, amount);
  const dispute = await tx.one(sqlOf(DISPUTE)`
    insert into disputes (transaction_id, kind, amount_minor, covered_minor, state, ended_at)
    values (${paid.transaction_id}, 'fraud', ${amount.minor}, ${covered.minor}, 'processed',
      app_now())
    returning ${DISPUTE_COLUMNS}`);
  await moveStatusDesc(tx, paid, "Fraud Confirmed");
  const processed = hadChargeback ? (["payment.chargeback_processed"] as const) : [];
  await tellOfChangedPayment(tx, paid, ...processed, "payment.fraud_confirmed");
  await bookDispute(
    tx,
    { ...action, action: "fraud_confirmed", paid, dispute },
    fraudConfirmed(amountsOf(paid, dispute)),
  );
  return dispute;
}

/**
 * Its amount is no part of what is left; a partial one leaves a rest that the fraud takes. Tells
 * whether there was one.
 */
async function processOpenChargeback(
  tx: Tx,
  action: OperatorAction,
  paid: PaidRow,
): Promise<boolean> {
  const open = await findOpenDispute(tx, paid.transaction_id);
  if (open === undefined) return false;
  // First of the ledger's locks, since two postings follow and the second needs it.
  await coverOf(tx, paid, leftOf(paid));
  const dispute = await endDispute(tx, open, "processed");
  await bookDispute(
    tx,
    { ...action, action: "chargeback_processed", paid, dispute },
    chargebackProcessed(amountsOf(paid, dispute)),
  );
  return true;
}
