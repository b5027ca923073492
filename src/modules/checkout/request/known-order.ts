/**
 * Opens one checkout whose order may be known already, and tells why if it cannot be (Interface
 * §3.2, Decision 0036).
 *
 * The same order asked for in the same words while it can be paid has the same address again: a
 * merchant who lost our answer asks once more and nothing is opened twice. In other words, or once
 * it is paid, it is refused. What failed or ran out of time may be tried anew.
 */

import { now } from "../../../infra/db/clock.ts";
import { type Queryable, sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { sameBytes } from "../../../kit/secrets.ts";
import { OrderIdTaken, tellWhyNot } from "../../transactions/record-transaction.ts";
import type { TransactionStatus } from "../../transactions/transaction.ts";
import { checkoutToken, checkoutUrl } from "../session/checkout-token.ts";
import type { CheckoutContext } from "../session/context.ts";
import { expire } from "../session/expire-sessions.ts";
import type { OpenedCheckout } from "./new-session.ts";
import { openCheckouts } from "./open-checkouts.ts";
import type { PaymentRequest } from "./payment-request.ts";

interface KnownOrder {
  readonly transaction_id: string;
  readonly status: TransactionStatus;
  /** Null where a payment was recorded without a page. */
  readonly token_key_id: string | null;
  readonly request_digest: Buffer | null;
  readonly is_over: boolean | null;
}

export async function openOne(
  ctx: CheckoutContext,
  tx: Tx,
  request: PaymentRequest,
): Promise<OpenedCheckout> {
  const at = await now(tx);
  const [opened] = await openCheckouts(ctx.config, tx, [{ request, at }]);
  if (opened !== undefined) return opened;
  const known = await findLiveOrder(tx, request);
  if (known !== undefined && !(await endOverdue(ctx, tx, known)))
    return sameAgain(ctx, request, known);
  // What stood in the way has ended; or it is the account that takes no payments.
  const [made] = await openCheckouts(ctx.config, tx, [{ request, at }]);
  return made ?? tellWhyNot(tx, request.transaction);
}

function findLiveOrder(
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

function sameAgain(
  { config }: CheckoutContext,
  { digests }: PaymentRequest,
  known: KnownOrder,
): OpenedCheckout {
  const { transaction_id: transactionId, request_digest: digest, token_key_id: keyId } = known;
  const isSame = digest !== null && digests.some((one) => sameBytes(one, digest));
  const token = keyId === null ? undefined : checkoutToken(config, transactionId, keyId);
  const canBePaid = known.status === "incomplete" && known.is_over === false;
  if (!canBePaid || !isSame || token === undefined)
    throw new OrderIdTaken(`${transactionId} is ${known.status}`);
  return { transactionId, url: checkoutUrl(config, token.token) };
}

/**
 * Time is over, but nobody has written it down yet: it is done here, instead of sending a customer
 * to a page that has ended. Where a card is not decided, its bank is to be asked first, which takes
 * its time.
 */
async function endOverdue(ctx: CheckoutContext, tx: Tx, known: KnownOrder): Promise<boolean> {
  if (known.status !== "incomplete" || known.is_over !== true) return false;
  return (await expire(ctx, tx, known.transaction_id)) !== "not yet";
}
