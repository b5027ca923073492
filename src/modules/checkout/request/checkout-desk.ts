/**
 * Opens checkouts: a payment, its session and its event, in one tx (Interface §3.2, Decision 0036).
 *
 * The rule that matters: requests that come while a commit is under way go together in the next
 * one, and each is answered only after its own commit. One that cannot go with the others (its
 * order is known, or its account is being closed) takes a way of its own, which finds out why.
 */

import type { Infra } from "../../../infra/context.ts";
import { isPlainRefusal } from "../../../infra/db/database-errors.ts";
import { type Queryable, sql } from "../../../infra/db/query.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { createBatcher } from "../../../kit/batch.ts";
import type { CheckoutContext } from "../session/context.ts";
import { openOne } from "./known-order.ts";
import { createMerchantFinder, type FindMerchant } from "./merchants.ts";
import type { OpenedCheckout } from "./new-session.ts";
import { type Asked, openCheckouts } from "./open-checkouts.ts";
import type { PaymentRequest } from "./payment-request.ts";

/** A statement may take 5 seconds, and whoever is in it waits for all of it. */
const REQUESTS_AT_ONCE_MAX = 256;
/** While some wait for the disk, others are made ready; more would only make each smaller. */
const BATCHES_AT_ONCE = 4;

/** What requests of one process share. */
export interface CheckoutDesk {
  readonly findMerchant: FindMerchant;
  /** Undefined: it cannot go with the others. */
  readonly openTogether: (asked: Asked) => Promise<OpenedCheckout | undefined>;
}

export interface DeskContext extends CheckoutContext {
  readonly desk: CheckoutDesk;
}

type Openings = (OpenedCheckout | undefined)[];

export function createCheckoutDesk(infra: Infra): CheckoutDesk {
  return {
    findMerchant: createMerchantFinder(infra.db, infra.config.limitsPerMinute.payment_merchant),
    openTogether: createBatcher({
      sizeMax: REQUESTS_AT_ONCE_MAX,
      parallelMax: BATCHES_AT_ONCE,
      run: (asked: readonly Asked[]) => openBatch(infra, asked),
    }),
  };
}

export async function openCheckout(ctx: DeskContext, asked: Asked): Promise<OpenedCheckout> {
  return (await ctx.desk.openTogether(asked)) ?? openAlone(ctx, asked.request);
}

async function openBatch(infra: Infra, asked: readonly Asked[]): Promise<Openings> {
  try {
    return await inOneTx(infra, (tx) => openCheckouts(infra.config, tx, asked));
  } catch (error) {
    if (!isPlainRefusal(error)) throw error;
    // One of them is wrong in a way that nobody foresaw; alone, each finds out if it is the one.
    infra.log.error({ err: error }, "a batch of payment requests was refused");
    return asked.map(() => undefined);
  }
}

async function openAlone(ctx: CheckoutContext, request: PaymentRequest): Promise<OpenedCheckout> {
  const [opened] = await inOneTx(ctx, async (tx) => [await openOne(ctx, tx, request)]);
  if (opened === undefined) throw new Error("a checkout was neither opened nor refused");
  return opened;
}

/** After a lost COMMIT: all of it is there or nothing is, so one id tells. */
async function inOneTx<Opened extends OpenedCheckout | undefined>(
  { db }: Infra,
  open: (tx: Tx) => Promise<Opened[]>,
): Promise<Opened[]> {
  let openings: Opened[] = [];
  return db.transaction(
    async (tx) => {
      openings = await open(tx);
      return openings;
    },
    {
      async confirm() {
        const one = openings.find((opened) => opened !== undefined);
        return one === undefined || (await isRecorded(db, one)) ? openings : undefined;
      },
    },
  );
}

async function isRecorded(db: Queryable, { transactionId }: OpenedCheckout): Promise<boolean> {
  const row = await db.maybeOne(sql`
    select 1 from checkout_sessions where transaction_id = ${transactionId}`);
  return row !== undefined;
}
