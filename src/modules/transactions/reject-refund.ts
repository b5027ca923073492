/**
 * An operator rejects a refund, and the merchant gets the money back (Decision 0029).
 *
 * Only one that was certainly not paid: it was never sent, or the gateway says that it never saw it
 * or rejected it, nothing was sent since, and no order can still arrive because the lease of the
 * last try is over. The inquiry at the gateway comes before the tx: no call is made inside one.
 */

import assert from "node:assert/strict";
import { insertAudit } from "../../infra/audit.ts";
import { now } from "../../infra/db/clock.ts";
import { sqlOf } from "../../infra/db/query.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { NotFound, NotNow, OperatorError } from "../../kit/errors.ts";
import { UUID } from "../../kit/ids.ts";
import type { Environment } from "../../kit/vocabulary.ts";
import { withinLimit } from "../gateway/call-lease.ts";
import type { GatewayContext, RefundOutcome } from "../gateway/port.ts";
import type { OperatorAction } from "./dispute.ts";
import {
  endRefund,
  findRefund,
  lockPaid,
  REFUND,
  REFUND_COLUMNS,
  type RefundRow,
} from "./refund.ts";

const inWords = (why: string) => `The refund cannot be rejected: ${why}.`;

/** The gateway's answer, and as of which try. */
export interface RefundInquiry {
  readonly refundId: string;
  readonly transactionId: string;
  readonly attemptCount: number;
  readonly outcome: RefundOutcome["outcome"] | "no gateway";
}

export async function askAboutRefund(
  ctx: GatewayContext,
  refundId: string,
): Promise<RefundInquiry> {
  const found = UUID.test(refundId) ? await findRefund(ctx.db, refundId) : undefined;
  if (found === undefined) throw new NotFound("no such refund");
  const { transaction_id: transactionId, attempt_count: attemptCount } = found;
  const outcome = await outcomeOf(ctx, found);
  return { refundId: found.refund_id, transactionId, attemptCount, outcome };
}

async function outcomeOf(
  { gateways, log }: GatewayContext,
  { refund_id: refundId, attempt_count, environment }: RefundRow & { environment: Environment },
): Promise<RefundInquiry["outcome"]> {
  // What was never sent needs no gateway, so it can be rejected where none is configured.
  if (attempt_count === 0) return "never seen";
  const gateway = gateways[environment];
  if (gateway === undefined) return "no gateway";
  try {
    return (await withinLimit(() => gateway.refundOutcome(refundId), ignore)).outcome;
  } catch (err) {
    log.warn({ err, refundId }, "the gateway's answer about a refund was lost");
    return "unknown";
  }
}

/** An inquiry is no order: an answer that comes too late changes nothing. */
const ignore = (late: Promise<unknown>) => late.then(() => {}).catch(() => {});

/** Another answer may come. */
const UNKNOWN: Partial<Record<RefundInquiry["outcome"], string>> = {
  unknown: "the gateway cannot tell whether it has done it",
  "no gateway":
    "it was sent before, and no gateway is configured that could tell whether it was done; " +
    "configure the one that has it, and repeat",
};

interface RefundRejection extends Pick<OperatorAction, "by" | "why" | "from"> {
  readonly inquiry: RefundInquiry;
}

export async function rejectRefund(
  tx: Tx,
  { inquiry, by, why, from = {} }: RefundRejection,
): Promise<RefundRow> {
  const { refundId, transactionId } = inquiry;
  const paid = await lockPaid(tx, transactionId);
  // After its transaction, so that it cannot be claimed before the tx ends.
  const refund = await tx.one(sqlOf(REFUND)`
    select ${REFUND_COLUMNS} from refunds where refund_id = ${refundId} for no key update`);
  if (refund.ended_at !== null) throw new OperatorError(inWords(`it is ${refund.state}`));
  if (inquiry.outcome === "refunded") throw new OperatorError(inWords("the gateway has done it"));
  const unknown = UNKNOWN[inquiry.outcome];
  if (unknown !== undefined) throw new NotNow(inWords(unknown));
  // By the lease and not by the state: a process that died leaves `submitted`, a lost answer
  // `unknown`, and until the lease is over the order of either may still arrive.
  const isUnderWay = refund.leased_until !== null && refund.leased_until > (await now(tx));
  if (isUnderWay || refund.attempt_count !== inquiry.attemptCount)
    throw new NotNow(inWords("it is being submitted to the gateway at this moment"));
  await insertAudit(tx, {
    action: "refund_rejected",
    accountNumber: paid.account_number,
    actor: `operator ${by}`,
    detail: { transaction_id: transactionId, refund_id: refundId, why, ...from },
  });
  const ended = await endRefund(tx, refund, { outcome: "rejected", reason: why });
  assert(ended !== undefined, "it was locked, and had not ended");
  return ended;
}
