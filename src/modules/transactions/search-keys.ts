/**
 * Which payments a search finds: keys in the order of the list, each way to find one by the index
 * made for it (Decision 0088).
 *
 * A way leads to rows in the order of time, and the first few of each are merged. Where filters
 * narrow them further, a way reads `READ_MAX` rows at most: then the search ends at the last row
 * that was read, its border, and the next page goes on from there.
 */

import { join } from "sql-template-tag";
import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { bool, int, json, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { unnest } from "../../infra/db/unnest.ts";
import { CURRENCIES } from "../../kit/money.ts";
import { countHistory, monthsOf, ofAccount, within } from "./count-history.ts";
import type { HistoryFilter } from "./history-filter.ts";
import { beyond, inOrder, type Key, type Slice } from "./history-page.ts";
import type { SearchTerms } from "./search-text.ts";
import type { StatusDesc } from "./transaction.ts";

/** Of one way, where filters narrow what it leads to. */
export const READ_MAX = 500;
/** A beginning of an order or an e-mail that more rows have is too short to search by. */
export const PREFIX_MATCHES_MAX = 1_000;
/** No character is greater. */
const AFTER_ANY = "\u{10ffff}";

export interface SearchFilter extends HistoryFilter {
  /** Any of these. */
  readonly statusDescs: readonly StatusDesc[] | undefined;
}

export interface FoundKeys {
  /** In the direction of the slice. */
  readonly keys: readonly Key[];
  /** Nothing beyond this row was looked at. */
  readonly border: Key | undefined;
  /** What was typed begins too many of these to look at them. */
  readonly tooMany: readonly ("orders" | "e-mails")[];
}

const KEY = pick(tables.transactions, "created_at", "transaction_id");
const JUDGED = { ...KEY, fits: bool, is_border: bool };

const COLUMNS = sql`created_at, transaction_id, status, status_desc, currency, total_minor,
  order_id, payment_link`;

export async function searchKeys(
  db: Queryable,
  filter: SearchFilter,
  terms: SearchTerms | undefined,
  slice: Slice,
): Promise<FoundKeys> {
  const take = isNarrowed(filter) ? Math.max(READ_MAX, slice.take) : slice.take;
  const reading = { ...slice, take };
  const ways = await waysOf(db, filter, terms, reading);
  const rows = ways.length === 0 ? [] : await db.rows(judged(ways, filter, reading, slice.take));
  const byOrder = await findByPrefix(db, filter, slice, "order_id", terms?.orderPrefix);
  const byEmail = await findByPrefix(db, filter, slice, "result_email", terms?.emailPrefix);
  const isAhead = (a: Key, b: Key) => (slice.towards === "older" ? -compare(a, b) : compare(a, b));
  const [border] = rows
    .filter((row) => row.is_border)
    .map(asKey)
    .toSorted(isAhead);
  const all = [...rows.filter(({ fits }) => fits).map(asKey), ...byOrder.keys, ...byEmail.keys];
  const unique = [...new Map(all.map((key) => [key.id, key])).values()].toSorted(isAhead);
  return {
    keys: unique.filter((key) => border === undefined || isAhead(key, border) <= 0),
    border,
    tooMany: [
      ...(byOrder.isTooMany ? (["orders"] as const) : []),
      ...(byEmail.isTooMany ? (["e-mails"] as const) : []),
    ],
  };
}

/** Whether rows that a way leads to may still not fit; days and the account always do. */
function isNarrowed(filter: SearchFilter): boolean {
  const { status, currency, orderId, paymentLink, totals, statusDescs } = filter;
  const narrowing = [status, currency, orderId, paymentLink, totals, statusDescs];
  return narrowing.some((one) => one !== undefined);
}

/** Each gives its first rows, as many as are taken. */
async function waysOf(
  db: Queryable,
  filter: SearchFilter,
  terms: SearchTerms | undefined,
  slice: Slice,
): Promise<Sql[]> {
  const way = (which: Sql) => ordered(filter, slice, which);
  if (terms === undefined) return [statusDescWay(filter, slice)];
  const { transactionId, orderId, email, lastFour, amount } = terms;
  const ways: Sql[] = [];
  if (transactionId !== undefined) ways.push(way(sql`transaction_id = ${transactionId}`));
  if (orderId !== undefined)
    ways.push(
      way(sql`status in ('incomplete', 'success') and order_id = ${orderId}`),
      way(sql`status in ('failed', 'error') and order_id = ${orderId}`),
    );
  if (email !== undefined) ways.push(way(sql`result_email = ${email}`));
  if (lastFour !== undefined) ways.push(way(sql`card_last_four = ${lastFour}`));
  if (amount !== undefined) ways.push(...(await amountWays(db, filter, slice, amount)));
  return ways;
}

function ordered(filter: SearchFilter, slice: Slice, which: Sql): Sql {
  const { from, until } = filter;
  return sql`
    select ${COLUMNS} from transactions
    where ${ofAccount(filter)} and ${which} ${within(sql`created_at`, from, until)} ${beyond(slice)}
    order by ${inOrder(slice)} limit ${slice.take}`;
}

/** One stretch of the index for each of them and each currency. */
function statusDescWay(filter: SearchFilter, slice: Slice): Sql {
  const { statusDescs = [], currency } = filter;
  const pairs = statusDescs.flatMap((statusDesc) =>
    (currency === undefined ? CURRENCIES : [currency]).map((one) => ({ statusDesc, one })),
  );
  const which = sql`status_desc = part.status_desc and status_desc <> 'Normal'
    and currency = part.one`;
  return sql`
    select found.* from ${unnest("part", pairs, { statusDesc: "text", one: "text" })}
    cross join lateral (${ordered(filter, slice, which)}) as found
    order by ${inOrder(slice)} limit ${slice.take}`;
}

/**
 * The total, and what the customer paid where that is more: both indexes are by month, so month by
 * month in the order of the list until there are enough.
 */
async function amountWays(
  db: Queryable,
  filter: SearchFilter,
  slice: Slice,
  { minor, currency }: NonNullable<SearchTerms["amount"]>,
): Promise<Sql[]> {
  const ofCurrency = currency === undefined ? sql`` : sql`and currency = ${currency}`;
  const counted = await countHistory(db, { ...filter, status: undefined, currency: undefined });
  const way = (which: Sql) => sql`
    select found.* from (
      select month from unnest(${monthsOf(counted)}::timestamp[]) as month
      order by month ${slice.towards === "older" ? sql`desc` : sql`asc`}
    ) as part
    cross join lateral (
      ${ordered(filter, slice, sql`utc_month(created_at) = part.month and ${which} ${ofCurrency}`)}
    ) as found
    limit ${slice.take}`;
  return [
    way(sql`total_minor = ${minor}`),
    way(sql`status = 'success' and customer_total_minor > total_minor
      and customer_total_minor = ${minor}`),
  ];
}

/**
 * The rows of all ways that fit, and the last that each has read, if it may have more. A way ends
 * with as many as are wanted, so that common results cost a few rows (Decision 0092).
 */
function judged(ways: readonly Sql[], filter: SearchFilter, slice: Slice, wanted: number) {
  const parts = ways.map(
    (way) => sql`(
      select created_at, transaction_id, fits, is_border from (
        select created_at, transaction_id, ${fitting(filter)} as fits,
          row_number() over (order by ${inOrder(slice)}) = ${slice.take} as is_border
        from (${way}) as was_read
      ) as each where fits or is_border
      order by ${inOrder(slice)} limit ${wanted})`,
  );
  return sqlOf(JUDGED)`${join(parts, " union all ")}`;
}

function fitting(filter: SearchFilter): Sql {
  const { status, currency, orderId, paymentLink, totals, statusDescs } = filter;
  const conditions = [sql`true`];
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (currency !== undefined) conditions.push(sql`currency = ${currency}`);
  if (orderId !== undefined) conditions.push(sql`order_id = ${orderId}`);
  if (paymentLink !== undefined) conditions.push(sql`payment_link = ${paymentLink}`);
  if (statusDescs !== undefined) conditions.push(sql`status_desc = any(${statusDescs}::text[])`);
  if (totals !== undefined)
    conditions.push(sql`total_minor between ${totals.minMinor} and ${totals.maxMinor}`);
  return join(conditions, " and ");
}

/** All that begin so, if they are not too many to be sorted. */
async function findByPrefix(
  db: Queryable,
  filter: SearchFilter,
  slice: Slice,
  name: "order_id" | "result_email",
  prefix: string | undefined,
): Promise<{ keys: Key[]; isTooMany: boolean }> {
  if (prefix === undefined) return { keys: [], isTooMany: false };
  const column = name === "order_id" ? sql`order_id` : sql`result_email`;
  const matching = (which: Sql) => sql`(
    select ${COLUMNS} from transactions
    where ${ofAccount(filter)} and ${which}
      and ${column} >= ${prefix} and ${column} < ${prefix + AFTER_ANY}
    order by ${column} limit ${PREFIX_MATCHES_MAX + 1})`;
  const seen =
    name === "order_id"
      ? sql`${matching(sql`status in ('incomplete', 'success')`)}
          union all ${matching(sql`status in ('failed', 'error')`)}`
      : matching(sql`result_email is not null`);
  const found = await db.one(sqlOf({ count: int, keys: json<Row<typeof KEY>[]>() })`
    with seen as materialized (${seen}), page as (
      select created_at, transaction_id from seen
      where ${fitting(filter)} ${within(sql`created_at`, filter.from, filter.until)}
        ${beyond(slice)}
      order by ${inOrder(slice)} limit ${slice.take}
    )
    select (select count(*)::int from seen) as count,
      (select coalesce(json_agg(page), '[]') from page) as keys`);
  const isTooMany = found.count > PREFIX_MATCHES_MAX;
  return { keys: isTooMany ? [] : found.keys.map(asKey), isTooMany };
}

function asKey({ created_at, transaction_id }: Row<typeof KEY>): Key {
  return { at: new Date(created_at), id: transaction_id };
}

/** Older first, as the list is ordered. */
function compare(a: Key, b: Key): number {
  return a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
