/**
 * Makes a sandbox payment end, or what happens to a paid one happen, on request (Decision 0102):
 * one tx through the use cases that the gateway's answers, the sweep and operators go through.
 */

import assert from "node:assert/strict";
import { recordAudit } from "../../infra/audit.ts";
import { leaseEnd } from "../../infra/db/clock.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { type Caller, demandSandbox } from "../../infra/http/caller.ts";
import { money } from "../../kit/money.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import type { CheckoutContext } from "../checkout/session/context.ts";
import { LEASE_SECONDS } from "../gateway/call-lease.ts";
import { forceRefund } from "../gateway/sandbox/refunds.ts";
import { confirmFraud, openChargeback, settleChargeback } from "../transactions/dispute.ts";
import { findTransaction } from "../transactions/find-transaction.ts";
import { endRefund, lockPaid, type PaidRow, readPaid, refundsOf } from "../transactions/refund.ts";
import { submitRefund } from "../transactions/settle-refunds.ts";
import type { TransactionRow } from "../transactions/transaction.ts";
import { type Decision, decidePayment } from "./decide-payment.ts";
import { demandOutcome, type PaymentOutcome } from "./payment-outcomes.ts";
import { DecidedOtherwise } from "./simulation-refused.ts";

export interface PaymentSimulation {
  readonly transactionId: string;
  readonly environment: Environment | undefined;
  readonly outcome: PaymentOutcome;
  /** With which a card is declined. */
  readonly code: string | undefined;
}

/** Returns the record as it is then. */
export async function simulatePayment(
  ctx: CheckoutContext,
  tx: Tx,
  caller: Caller,
  { transactionId, environment, outcome, code }: PaymentSimulation,
): Promise<TransactionRow> {
  await holdCredential(tx, caller, "read");
  demandSandbox(caller, environment);
  const { accountNumber } = caller;
  const wanted = { transactionId, accountNumber, environment: "sandbox" } as const;
  await findTransaction(tx, wanted);
  // Sessions are locked before anything else: an open payment is looked at first and locked then.
  const paid = isDecision(outcome)
    ? await readPaid(tx, transactionId)
    : await lockPaid(tx, transactionId);
  demandOutcome(paid, outcome);
  await recordAudit(tx, caller, "payment_simulated", {
    detail: { transaction_id: transactionId, outcome },
  });
  if (isDecision(outcome)) await decidePayment(ctx, tx, transactionId, decisionOf(outcome, code));
  else await changePaid(tx, paid, outcome);
  return findTransaction(tx, wanted);
}

type DecidingOutcome = Decision["outcome"];
type ChangingOutcome = Exclude<PaymentOutcome, DecidingOutcome>;

/** Of an open payment; the others change a paid one. */
function isDecision(outcome: PaymentOutcome): outcome is DecidingOutcome {
  return outcome === "approve" || outcome === "decline" || outcome === "expire";
}

function decisionOf(outcome: DecidingOutcome, code: string | undefined): Decision {
  return outcome === "decline" ? { outcome, code } : { outcome };
}

async function changePaid(tx: Tx, paid: PaidRow, outcome: ChangingOutcome): Promise<void> {
  const action = {
    transactionId: paid.transaction_id,
    by: paid.account_number,
    why: "simulated",
    isSimulated: true,
  } as const;
  switch (outcome) {
    case "refund_accepted":
    case "refund_rejected":
      return endOldestRefund(tx, paid, outcome);
    case "chargeback_pending":
      await openChargeback(tx, action);
      return;
    case "chargeback_processed":
      await settleChargeback(tx, { ...action, outcome: "processed" });
      return;
    case "chargeback_released":
      await settleChargeback(tx, { ...action, outcome: "released" });
      return;
    case "fraud_confirmed":
      await confirmFraud(tx, action);
      return;
  }
}

/** The payment is locked, so none of its refunds ends meanwhile. */
async function endOldestRefund(
  tx: Tx,
  paid: PaidRow,
  outcome: "refund_accepted" | "refund_rejected",
): Promise<void> {
  const refunds = await refundsOf(tx, paid.transaction_id);
  const refund = refunds.find(({ ended_at }) => ended_at === null);
  assert(refund !== undefined, "a payment with a refund under way has one");
  const { refund_id: reference, transaction_id: transactionId } = refund;
  const amount = money(paid.currency, refund.amount_minor);
  const wanted = outcome === "refund_accepted" ? "refunded" : "rejected";
  const answer = await forceRefund(tx, { reference, transactionId, amount }, wanted);
  if (answer.outcome !== wanted) throw new DecidedOtherwise(outcome, `${answer.outcome} it`);
  await submitRefund(tx, sql`refund_id = ${reference}`, leaseEnd(LEASE_SECONDS));
  await endRefund(tx, refund, answer);
}
