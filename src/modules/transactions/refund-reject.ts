/**
 * An operator gives up a refund, and the merchant has the money back (Decision 0029).
 *
 * Only one that has surely not been done: nobody outside was told, or the gateway says that it
 * never saw it or rejected it, and nothing was sent since it said so. The gateway is asked before
 * the tx, because no call is made inside one.
 */

import assert from "node:assert/strict";
import { recordAudit } from "../../infra/audit.ts";
import { now } from "../../infra/db/clock.ts";
import { sql } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { NotFound, ServiceError } from "../../kit/errors.ts";
import type { GatewayContext, RefundOutcome } from "../gateway/gateway.ts";
import { findRefund, lockPaid, REFUND_COLUMNS, type RefundRow } from "./refund.ts";
import { endRefund } from "./refund-end.ts";

class RefundCannotBeRejected extends ServiceError {
  constructor(why: string) {
    const message = `The refund cannot be rejected: ${why}.`;
    super({ status: 409, code: "refund_cannot_be_rejected", message });
  }
}

/** What the gateway said, and as of which try. */
export interface AskedRefund {
  readonly refundId: string;
  readonly transactionId: string;
  readonly attemptCount: number;
  readonly outcome: RefundOutcome["outcome"];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function askAboutRefund(ctx: GatewayContext, refundId: string): Promise<AskedRefund> {
  const found = UUID.test(refundId) ? await findRefund(ctx.db, refundId) : undefined;
  if (found === undefined) throw new NotFound("no such refund");
  const { transaction_id: transactionId, attempt_count: attemptCount } = found;
  // What was never sent needs no gateway, so it can be given up where none is configured.
  const { outcome } =
    attemptCount === 0
      ? ({ outcome: "never seen" } as const)
      : ((await ctx.gateways[found.environment]?.refundOutcome(found.refund_id)) ??
        ({ outcome: "unknown" } as const));
  return { refundId: found.refund_id, transactionId, attemptCount, outcome };
}

export async function rejectRefund(
  tx: Tx,
  { asked, by, why }: { asked: AskedRefund; by: string; why: string },
): Promise<RefundRow> {
  const { refundId, transactionId } = asked;
  const paid = await lockPaid(tx, transactionId);
  const refund = await lockRefund(tx, refundId);
  if (refund.ended_at !== null) throw new RefundCannotBeRejected(`it is ${refund.state}`);
  // The lease of one that is sent again: its state says only that the answer was lost before.
  const isUnderWay = refund.leased_until !== null && refund.leased_until > (await now(tx));
  if (refund.state === "submitted" || isUnderWay || refund.attempt_count !== asked.attemptCount)
    throw new RefundCannotBeRejected("it is being submitted to the gateway at this moment");
  if (asked.outcome === "refunded") throw new RefundCannotBeRejected("the gateway has done it");
  if (asked.outcome === "unknown")
    throw new RefundCannotBeRejected("the gateway cannot tell whether it has done it");
  await recordAudit(tx, {
    action: "refund_rejected",
    accountNumber: paid.account_number,
    actor: `operator ${by}`,
    detail: { transaction_id: transactionId, refund_id: refundId, why },
  });
  const ended = await endRefund(tx, refund, { outcome: "rejected", reason: why });
  assert(ended !== undefined, "it was locked, and had not ended");
  return ended;
}

/** After its transaction, so that nobody can claim it between the look and the end. */
async function lockRefund(tx: Tx, refundId: string): Promise<RefundRow> {
  return tx.one<RefundRow>(sql`
    select ${REFUND_COLUMNS} from refunds where refund_id = ${refundId} for no key update`);
}
