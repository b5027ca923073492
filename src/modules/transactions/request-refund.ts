/**
 * Creates a refund: one tx locks the payment, writes the intent, holds the merchant's money and
 * adds the job that calls the gateway (Decision 0029). So a refund exists as a whole and will be
 * ended, or does not exist.
 */

import { insertAudit, recordAudit } from "../../infra/audit.ts";
import { onConstraint } from "../../infra/db/database-errors.ts";
import { sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { type Caller, reachOf } from "../../infra/http/caller.ts";
import { fixedRefusal, ServiceError } from "../../kit/errors.ts";
import {
  compareMoney,
  describeMoney,
  formatMoney,
  isZero,
  type Money,
  money,
} from "../../kit/money.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { holdCredential } from "../auth/hold-credential.ts";
import type { GatewayContext } from "../gateway/port.ts";
import { scheduleOrder } from "../gateway/settle-order.ts";
import { post } from "../ledger/post.ts";
import { refundRequested } from "../ledger/recipes.ts";
import { demandWithinRole } from "../people/refund-limit.ts";
import type { OperatorAction } from "./dispute.ts";
import { findTransaction } from "./find-transaction.ts";
import { tellOfChangedPayment } from "./payment-event.ts";
import {
  isRefundable,
  leftOf,
  lockPaid,
  moveStatusDesc,
  type PaidRow,
  REFUND,
  REFUND_COLUMNS,
  SETTLE_REFUND,
} from "./refund.ts";

/** Unpaid or disputed. */
export class NotRefundable extends ServiceError {
  constructor({ status, status_desc }: Pick<PaidRow, "status" | "status_desc">) {
    const which = status === "success" ? `condition is ${status_desc}` : `status is ${status}`;
    super("not_refundable", { message: `The transaction cannot be refunded: its ${which}.` });
  }
}

export class NoLiveGateway extends fixedRefusal("no_live_gateway") {}

export class MoreThanIsLeft extends ServiceError {
  constructor(left: Money, cause?: unknown) {
    super("more_than_is_left", {
      field: "amount",
      message: isZero(left)
        ? "Nothing is left to refund."
        : `The amount is more than is left to refund: ${describeMoney(left)}.`,
      cause,
    });
  }
}

export async function requestRefund(
  ctx: GatewayContext,
  tx: Tx,
  caller: Caller,
  request: {
    transactionId: string;
    /** Undefined: either, as far as the credential reaches. */
    environment: Environment | undefined;
    /** Of the payment's currency; undefined: all that is left. */
    amountMinor: bigint | undefined;
    reason: string | undefined;
  },
) {
  await holdCredential(tx, caller, "read");
  const { accountNumber, credential } = caller;
  const { transactionId } = request;
  const environment = reachOf(credential, request.environment);
  await findTransaction(tx, { transactionId, accountNumber, environment });
  const paid = await lockPaid(tx, transactionId);
  const amount = refundable(ctx, paid, request.amountMinor);
  const refundedSoFar = paid.refunded_minor + paid.refund_pending_minor;
  await demandWithinRole(tx, caller, money(paid.currency, refundedSoFar + amount.minor));
  return writeRefund(tx, paid, {
    amount,
    reason: request.reason,
    record: (detail) => recordAudit(tx, caller, "refund_requested", { detail }),
  });
}

/** For the merchant, who pays it: an operator refunds on their behalf (Decision 0120). */
export async function refundByOperator(
  ctx: Pick<GatewayContext, "gateways">,
  tx: Tx,
  {
    transactionId,
    amountMinor,
    by,
    why,
    from = {},
    tell,
  }: OperatorAction & {
    readonly amountMinor: bigint | undefined;
    /** What the merchant reads; never why we do it. */
    readonly tell: string | undefined;
  },
) {
  const paid = await lockPaid(tx, transactionId);
  const amount = refundable(ctx, paid, amountMinor);
  return writeRefund(tx, paid, {
    amount,
    reason: tell,
    isByOperator: true,
    record: (detail) =>
      insertAudit(tx, {
        action: "refund_requested",
        accountNumber: paid.account_number,
        actor: `operator ${by}`,
        detail: {
          why,
          ...from,
          ...detail,
          amount: formatMoney(amount),
          ...(tell === undefined ? {} : { told: tell }),
        },
      }),
  });
}

function refundable(
  { gateways }: Pick<GatewayContext, "gateways">,
  paid: PaidRow,
  wanted: bigint | undefined,
): Money {
  if (!isRefundable(paid)) throw new NotRefundable(paid);
  if (gateways[paid.environment] === undefined) throw new NoLiveGateway();
  const left = leftOf(paid);
  const amount = money(paid.currency, wanted ?? left.minor);
  if (isZero(left) || compareMoney(amount, left) > 0) throw new MoreThanIsLeft(left);
  return amount;
}

interface NewRefund {
  readonly amount: Money;
  readonly reason: string | undefined;
  readonly isByOperator?: boolean;
  record(detail: Readonly<Record<string, unknown>>): Promise<void>;
}

async function writeRefund(
  tx: Tx,
  paid: PaidRow,
  { amount, reason, isByOperator = false, record }: NewRefund,
) {
  const { account_number: accountNumber, transaction_id: transactionId } = paid;
  const refund = await onConstraint(
    { no_more_goes_back_than_was_paid: (cause) => new MoreThanIsLeft(leftOf(paid), cause) },
    tx.one(sqlOf(REFUND)`
      insert into refunds (transaction_id, amount_minor, reason, is_by_operator)
      values (${paid.transaction_id}, ${amount.minor}, ${reason ?? null}, ${isByOperator})
      returning ${REFUND_COLUMNS}`),
  );
  await moveStatusDesc(tx, paid, "Refund Requested");
  await tellOfChangedPayment(tx, paid, "payment.refund_requested");
  await record({ transaction_id: transactionId, refund_id: refund.refund_id });
  await scheduleOrder(tx, SETTLE_REFUND, refund.refund_id, 0);
  // Refused here when the merchant's funds are short (`insufficient_funds`).
  await post(tx, {
    postingId: `refund_requested ${refund.refund_id}`,
    environment: paid.environment,
    occasion: "refund_requested",
    reference: paid.transaction_id,
    transfers: refundRequested({ accountNumber, amount }),
  });
  return { ...refund, environment: paid.environment, currency: paid.currency };
}
