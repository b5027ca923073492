/**
 * Opens a checkout whose order may be known already (Interface §3.2, Decisions 0036 and 0065).
 *
 * The same request for an order that can still be paid gets the same address again: a merchant who
 * lost our answer sends it once more and nothing is opened twice. A changed request replaces the
 * open payment as long as no card was tried for that one. Once a card was tried, or once it is
 * paid, it is refused. What failed or ran out of time may be tried anew.
 *
 * A payment is replaced only while its session's row is locked and counts no card. A card that is
 * submitted at the same moment waits for that row, or was counted before it. So at most one payment
 * of an order can be paid, whatever the race.
 */

import { now } from "../../../infra/db/clock.ts";
import { sql, sqlOf } from "../../../infra/db/query.ts";
import { bool, nullable, outer, pick, type Row } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { demandPayable } from "../../platforms/fee-quote.ts";
import { OrderIdTaken, whyNotRecorded } from "../../transactions/new-transaction.ts";
import { replacedCheckouts } from "../session/checkout-metrics.ts";
import { checkoutToken, checkoutUrl } from "../session/checkout-token.ts";
import type { CheckoutContext, SessionContext } from "../session/context.ts";
import { endSessions, expire } from "../session/end-sessions.ts";
import { REPLACED } from "../session/result-messages.ts";
import { lockSession } from "../session/session.ts";
import { type OpenedCheckout, openCheckouts } from "./open-checkouts.ts";
import { isDigestOf, isWithinLimits, orderKey, type PaymentRequest } from "./payment-request.ts";

/** New orders are opened without the order's lock: one may appear between look and write. */
const ROUNDS_MAX = 3;
/** Many may wait for one order; a statement ends after 5 seconds. */
const ORDER_WAIT_MAX = "4500ms";

type OrderContext = SessionContext & Pick<CheckoutContext, "failpoint">;

const KNOWN_ORDER = {
  ...pick(tables.transactions, "transaction_id", "status"),
  // Null where a payment was recorded without a page.
  ...outer(pick(tables.checkout_sessions, "token_key_id", "request_digest")),
  is_over: nullable(bool),
};

type KnownOrder = Row<typeof KNOWN_ORDER>;

export async function openCheckout(
  ctx: OrderContext,
  tx: Tx,
  request: PaymentRequest,
): Promise<OpenedCheckout> {
  const opened = isWithinLimits(request) ? await openNew(ctx, tx, request) : undefined;
  return opened ?? openKnown(ctx, tx, request);
}

/** The same for a request that could not be opened a moment ago. */
export async function openKnown(
  ctx: OrderContext,
  tx: Tx,
  request: PaymentRequest,
): Promise<OpenedCheckout> {
  // Most known orders are requested again in the same words: these need no lock.
  const same = openAgain(ctx, request, await findLiveOrder(tx, request));
  if (same !== undefined) return same;
  demandPayable(request.transaction.total, "total", request.transaction.own);
  await lockOrder(tx, request);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const known = await findLiveOrder(tx, request);
    const again = openAgain(ctx, request, known);
    if (again !== undefined) return again;
    if (known !== undefined) await endOlder(ctx, tx, known);
    // After the older one has ended: the newer begins later, with all of its time.
    const newer = await openNew(ctx, tx, request);
    if (newer === undefined) continue;
    await ctx.failpoint("replace: newer opened");
    return newer;
  }
  throw await whyNotRecorded(tx, request.transaction);
}

/** Undefined: its order is known, or its account takes no payments. */
async function openNew(
  { config }: OrderContext,
  tx: Tx,
  request: PaymentRequest,
): Promise<OpenedCheckout | undefined> {
  const [opened] = await openCheckouts(config, tx, [{ request, at: await now(tx) }]);
  return opened;
}

/** The payment of this order that is open or was successful; a unique index allows one. */
function findLiveOrder(
  tx: Tx,
  { transaction: { accountNumber, environment, orderId } }: PaymentRequest,
): Promise<KnownOrder | undefined> {
  return tx.maybeOne(sqlOf(KNOWN_ORDER)`
    select transaction_id, status, token_key_id, request_digest,
      expires_at <= app_now() as is_over
    from transactions left join checkout_sessions using (transaction_id)
    where account_number = ${accountNumber} and environment = ${environment}
      and order_id = ${orderId} and status in ('incomplete', 'success')`);
}

/** Undefined: it cannot be paid any more, or its request was another. */
function openAgain(
  { config }: OrderContext,
  request: PaymentRequest,
  known: KnownOrder | undefined,
): OpenedCheckout | undefined {
  if (known === undefined || known.status !== "incomplete" || known.is_over) return undefined;
  const { transaction_id: transactionId, request_digest: digest, token_key_id: keyId } = known;
  if (digest === null || keyId === null || !isDigestOf(config, request, digest)) return undefined;
  const made = checkoutToken(config, transactionId, keyId);
  return made && { transactionId, url: checkoutUrl(config, made.token) };
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
async function endOlder(ctx: OrderContext, tx: Tx, known: KnownOrder): Promise<void> {
  const { transaction_id: transactionId, status, token_key_id: keyId } = known;
  const { failpoint } = ctx;
  if (status !== "incomplete" || keyId === null)
    throw new OrderIdTaken(`${transactionId} is ${status}`);
  const session = await lockSession(tx, transactionId);
  if (session.session_state === "ended") return;
  if (session.is_over) {
    const [expired] = await expire(ctx, tx, [{ transactionId, failpoint }], "wait");
    // Where a card is not decided, its bank is asked first, which takes its time.
    if (expired === "not yet") throw new OrderIdTaken(`${transactionId} is undecided`);
    return;
  }
  if (session.attempt_count > 0) throw new OrderIdTaken(`a card was tried for ${transactionId}`);
  const result = { status: "failed", message: REPLACED, card: null } as const;
  await endSessions(ctx, tx, [{ session, result, failpoint }]);
  tx.afterCommit(() => {
    replacedCheckouts.inc();
    ctx.log.info({ transactionId }, "an open payment was replaced by a newer request");
  });
  await failpoint("replace: older ended");
}
