/**
 * The page where a replaced payment's order can be paid now (Decision 0065).
 *
 * An order has one open payment, so however many replaced each other, it is that one. Anybody may
 * request a payment of an order, and would be led from there to the page of its customer. So the
 * address is given only where both are for the same purpose and the newer request names nothing
 * of the customer that the older one did not name.
 */

import { sql } from "../../../infra/db/query.ts";
import { checkoutToken, checkoutUrl } from "./checkout-token.ts";
import type { CheckoutContext } from "./context.ts";
import type { SessionView } from "./session.ts";

export interface NewerPayment {
  readonly url: string;
  readonly method: string;
}

/** Undefined: there is none that can be paid, or not by the same customer. */
export async function findNewerPayment(
  { db, config }: Pick<CheckoutContext, "db" | "config">,
  { transactionId }: Pick<SessionView, "transactionId">,
): Promise<NewerPayment | undefined> {
  const newer = await db.maybeOne<{ id: string; token_key_id: string; method: string }>(sql`
    select newer.transaction_id as id, open.token_key_id, newer.method
    from transactions as older
    join checkout_sessions as replaced using (transaction_id)
    join transactions as newer using (account_number, environment, order_id)
    join checkout_sessions as open on open.transaction_id = newer.transaction_id
    where older.transaction_id = ${transactionId} and newer.status = 'incomplete'
      and open.state || '' = 'open' and open.expires_at > app_now()
      and open.purpose = replaced.purpose and newer.customer <@ older.customer`);
  const made = newer && checkoutToken(config, newer.id, newer.token_key_id);
  return made && { url: checkoutUrl(config, made.token), method: newer.method };
}
