/**
 * The payment that stands in the place of a replaced one (Decision 0065): open, or paid already.
 *
 * An order has one such payment, so however many replaced each other, it is that one. Anybody may
 * request a payment of an order, so a link could lead a stranger to a customer's page, or a
 * customer to a stranger's. The address is given only where both are for the same purpose and go
 * back to the same page of the shop, and the newer request names nothing of the customer that the
 * older one did not name.
 */

import { sqlOf } from "../../../infra/db/query.ts";
import { bool, text } from "../../../infra/db/row.ts";
import { checkoutToken, checkoutUrl } from "./checkout-token.ts";
import type { CheckoutContext } from "./context.ts";
import type { SessionView } from "./session.ts";

export interface NewerPayment {
  readonly method: string;
  /** Undefined: it is paid, its time is over, or it may be another customer's. */
  readonly url: string | undefined;
}

/** Undefined: the order has no payment that is open or paid. */
export async function findNewerPayment(
  { db, config }: Pick<CheckoutContext, "db" | "config">,
  { transactionId }: Pick<SessionView, "transactionId">,
): Promise<NewerPayment | undefined> {
  const newer = await db.maybeOne(sqlOf({
    id: text,
    token_key_id: text,
    method: text,
    is_shown: bool,
  })`
    select newer.transaction_id as id, open.token_key_id, newer.method,
      open.state = 'open' and open.expires_at > app_now() and open.purpose = replaced.purpose
        and split_part(open.response_url, '?', 1) = split_part(replaced.response_url, '?', 1)
        and newer.customer <@ older.customer as is_shown
    from transactions as older
    join checkout_sessions as replaced using (transaction_id)
    join transactions as newer using (account_number, environment, order_id)
    join checkout_sessions as open on open.transaction_id = newer.transaction_id
    where older.transaction_id = ${transactionId} and newer.status in ('incomplete', 'success')`);
  if (newer === undefined) return undefined;
  const made = newer.is_shown ? checkoutToken(config, newer.id, newer.token_key_id) : undefined;
  return { method: newer.method, url: made && checkoutUrl(config, made.token) };
}
