/**
 * Payments by the customer's e-mail, account by account. Its index has a payment from the result
 * on, so those that have none yet are read besides: they are few (Decision 0139). A page stops
 * after some seconds, between two looks (Decision 0133).
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

export function findByEmail(db: Database, email: string, search: Search): Promise<Found> {
  return findByAccount(db, search, (accounts) => ofAccounts(db, accounts, email, search));
}

/** Each environment by itself, as the index has them. */
function ofAccounts(
  db: Database,
  accounts: readonly string[],
  email: string,
  search: Search,
): Promise<PaymentRow[]> {
  const ofPlace = sql`payment.account_number = wanted.account_number
    and payment.environment = place.environment and ${withinTime(search)}`;
  const newest = sql`order by payment.created_at desc, payment.transaction_id desc
    limit ${search.max}`;
  return db.rows(sqlOf(PAYMENT)`
    select found.*
    from unnest(${accounts}::text[]) as wanted (account_number)
    cross join unnest(${search.environments}::text[]) as place (environment)
    cross join lateral (
      (select ${PAYMENT_COLUMNS} from transactions as payment
      where ${ofPlace} and payment.result_email = ${email} ${newest})
      union all
      (select ${PAYMENT_COLUMNS} from transactions as payment
      where ${ofPlace} and payment.status = 'incomplete'
        and lower(payment.customer ->> 'email') = ${email} ${newest})
    ) as found
    order by created_at desc, transaction_id desc limit ${search.max}`);
}
