/**
 * Payments by the merchant's order id, account by account: the indexes that keep orders apart begin
 * with the account. An index by order alone would be written twice with each payment, for a
 * question that is asked a few times a day; this one costs a few lookups per account instead.
 */

import type { Database } from "../../../infra/db/database.ts";
import { sql, sqlOf } from "../../../infra/db/query.ts";
import { pick } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import {
  type Found,
  newestFirst,
  PAYMENT,
  PAYMENT_COLUMNS,
  type PaymentRow,
  type Search,
  withinTime,
} from "./found-payment.ts";

/** Takes some 50 ms. */
const ACCOUNTS_AT_ONCE = 2_000;
const PROGRESS_EVERY = 10 * ACCOUNTS_AT_ONCE;

export async function findByOrder(db: Database, orderId: string, search: Search): Promise<Found> {
  if (search.account !== undefined)
    return { rows: await ofAccounts(db, [search.account], orderId, search) };
  let rows: PaymentRow[] = [];
  let looked = 0;
  for (let last = ""; ; ) {
    const accounts = await db.rows(sqlOf(pick(tables.accounts, "account_number"))`
      select account_number from accounts where account_number > ${last}
      order by account_number limit ${ACCOUNTS_AT_ONCE}`);
    const numbers = accounts.map(({ account_number }) => account_number);
    rows.push(...(await ofAccounts(db, numbers, orderId, search)));
    rows = newestFirst(rows).slice(0, search.max);
    const end = numbers.at(-1);
    if (end === undefined || numbers.length < ACCOUNTS_AT_ONCE) return { rows };
    if (performance.now() >= search.stopAt)
      return { rows, unseen: { words: "Not all accounts were looked at: name one." } };
    last = end;
    looked += numbers.length;
    if (looked % PROGRESS_EVERY === 0) search.sayProgress(`looked at ${looked} accounts`);
  }
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
