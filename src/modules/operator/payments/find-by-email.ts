/**
 * Payments by the customer's e-mail. There is no index by e-mail: it would be written twice with
 * each payment. So all payments of a time are read, step by step from the newest: of one account
 * by its index of time, of all accounts by their ids, which begin with the platform and the time.
 */

import type { Database } from "../../../infra/db/database.ts";
import { gaveUpWaiting } from "../../../infra/db/database-errors.ts";
import { type Sql, sql, sqlOf } from "../../../infra/db/query.ts";
import { nullable, timestamp } from "../../../infra/db/row.ts";
import { DAY_SECONDS, SECOND_MS } from "../../../kit/clock.ts";
import { OperatorError, Unavailable } from "../../../kit/errors.ts";
import { firstTransactionIdAt } from "../../../kit/ids.ts";
import { COUNTRY_CODES } from "../../../kit/vocabulary.ts";
import { plain } from "../render.ts";
import {
  type Found,
  PAYMENT,
  PAYMENT_COLUMNS,
  type PaymentRow,
  type Search,
} from "./found-payment.ts";

/** Of all accounts a day at a time, of one a month: so that no statement takes too long. */
const STEP_DAYS = { all: 1, one: 31 };
const DAY_MS = DAY_SECONDS * SECOND_MS;
const PROGRESS_EVERY_STEPS = 31;

interface Span {
  readonly from: Date;
  readonly to: Date;
}

export async function findByEmail(db: Database, email: string, search: Search): Promise<Found> {
  const { from, to } = await spanOf(db, search);
  const stepMs = DAY_MS * STEP_DAYS[search.account === undefined ? "all" : "one"];
  const rows: PaymentRow[] = [];
  for (let end = to.getTime(), steps = 1; end > from.getTime(); end -= stepMs, steps++) {
    const span = { from: new Date(Math.max(end - stepMs, from.getTime())), to: new Date(end) };
    const max = search.max - rows.length;
    rows.push(...(await paymentsOf(db, email, span, { ...search, max })));
    if (rows.length >= search.max) break;
    if (performance.now() >= search.stopAt && span.from > from)
      return { rows, unseen: before(span.from) };
    if (steps % PROGRESS_EVERY_STEPS === 0)
      search.sayProgress(`searched back to ${span.from.toISOString().slice(0, 10)}`);
  }
  return { rows };
}

async function paymentsOf(
  db: Database,
  email: string,
  span: Span,
  search: Search,
): Promise<PaymentRow[]> {
  try {
    return await db.rows(sqlOf(PAYMENT)`
      select ${PAYMENT_COLUMNS} from ${paymentsWithin(span, search)}
      where payment.customer ->> 'email' = ${email}
      order by payment.created_at desc, payment.transaction_id desc limit ${search.max}`);
  } catch (error) {
    // Decision 0133
    if (!(error instanceof Unavailable && gaveUpWaiting(error.cause))) throw error;
    throw new OperatorError(
      "The search takes too long: ask for less with --account, --since and --until.",
    );
  }
}

function before(time: Date): NonNullable<Found["unseen"]> {
  const words = `Payments created before ${plain(time)} were not looked at.`;
  return { words, next: { until: time.toISOString() } };
}

async function spanOf(db: Database, { account, since, until }: Search): Promise<Span> {
  if (account === undefined && since === undefined)
    throw new OperatorError(
      "--email needs --account or --since: payments have no index by e-mail, so all of that " +
        "account or since that day are read.",
    );
  const { opened_at: openedAt, now } = await db.one(sqlOf({
    opened_at: nullable(timestamp),
    now: timestamp,
  })`
    select app_now() as now,
      (select created_at from accounts where account_number = ${account ?? null}) as opened_at`);
  // A millisecond more: what was made in this one counts.
  const to = until !== undefined && until <= now ? until : new Date(now.getTime() + 1);
  const from = since ?? openedAt ?? now;
  return { from: openedAt !== null && openedAt > from ? openedAt : from, to };
}

/** As `payment`, of which each row is reached by an index. */
function paymentsWithin({ from, to }: Span, { account, environments }: Search): Sql {
  if (account !== undefined)
    return sql`(
      select * from transactions
      where account_number = ${account} and environment = any (${environments})
        and created_at >= ${from} and created_at < ${to}
      offset 0) as payment`;
  const places = environments.flatMap((environment) =>
    COUNTRY_CODES.map((countryCode) => ({ environment, countryCode })),
  );
  return sql`unnest(
      ${places.map((place) => firstTransactionIdAt({ ...place, at: from }))}::text[],
      ${places.map((place) => firstTransactionIdAt({ ...place, at: to }))}::text[]
    ) as place (first_id, end_id)
    cross join lateral (
      select * from transactions
      where transaction_id >= first_id collate "C" and transaction_id < end_id collate "C"
      offset 0
    ) as payment`;
}
