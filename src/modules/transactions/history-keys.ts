/**
 * Which rows are on a page: keys in the order of the list, each kind of filter by the index made
 * for it (Decision 0027).
 *
 * What a statement reads is bounded by what it skips and takes, not by how many rows there are. So
 * the statements are written for one index each instead of leaving the choice to the planner: a
 * stream for each status and currency or for each band of totals, both indexes of an order, a limit
 * under every sort.
 */

import { type Queryable, type Sql, sql, sqlOf } from "../../infra/db/query.ts";
import { columns, int, json, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import { unnest } from "../../infra/db/unnest.ts";
import { CURRENCIES } from "../../kit/money.ts";
import { ofAccount, within } from "./count-history.ts";
import type { HistoryFilter } from "./history-filter.ts";
import { beyond, inOrder, type Key, type Slice } from "./history-page.ts";
import { STATUSES } from "./transaction.ts";

const KEY = pick(tables.transactions, "created_at", "transaction_id");

type KeyRow = Row<typeof KEY>;

/** How the list is read where totals narrow it: by what narrows it more. */
export type Way = "by total" | "by status";

/** The keys of a slice, in its own direction. */
export async function findKeys(
  db: Queryable,
  filter: HistoryFilter,
  slice: Slice,
  way: Way = "by status",
): Promise<Key[]> {
  const rows = await db.rows(sqlOf(KEY)`
    select ${columns(KEY)} from (${streamsOf(filter, slice, way)}) as found
    order by ${inOrder(slice)} offset ${slice.skip} limit ${slice.take}`);
  return rows.map(asKey);
}

/**
 * Everything that the index on months and totals leads to, if that is not too much to be sorted;
 * undefined when it is.
 */
export async function findKeysByTotal(
  db: Queryable,
  filter: HistoryFilter,
  slice: Slice,
  limits: { months: readonly string[]; candidatesMax: number },
): Promise<{ total: number; keys: Key[] } | undefined> {
  const { months, candidatesMax } = limits;
  const { from, until, totals } = filter;
  const { seen, total, keys } = await db.one(sqlOf({
    seen: int,
    total: int,
    keys: json<KeyRow[]>(),
  })`
    with seen as materialized (
      select one.* from unnest(${months}::timestamp[]) as part (month)
      cross join lateral (
        select created_at, transaction_id, status, currency from transactions
        where ${ofAccount(filter)} and utc_month(created_at) = part.month
          and total_minor between ${totals?.minMinor} and ${totals?.maxMinor}
        order by total_minor, created_at, transaction_id limit ${candidatesMax + 1}
      ) as one
      limit ${candidatesMax + 1}
    ), found as materialized (
      select created_at, transaction_id from seen
      where true ${within(sql`created_at`, from, until)} ${ofStatus(filter)}
    ), page as (
      select created_at, transaction_id from found where true ${beyond(slice)}
      order by ${inOrder(slice)} offset ${slice.skip} limit ${slice.take}
    )
    select (select count(*)::int from seen) as seen, (select count(*)::int from found) as total,
      (select coalesce(json_agg(page), '[]') from page) as keys`);
  if (seen > candidatesMax) return undefined;
  return { total, keys: keys.map(asKey) };
}

/** Counts up to `countMax`. */
export async function countKeys(
  db: Queryable,
  filter: HistoryFilter,
  countMax: number,
  way: Way = "by status",
): Promise<number> {
  const all: Slice = { towards: "older", border: undefined, skip: 0, take: countMax };
  const { count } = await db.one(sqlOf({ count: int })`
    select count(*)::int as count
    from (select from (${streamsOf(filter, all, way)}) as found limit ${countMax}) as counted`);
  return count;
}

function streamsOf(filter: HistoryFilter, slice: Slice, way: Way): Sql {
  const { orderId, paymentLink, totals, status, currency } = filter;
  if (orderId !== undefined) return orderStreams(filter, slice);
  if (paymentLink !== undefined)
    return stream(filter, slice, sql`payment_link = ${paymentLink} ${ofStatus(filter)}`);
  if (totals !== undefined && way === "by total") return totalStreams(filter, slice);
  if (status === undefined && currency === undefined) return stream(filter, slice, sql`true`);
  return statusStreams(filter, slice);
}

/** One stretch of the index for each status and currency, each in the order of time. */
function statusStreams(filter: HistoryFilter, slice: Slice): Sql {
  const { status, currency } = filter;
  const pairs = (status === undefined ? STATUSES : [status]).flatMap((one) =>
    (currency === undefined ? CURRENCIES : [currency]).map((other) => ({
      status: one,
      currency: other,
    })),
  );
  return sql`
    select one.created_at, one.transaction_id
    from ${unnest("part", pairs, { status: "text", currency: "text" })}
    cross join lateral (
      ${stream(filter, slice, sql`status = part.status and currency = part.currency`)}) as one`;
}

/** The same for each band of totals; all rows of a band fit, but for those of the outer two. */
function totalStreams(filter: HistoryFilter, slice: Slice): Sql {
  const { totals } = filter;
  const ofBand = sql`total_band(total_minor) = part.band ${ofStatus(filter)}`;
  return sql`
    select one.created_at, one.transaction_id
    from generate_series(total_band(${totals?.minMinor}), total_band(${totals?.maxMinor}))
      as part (band)
    cross join lateral (${stream(filter, slice, ofBand)}) as one`;
}

/** At most one attempt is live and is in one index; failed ones are in another. */
function orderStreams(filter: HistoryFilter, slice: Slice): Sql {
  const { orderId, paymentLink } = filter;
  const ofLink = paymentLink === undefined ? sql`` : sql`and payment_link = ${paymentLink}`;
  const others = sql`order_id = ${orderId} ${ofStatus(filter)} ${ofLink}`;
  return sql`
    (${stream(filter, slice, sql`status in ('incomplete', 'success') and ${others}`)})
    union all
    (${stream(filter, slice, sql`status in ('failed', 'error') and ${others}`)})`;
}

/**
 * In the order of time by one index. The `+ 0` hides the totals from the index on them, or the
 * planner may read all rows of a wide range there and sort them, for one page.
 */
function stream(filter: HistoryFilter, slice: Slice, which: Sql): Sql {
  const { from, until, totals } = filter;
  return sql`
    select created_at, transaction_id from transactions
    where ${ofAccount(filter)} and ${which} ${within(sql`created_at`, from, until)}
      ${within(sql`created_at`, undefined, slice.until)} ${beyond(slice)}
      ${
        totals === undefined
          ? sql``
          : sql`and total_minor + 0 between ${totals.minMinor} and ${totals.maxMinor}`
      }
    order by ${inOrder(slice)} limit ${slice.skip + slice.take}`;
}

function ofStatus({ status, currency }: HistoryFilter): Sql {
  return sql`${status === undefined ? sql`` : sql`and status = ${status}`}
    ${currency === undefined ? sql`` : sql`and currency = ${currency}`}`;
}

function asKey({ created_at, transaction_id }: KeyRow): Key {
  return { at: new Date(created_at), id: transaction_id };
}
