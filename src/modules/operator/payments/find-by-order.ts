/**
 * Payments by the merchant's order id, account by account: the indexes that keep orders apart begin
 * with the account.
 */

import type { Database } from "../../../infra/db/database.ts";
import { sql, sqlOf } from "../../../infra/db/query.ts";
import { findByAccount } from "./by-account.ts";
import {
  type Found,
  PAYMENT,
  PAYMENT_COLUMNS,
  type PaymentRow,
  type Search,
  withinTime,
} from "./found-payment.ts";

export function findByOrder(db: Database, orderId: string, search: Search): Promise<Found> {
  return findByAccount(db, search, (accounts) => ofAccounts(db, accounts, orderId, search));
}

/** Each half of the statuses has an index of its own. */
function ofAccounts(
  db: Database,
  accounts: readonly string[],
  orderId: string,
  search: Search,
): Promise<PaymentRow[]> {
  const ofOrder = sql`payment.account_number = wanted.account_number
    and payment.environment = any (${search.environments}) and payment.order_id = ${orderId}
    and ${withinTime(search)}`;
  return db.rows(sqlOf(PAYMENT)`
    select found.*
    from unnest(${accounts}::text[]) as wanted (account_number)
    cross join lateral (
      select ${PAYMENT_COLUMNS} from transactions as payment
      where ${ofOrder} and payment.status in ('incomplete', 'success')
      union all
      (select ${PAYMENT_COLUMNS} from transactions as payment
      where ${ofOrder} and payment.status in ('failed', 'error')
      order by payment.created_at desc limit ${search.max})
    ) as found
    order by created_at desc, transaction_id desc limit ${search.max}`);
}
