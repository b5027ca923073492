/**
 * Opens checkouts: a payment, its session and its event, in one tx (Interface §3.2,
 * Decisions 0036 and 0078).
 *
 * Requests that come while a commit is under way go together in the next one, and each is answered
 * only after its own commit. One whose order is known, or whose account is being closed, goes again
 * as a batch of one that finds out which.
 */

import type { Database } from "../../../infra/db/database.ts";
import { sqlOf } from "../../../infra/db/query.ts";
import { BUSY, createWriteBatcher, type LockWait } from "../../../infra/db/write-batch.ts";
import { createKeyQueue, type KeyQueue } from "../../../kit/key-queue.ts";
import type { V1CompatContext } from "../../v1-compat/v1-use.ts";
import type { CheckoutContext, Failpoint, SessionContext } from "../session/context.ts";
import { openKnown } from "./known-orders.ts";
import { createMerchantFinder, type FindMerchant } from "./merchants.ts";
import {
  OPENED,
  type OpenedCheckout,
  openedOf,
  openingOf,
  type TimedRequest,
} from "./open-checkouts.ts";
import { isWithinLimits, orderKey } from "./payment-request.ts";

/** A statement may take 5 seconds, and every request in it waits for all of it. */
const BATCH_SIZE_MAX = 256;
/**
 * While one waits for the disk, the next is made ready. With one at a time a busy hour is a tenth
 * quicker, but in a flood fewer are served (2 cores, November 2026).
 */
const BATCHES_AT_ONCE = 2;

/**
 * Requests for one order that run or wait. More of them are a mistake or an attack, and would be
 * answered too late.
 */
const PER_ORDER_MAX = 64;

interface OpeningRequest extends TimedRequest {
  readonly failpoint: Failpoint;
}

/** What requests of one process share. */
export interface CheckoutOpener {
  readonly findMerchant: FindMerchant;
  readonly open: (request: OpeningRequest) => Promise<OpenedCheckout>;
  /** Orders that are opened in a tx of their own, by `orderKey`. */
  readonly orders: KeyQueue;
}

export interface OpenerContext extends CheckoutContext, V1CompatContext {
  readonly opener: CheckoutOpener;
}

export function createCheckoutOpener(ctx: SessionContext): CheckoutOpener {
  const orders = createKeyQueue({ perKeyMax: PER_ORDER_MAX });
  const openAlone = (one: OpeningRequest) =>
    // Requests for one order wait for each other here, where they hold no connection.
    orders.run(orderKey(one.request.transaction), () => openInTx(ctx, one));
  const openTogether = createWriteBatcher({
    log: ctx.log,
    sizeMax: BATCH_SIZE_MAX,
    parallelMax: BATCHES_AT_ONCE,
    run: async (requests: readonly OpeningRequest[], locks: LockWait) =>
      locks === "skip" ? openNew(ctx, requests) : Promise.all(requests.map(openAlone)),
  });
  return {
    findMerchant: createMerchantFinder(ctx.db, ctx.config.limitsPerMinute.payment_merchant),
    // In a batch, one whose order is being opened would make all others wait for that order. One
    // beyond the limits of its account opens nothing, but may be known.
    open: (one) =>
      orders.isBusy(orderKey(one.request.transaction)) || !isWithinLimits(one.request)
        ? openAlone(one)
        : openTogether(one),
    orders,
  };
}

/** For work that opens a checkout in a tx of its own: it waits here, without a connection. */
export function queueForOrder<T>(
  { opener }: OpenerContext,
  order: Parameters<typeof orderKey>[0],
  work: () => Promise<T>,
): Promise<T> {
  return opener.orders.run(orderKey(order), work);
}

/** One statement, which is a tx by itself. After a lost answer all of it is there or nothing is. */
async function openNew(
  { config, db }: SessionContext,
  requests: readonly OpeningRequest[],
): Promise<(OpenedCheckout | typeof BUSY)[]> {
  const { statement, checkouts } = openingOf(config, requests);
  const opened = await db.transactionOf(statement, {
    async confirm() {
      const found = await findOpened(db, checkouts);
      return found.length === 0 ? undefined : found;
    },
  });
  return openedOf(checkouts, opened).map((one) => one ?? BUSY);
}

/** After a lost COMMIT its own id is looked for. */
async function openInTx(
  ctx: SessionContext,
  { request, failpoint }: OpeningRequest,
): Promise<OpenedCheckout> {
  let opened: OpenedCheckout | undefined;
  return ctx.db.transaction(
    async (tx) => {
      opened = await openKnown({ ...ctx, failpoint }, tx, request);
      return opened;
    },
    {
      async confirm() {
        if (opened === undefined) return undefined;
        const found = await findOpened(ctx.db, [opened]);
        return found.length === 0 ? undefined : opened;
      },
    },
  );
}

function findOpened(db: Database, checkouts: readonly OpenedCheckout[]) {
  return db.rows(sqlOf(OPENED)`
    select transaction_id from checkout_sessions
    where transaction_id = any(${checkouts.map((one) => one.transactionId)}::text[])`);
}
