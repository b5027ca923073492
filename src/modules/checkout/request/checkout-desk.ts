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
import { createBatcher } from "../../../kit/batch.ts";
import type { CheckoutContext } from "../session/context.ts";
import { openOne } from "./known-order.ts";
import { createMerchantFinder, type FindMerchant } from "./merchants.ts";
import type { OpenedCheckout } from "./new-session.ts";
import { type Asked, openCheckoutsInOneStatement } from "./open-checkouts.ts";
import type { PaymentRequest } from "./payment-request.ts";

/** A statement may take 5 seconds, and whoever is in it waits for all of it. */
const BATCH_SIZE_MAX = 256;

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
      sizeMax: BATCH_SIZE_MAX,
      run: (asked: readonly Asked[]) => openBatch(infra, asked),
    }),
  };
}

export async function openCheckout(ctx: DeskContext, asked: Asked): Promise<OpenedCheckout> {
  return (await ctx.desk.openTogether(asked)) ?? openAlone(ctx, asked.request);
}

async function openBatch(infra: Infra, asked: readonly Asked[]): Promise<Openings> {
  try {
    return await openCheckoutsInOneStatement(infra, asked);
  } catch (error) {
    if (!isPlainRefusal(error)) throw error;
    // One of them is wrong in a way that nobody foresaw; alone, each finds out if it is the one.
    infra.log.error({ err: error }, "a batch of payment requests was refused");
    return asked.map(() => undefined);
  }
}

/** After a lost COMMIT its own id tells. */
async function openAlone(ctx: CheckoutContext, request: PaymentRequest): Promise<OpenedCheckout> {
  let opened: OpenedCheckout | undefined;
  return ctx.db.transaction(
    async (tx) => {
      opened = await openOne(ctx, tx, request);
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
