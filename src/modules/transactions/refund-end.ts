/**
 * Ends a refund, once: its state, the payment's sums and words, and the money, in one tx (Decision
 * 0029). Whoever comes second with the same end finds nothing left to do.
 */

import { sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { money } from "../../kit/money.ts";
import type { RefundAnswer } from "../gateway/port.ts";
import { post } from "../ledger/post.ts";
import { refundPaid, refundRejected } from "../ledger/recipes.ts";
import { tellOfChangedPayment } from "./payment-event.ts";
import {
  lockPaid,
  moveStatusDesc,
  type PaidRow,
  REFUND,
  REFUND_COLUMNS,
  type RefundRow,
  refundStatusDesc,
  SPOKEN_BY_REFUNDS,
} from "./refund.ts";

/** The refund as it was ended by this call; undefined when it had ended before. */
export async function endRefund(
  tx: Tx,
  { refund_id, transaction_id }: Pick<RefundRow, "refund_id" | "transaction_id">,
  answer: RefundAnswer,
): Promise<RefundRow | undefined> {
  const paid = await lockPaid(tx, transaction_id);
  const ended = await tx.maybeOne(sqlOf(REFUND)`
    update refunds
    set state = ${answer.outcome}, ended_at = app_now(), next_try_at = null, leased_until = null,
      rejected_because = ${answer.outcome === "rejected" ? answer.reason : null}
    where refund_id = ${refund_id} and ended_at is null
    returning ${REFUND_COLUMNS}`);
  if (ended === undefined) return undefined;
  if (SPOKEN_BY_REFUNDS.includes(paid.status_desc))
    await moveStatusDesc(tx, paid, await refundStatusDesc(tx, transaction_id));
  const { outcome } = answer;
  await tellOfChangedPayment(
    tx,
    paid,
    outcome === "refunded" ? "payment.refunded" : "payment.refund_rejected",
  );
  await postEnd(tx, paid, ended);
  return ended;
}

async function postEnd(tx: Tx, paid: PaidRow, ended: RefundRow): Promise<void> {
  const isPaid = ended.state === "refunded";
  const amount = money(paid.currency, ended.amount_minor);
  const of = { accountNumber: paid.account_number, amount };
  const occasion = isPaid ? "refund_paid" : "refund_rejected";
  await post(tx, {
    postingId: `${occasion} ${ended.refund_id}`,
    environment: paid.environment,
    occasion,
    reference: paid.transaction_id,
    transfers: isPaid ? refundPaid(of) : refundRejected(of),
  });
}
