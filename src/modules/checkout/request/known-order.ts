/**
 * Opens one checkout whose order may be known already, and tells why if it cannot be (Interface
 * §3.2, Decisions 0036 and 0065).
 *
 * The same order asked for in the same words while it can be paid has the same address again: a
 * merchant who lost our answer asks once more and nothing is opened twice. In other words, it
 * replaces the open payment as long as no card was tried for that one. Once a card was tried, or
 * once it is paid, it is refused. What failed or ran out of time may be tried anew.
 */

import { now } from "../../../infra/db/clock.ts";
import type { Tx } from "../../../infra/db/transaction.ts";
import { sameBytes } from "../../../kit/secrets.ts";
import { tellWhyNot } from "../../transactions/record-transaction.ts";
import { checkoutToken, checkoutUrl } from "../session/checkout-token.ts";
import type { CheckoutContext } from "../session/context.ts";
import type { OpenedCheckout } from "./new-session.ts";
import { openCheckouts } from "./open-checkouts.ts";
import type { PaymentRequest } from "./payment-request.ts";
import { endOlder, findLiveOrder, type KnownOrder, lockOrder } from "./replace-order.ts";

/** Requests that go together do not take the order's lock: one may open between look and write. */
const ROUNDS_MAX = 3;

export async function openOne(
  ctx: CheckoutContext,
  tx: Tx,
  request: PaymentRequest,
): Promise<OpenedCheckout> {
  return (await openNow(ctx, tx, request)) ?? openKnown(ctx, tx, request);
}

/** The same for a request that could not be opened a moment ago. */
export async function openKnown(
  ctx: CheckoutContext,
  tx: Tx,
  request: PaymentRequest,
): Promise<OpenedCheckout> {
  // Most known orders are asked for again in the same words: these need no lock.
  const again = sameAgain(ctx, request, await findLiveOrder(tx, request));
  if (again !== undefined) return again;
  await lockOrder(tx, request);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const known = await findLiveOrder(tx, request);
    const same = sameAgain(ctx, request, known);
    if (same !== undefined) return same;
    if (known !== undefined) await endOlder(ctx, tx, known);
    // After the older one has ended: the new one begins later, with all of its time.
    const made = await openNow(ctx, tx, request);
    if (made === undefined) continue;
    await ctx.failpoint("replace: newer opened");
    return made;
  }
  return tellWhyNot(tx, request.transaction);
}

/** Undefined: its order is known, or its account takes no payments. */
async function openNow(
  { config }: CheckoutContext,
  tx: Tx,
  request: PaymentRequest,
): Promise<OpenedCheckout | undefined> {
  const [opened] = await openCheckouts(config, tx, [{ request, at: await now(tx) }]);
  return opened;
}

/** Undefined: it cannot be paid any more, or was asked for in other words. */
function sameAgain(
  { config }: CheckoutContext,
  { digests }: PaymentRequest,
  known: KnownOrder | undefined,
): OpenedCheckout | undefined {
  if (known === undefined) return undefined;
  const { transaction_id: transactionId, request_digest: digest, token_key_id: keyId } = known;
  const isSame = digest !== null && digests.some((one) => sameBytes(one, digest));
  const canBePaid = known.status === "incomplete" && known.is_over === false;
  if (!canBePaid || !isSame || keyId === null) return undefined;
  const made = checkoutToken(config, transactionId, keyId);
  return made && { transactionId, url: checkoutUrl(config, made.token) };
}
