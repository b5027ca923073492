/**
 * Payments by the last four digits of a card that was tried, whatever became of it: by the index of
 * cards, and by that of the few whose answer has not come yet.
 */

import type { Database } from "../../../infra/db/database.ts";
import { type Sql, sql, sqlOf } from "../../../infra/db/query.ts";
import { columns, pick, type Row } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { HOUR_SECONDS } from "../../../kit/clock.ts";
import type { Environment } from "../../../kit/vocabulary.ts";
import { IS_SANDBOX_ID } from "../../transactions/environment-of-id.ts";
import {
  type Found,
  PAYMENT,
  PAYMENT_COLUMNS,
  type PaymentRow,
  type Search,
  withinTime,
} from "./found-payment.ts";

/** Of one card and environment. With an account that has few of them, most are passed over. */
const CARDS_MAX = 20_000;
/** A card is tried while its page is open: after its payment began, by minutes at most. */
const SESSION_SECONDS_MAX = HOUR_SECONDS;

const TRIED = pick(tables.checkout_attempts, "transaction_id", "state");

export async function findByCard(db: Database, lastFour: string, search: Search): Promise<Found> {
  const tried: Row<typeof TRIED>[] = [];
  let isCutOff = false;
  for (const environment of search.environments) {
    const card = ofCard(lastFour, environment, search);
    const decided = await triedCards(db, sql`${card} and ended_at is not null`);
    const undecided = sql`${card} and next_ask_at is not null and ended_at is null`;
    tried.push(...(await triedCards(db, undecided)), ...decided);
    isCutOff ||= decided.length === CARDS_MAX;
  }
  // A card may have been tried twice for one payment; the latest comes first.
  const latest = new Map(tried.toReversed().map((one) => [one.transaction_id, one.state]));
  const rows = await paymentsOf(db, [...latest.keys()], search);
  return {
    rows: rows.map((row) => ({ ...row, tried: latest.get(row.transaction_id) ?? "" })),
    ...(isCutOff && rows.length < search.max
      ? { stopped: `only the newest ${CARDS_MAX} such cards were looked at: add --until` }
      : {}),
  };
}

/** Each condition is that of one partial index. */
function triedCards(db: Database, condition: Sql): Promise<Row<typeof TRIED>[]> {
  return db.rows(sqlOf(TRIED)`
    select ${columns(TRIED)} from checkout_attempts
    where ${condition} order by began_at desc limit ${CARDS_MAX}`);
}

function ofCard(lastFour: string, environment: Environment, { since, until }: Search): Sql {
  return sql`card_last_four = ${lastFour}
    and ${IS_SANDBOX_ID} = ${environment === "sandbox"}
    and (${since ?? null}::timestamptz is null or began_at >= ${since ?? null})
    and (${until ?? null}::timestamptz is null
      or began_at < ${until ?? null}::timestamptz + make_interval(secs => ${SESSION_SECONDS_MAX}))`;
}

/** What a session saved a card for is no payment, and is left out here. */
function paymentsOf(
  db: Database,
  transactionIds: readonly string[],
  search: Search,
): Promise<PaymentRow[]> {
  const { account = null } = search;
  return db.rows(sqlOf(PAYMENT)`
    select ${PAYMENT_COLUMNS} from transactions as payment
    where transaction_id = any (${transactionIds})
      and (${account}::text is null or account_number = ${account}) and ${withinTime(search)}
    order by created_at desc, transaction_id desc limit ${search.max}`);
}
