/**
 * Opens checkouts whose orders may be known already (Interface §3.2, Decisions 0036 and 0065).
 *
 * The same request for an order that can still be paid gets the same address again: a merchant who
 * lost our answer sends it once more and nothing is opened twice. A changed request replaces the
 * open payment as long as no card was tried for that one. Once a card was tried, or once it is
 * paid, it is refused. What failed or ran out of time may be tried anew.
 *
 * What must hold: a payment is replaced only while its session's row is locked and counts no card.
 * A card that is submitted at the same moment waits for that row, or was counted before it. So at
 * most one payment of an order can be paid, whatever the race.
 */

import { now } from "../../../infra/db/clock.ts";
import { sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import {
  type NewTransaction,
  OrderIdTaken,
  whyNotRecorded,
} from "../../transactions/record-transaction.ts";
import type { TransactionStatus } from "../../transactions/transaction.ts";
import { countReplaced } from "../session/checkout-metrics.ts";
import { checkoutToken, checkoutUrl } from "../session/checkout-token.ts";
import { type CheckoutContext, reach, type SessionContext } from "../session/context.ts";
import { endSessions, expire } from "../session/end-sessions.ts";
import { REPLACED } from "../session/result-messages.ts";
import { type LockedSession, lockSessions } from "../session/session.ts";
import { type OpenedCheckout, openCheckouts } from "./open-checkouts.ts";
import { isDigestOf, orderKey, type PaymentRequest } from "./payment-request.ts";

/** New orders are opened without the order's lock: one may appear between look and write. */
const ROUNDS_MAX = 3;
/** Many may wait for one order; a statement ends after 5 seconds. */
const ORDER_WAIT_MAX = "4500ms";

interface KnownOrder {
  readonly order_key: string;
  readonly transaction_id: string;
  readonly status: TransactionStatus;
  /** Null where a payment was recorded without a page. */
  readonly token_key_id: string | null;
  readonly request_digest: Buffer | null;
  readonly is_over: boolean | null;
}

type Results = Map<PaymentRequest, OpenedCheckout | Error>;
type OrderContext = SessionContext & Pick<CheckoutContext, "failpoint">;

export async function openCheckout(
  ctx: OrderContext,
  tx: Tx,
  request: PaymentRequest,
): Promise<OpenedCheckout> {
  const [opened] = await openOrders(ctx, tx, [request]);
  if (opened instanceof Error || opened === undefined) throw opened;
  return opened;
}

/** In the order given; an Error is why that one was not opened. Each is of another order. */
async function openOrders(
  ctx: OrderContext,
  tx: Tx,
  requests: readonly PaymentRequest[],
): Promise<(OpenedCheckout | Error | undefined)[]> {
  const results: Results = new Map();
  const left = () => requests.filter((request) => !results.has(request));
  await openNew(ctx, tx, left(), results);
  // Most known orders are requested again in the same words: these need no lock.
  await recognise(ctx, tx, left(), results);
  await lockOrders(tx, left());
  for (let round = 0; round < ROUNDS_MAX && left().length > 0; round++) {
    const known = await recognise(ctx, tx, left(), results);
    // The newer payment begins after the older one has ended, with all of its time.
    await endOlder(ctx, tx, known, results);
    if (await openNew(ctx, tx, left(), results)) await ctx.failpoint("replace: newer opened");
  }
  for (const request of left()) results.set(request, await whyNotRecorded(tx, request.transaction));
  return requests.map((request) => results.get(request));
}

/** Leaves out those whose orders are known or whose accounts take no payments. */
async function openNew(
  { config }: OrderContext,
  tx: Tx,
  requests: readonly PaymentRequest[],
  results: Results,
): Promise<boolean> {
  if (requests.length === 0) return false;
  const at = await now(tx);
  const opened = await openCheckouts(
    config,
    tx,
    requests.map((request) => ({ request, at })),
  );
  for (const [index, request] of requests.entries()) {
    const checkout = opened[index];
    if (checkout !== undefined) results.set(request, checkout);
  }
  return opened.some((one) => one !== undefined);
}

/**
 * Finds the payments of these orders that are open or were successful; a unique index allows one.
 * Those whose request is the same and that can be paid are results; gives the others.
 */
async function recognise(
  { config }: OrderContext,
  tx: Tx,
  requests: readonly PaymentRequest[],
  results: Results,
): Promise<Map<PaymentRequest, KnownOrder>> {
  const others = new Map<PaymentRequest, KnownOrder>();
  if (requests.length === 0) return others;
  const each = <T>(of: (one: NewTransaction) => T) =>
    requests.map(({ transaction }) => of(transaction));
  const rows = await tx.rows<KnownOrder & Record<string, unknown>>(sql`
    select known.order_key, transaction_id, status, token_key_id, request_digest,
      expires_at <= app_now() as is_over
    from unnest(${each(orderKey)}::text[], ${each((one) => one.accountNumber)}::text[],
        ${each((one) => one.environment)}::text[], ${each((one) => one.orderId)}::text[])
      as known (order_key, account_number, environment, order_id)
    join transactions using (account_number, environment, order_id)
    left join checkout_sessions using (transaction_id)
    where status in ('incomplete', 'success')`);
  const byOrder = new Map(rows.map((row) => [row.order_key, row]));
  for (const request of requests) {
    const known = byOrder.get(orderKey(request.transaction));
    if (known === undefined) continue;
    const { transaction_id: transactionId, request_digest: digest, token_key_id: keyId } = known;
    const canBePaid = known.status === "incomplete" && known.is_over === false;
    const isSame = digest !== null && isDigestOf(config, request, digest);
    const made =
      canBePaid && isSame && keyId !== null && checkoutToken(config, transactionId, keyId);
    if (made) results.set(request, { transactionId, url: checkoutUrl(config, made.token) });
    else others.set(request, known);
  }
  return others;
}

/**
 * Changed requests for one order go one after the other, over all processes. Without it, of two
 * that found the same open payment the second would find it replaced by one that it did not see.
 */
export async function lockOrders(tx: Tx, requests: readonly PaymentRequest[]): Promise<void> {
  if (requests.length === 0) return;
  const keys = requests.map(({ transaction }) => orderKey(transaction)).sort();
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended(order_key, 0))
    from set_config('lock_timeout', ${ORDER_WAIT_MAX}, true), unnest(${keys}::text[]) as order_key`);
}

/** Refuses where the payment stands: it was paid, or a card was tried. */
async function endOlder(
  ctx: OrderContext,
  tx: Tx,
  known: ReadonlyMap<PaymentRequest, KnownOrder>,
  results: Results,
): Promise<void> {
  const requests = new Map<string, PaymentRequest>();
  const refuse = (id: string, why: string) => {
    const request = requests.get(id);
    if (request !== undefined) results.set(request, new OrderIdTaken(`${id} ${why}`));
  };
  for (const [request, { transaction_id: id, status, token_key_id: keyId }] of known) {
    requests.set(id, request);
    if (status !== "incomplete" || keyId === null) refuse(id, `is ${status}`);
  }
  const ids = [...requests].flatMap(([id, request]) => (results.has(request) ? [] : [id]));
  if (ids.length === 0) return;
  const { failpoint } = ctx;
  const sessions = await lockSessions(tx, ids, "wait");
  const open = sessions.filter(({ session_state }) => session_state === "open");
  const over = open
    .filter(({ is_over }) => is_over)
    .map((session) => ({ transactionId: session.transaction_id, failpoint }));
  const expired = await expire(ctx, tx, over, "wait");
  // Where a card is not decided, its bank is asked first, which takes its time.
  for (const [at, { transactionId }] of over.entries())
    if (expired[at] === "not yet") refuse(transactionId, "is undecided");
  const current = open.filter(({ is_over }) => !is_over);
  for (const session of current)
    if (session.attempt_count > 0) refuse(session.transaction_id, "has a card that was tried");
  const replaced = current.filter(({ attempt_count }) => attempt_count === 0);
  await replace(ctx, tx, replaced);
}

async function replace(
  ctx: OrderContext,
  tx: Tx,
  replaced: readonly LockedSession[],
): Promise<void> {
  if (replaced.length === 0) return;
  const { failpoint, log } = ctx;
  const result = { status: "failed", message: REPLACED, card: null } as const;
  const ends = replaced.map((session) => ({ session, result, failpoint }));
  await endSessions(ctx, tx, ends);
  tx.afterCommit(() => {
    for (const { transaction_id: transactionId } of replaced) {
      countReplaced();
      log.info({ transactionId }, "an open payment was replaced by a newer request");
    }
  });
  await reach(ends, "replace: older ended");
}
