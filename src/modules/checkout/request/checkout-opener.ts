/**
 * Opens checkouts: a payment, its session and its event, in one tx (Interface §3.2, Decision 0036).
 *
 * The rule that matters: requests that come while a commit is under way go together in the next
 * one, and each is answered only after its own commit. One that cannot go with the others (its
 * order is known, or its account is being closed) takes a way of its own, which finds out why.
 */

import type { Infra } from "../../../infra/context.ts";
import { type Queryable, sql } from "../../../infra/db/query.ts";
import { createBatcher, PATIENCE_MS } from "../../../kit/batch.ts";
import { createKeyQueue, type KeyQueue } from "../../../kit/key-queue.ts";
import type { V1CompatContext } from "../../v1-compat/v1-use.ts";
import type { CheckoutContext } from "../session/context.ts";
import { orLeftOut } from "../session/or-left-out.ts";
import { openKnown } from "./known-order.ts";
import { createMerchantFinder, type FindMerchant } from "./merchants.ts";
import type { OpenedCheckout } from "./new-session.ts";
import { type Asked, openCheckoutsInOneStatement } from "./open-checkouts.ts";
import type { PaymentRequest } from "./payment-request.ts";
import { orderKey } from "./replace-order.ts";

/** A statement may take 5 seconds, and whoever is in it waits for all of it. */
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

/** What requests of one process share. */
export interface CheckoutOpener {
  readonly findMerchant: FindMerchant;
  /** Undefined: it cannot go with the others. */
  readonly openTogether: (asked: Asked) => Promise<OpenedCheckout | undefined>;
  /** Orders that are opened alone, by `orderKey`. */
  readonly orders: KeyQueue;
}

export interface OpenerContext extends CheckoutContext, V1CompatContext {
  readonly desk: CheckoutOpener;
}

export function createCheckoutOpener(infra: Infra): CheckoutOpener {
  return {
    findMerchant: createMerchantFinder(infra.db, infra.config.limitsPerMinute.payment_merchant),
    openTogether: createBatcher({
      sizeMax: BATCH_SIZE_MAX,
      parallelMax: BATCHES_AT_ONCE,
      patienceMs: PATIENCE_MS,
      run: orLeftOut<Asked, OpenedCheckout | undefined>(infra.log, undefined, (asked) =>
        openCheckoutsInOneStatement(infra, asked),
      ),
    }),
    orders: createKeyQueue({ perKeyMax: PER_ORDER_MAX }),
  };
}

/**
 * Requests for one order that go alone wait for each other here, where they hold no connection. One
 * that comes meanwhile goes alone, too: in a batch it would make all others wait for that order.
 */
export async function openCheckout(ctx: OpenerContext, asked: Asked): Promise<OpenedCheckout> {
  const { orders, openTogether } = ctx.desk;
  const order = asked.request.transaction;
  const opened = orders.isBusy(orderKey(order)) ? undefined : await openTogether(asked);
  return opened ?? queueForOrder(ctx, order, () => openAlone(ctx, asked.request));
}

/** For work that opens a checkout in a tx of its own: it waits here, without a connection. */
export function queueForOrder<T>(
  { desk }: OpenerContext,
  order: Parameters<typeof orderKey>[0],
  work: () => Promise<T>,
): Promise<T> {
  return desk.orders.run(orderKey(order), work);
}

/** After a lost COMMIT its own id tells. */
async function openAlone(ctx: CheckoutContext, request: PaymentRequest): Promise<OpenedCheckout> {
  let opened: OpenedCheckout | undefined;
  return ctx.db.transaction(
    async (tx) => {
      opened = await openKnown(ctx, tx, request);
      return opened;
    },
    {
      confirm: async () =>
        opened !== undefined && (await isRecorded(ctx.db, opened)) ? opened : undefined,
    },
  );
}

async function isRecorded(db: Queryable, { transactionId }: OpenedCheckout): Promise<boolean> {
  const row = await db.maybeOne(sql`
    select 1 from checkout_sessions where transaction_id = ${transactionId}`);
  return row !== undefined;
}
