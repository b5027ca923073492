/**
 * Ends the open payment of an order that is asked for in other words, so that a new one can open
 * in the same tx (Decision 0065).
 *
 * What must hold: a payment is replaced only while its session's row is held and counts no card.
 * A card that is submitted at the same moment waits for that row, or was counted before it. So at
 * most one payment of an order can be paid, whatever the race.
 */

import { type Queryable, sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { type NewTransaction, OrderIdTaken } from "../../transactions/record-transaction.ts";
import type { TransactionStatus } from "../../transactions/transaction.ts";
import { countReplaced } from "../session/checkout-metrics.ts";
import type { CheckoutContext } from "../session/context.ts";
import { endSession } from "../session/end-session.ts";
import { expire } from "../session/expire-sessions.ts";
import { REPLACED } from "../session/result-messages.ts";
import { lockSession } from "../session/session.ts";
import type { PaymentRequest } from "./payment-request.ts";

/** Many may wait for one order; a statement ends after 5 seconds. */
const ORDER_WAIT_MAX = "4500ms";

export interface KnownOrder {
  readonly transaction_id: string;
  readonly status: TransactionStatus;
  /** Null where a payment was recorded without a page. */
  readonly token_key_id: string | null;
  readonly request_digest: Buffer | null;
  readonly is_over: boolean | null;
}

/** The payment of this order that is open or was successful; the unique index allows one. */
export function findLiveOrder(
  db: Queryable,
  { transaction: { accountNumber, environment, orderId } }: PaymentRequest,
): Promise<KnownOrder | undefined> {
  return db.maybeOne<KnownOrder>(sql`
    select transaction_id, status, token_key_id, request_digest,
      expires_at <= app_now() as is_over
    from transactions left join checkout_sessions using (transaction_id)
    where account_number = ${accountNumber} and environment = ${environment}
      and order_id = ${orderId} and status in ('incomplete', 'success')`);
}

/** One order, in locks and queues. */
export function orderKey(
  order: Pick<NewTransaction, "accountNumber" | "environment" | "orderId">,
): string {
  return `order ${order.accountNumber} ${order.environment} ${order.orderId}`;
}

/**
 * Changed requests for one order go one after the other, over all processes. Without it, of two
 * that found the same open payment the second would find it replaced by one that it did not see.
 */
export async function lockOrder(tx: Tx, { transaction }: PaymentRequest): Promise<void> {
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended(${orderKey(transaction)}, 0))
    from set_config('lock_timeout', ${ORDER_WAIT_MAX}, true)`);
}

/** Throws where the payment stands: it was paid, or a card was tried. */
export async function endOlder(ctx: CheckoutContext, tx: Tx, known: KnownOrder): Promise<void> {
  const { transaction_id: id, status, token_key_id: keyId } = known;
  if (status !== "incomplete" || keyId === null) throw new OrderIdTaken(`${id} is ${status}`);
  const session = await lockSession(ctx, tx, id);
  if (session.state === "ended") return;
  if (session.is_over) {
    // Where a card is not decided, its bank is asked first, which takes its time.
    if ((await expire(ctx, tx, id)) === "not yet") throw new OrderIdTaken(`${id} is undecided`);
    return;
  }
  if (session.attempt_count > 0) throw new OrderIdTaken(`a card was tried for ${id}`);
  await endSession(ctx, tx, session, { status: "failed", message: REPLACED, card: null });
  tx.afterCommit(() => {
    countReplaced();
    ctx.log.info({ transactionId: id }, "an open payment was replaced by a newer request");
  });
  await ctx.failpoint("replace: older ended");
}
