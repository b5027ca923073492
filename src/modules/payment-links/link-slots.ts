/**
 * The slots of a payment link (Decision 0099). A card takes one when it is submitted, in the tx
 * that writes its attempt; it is given back when the card fails and stays taken when it is paid.
 *
 * Of a payment there is one slot or none, and the link counts them in a column that a constraint
 * keeps within `max_payments`. The link is locked after the sessions, and several links in the
 * order of their ids, so that no two wait for each other in a circle.
 */

import { sql, sqlOf } from "../../infra/db/query.ts";
import { columns, outer, pick, type Row } from "../../infra/db/row.ts";
import { tables } from "../../infra/db/tables.ts";
import type { Tx } from "../../infra/db/transaction.ts";
import { unnest } from "../../infra/db/unnest.ts";
import { dayAt } from "../../kit/local-day.ts";
import { platformOf } from "../platforms/platform.ts";

const LOCKED = pick(tables.payment_links, "link_id", "is_active", "max_payments", "slots_taken");
const OF_LINK = pick(tables.transactions, "transaction_id", "payment_link");

export type Claimed = "taken" | "full" | "off";

/** Of each payment, by its id, whether it got a slot. Their sessions are locked. */
export async function takeSlots(
  tx: Tx,
  transactionIds: readonly string[],
): Promise<ReadonlyMap<string, Claimed>> {
  const payments = await tx.rows(sqlOf(OF_LINK)`
    select transaction_id, payment_link from transactions
    where transaction_id = any(${transactionIds}::text[]) order by transaction_id`);
  const links = new Map<string | null, Row<typeof LOCKED>>();
  const ids = payments.map(({ payment_link }) => payment_link);
  for (const link of await tx.rows(sqlOf(LOCKED)`
    select ${columns(LOCKED)} from payment_links where link_id = any(${ids}::uuid[])
    order by link_id for no key update`))
    links.set(link.link_id, link);
  const claimed = new Map<string, Claimed>();
  const taken: { transactionId: string; linkId: string }[] = [];
  for (const { transaction_id: transactionId, payment_link: id } of payments) {
    const link = links.get(id);
    if (link === undefined) throw new Error(`the payment ${transactionId} is of no link`);
    const claim = claimOf(link);
    if (claim === "taken") {
      link.slots_taken += 1;
      taken.push({ transactionId, linkId: link.link_id });
    }
    claimed.set(transactionId, claim);
  }
  if (taken.length > 0) await writeSlots(tx, taken);
  return claimed;
}

function claimOf({ is_active, max_payments, slots_taken }: Row<typeof LOCKED>): Claimed {
  if (!is_active) return "off";
  return max_payments !== null && slots_taken >= max_payments ? "full" : "taken";
}

async function writeSlots(
  tx: Tx,
  taken: readonly { readonly transactionId: string; readonly linkId: string }[],
): Promise<void> {
  await tx.run(sql`
    with claimed as (
      insert into payment_link_slots (transaction_id, link_id)
      select * from ${unnest("taken", taken, { transactionId: "text", linkId: "uuid" })}
      returning link_id
    ), counted as (select link_id, count(*)::int as count from claimed group by link_id)
    update payment_links as link set slots_taken = slots_taken + counted.count
    from counted where link.link_id = counted.link_id`);
}

/** Of those that have one: the others cost a look. */
export async function freeSlots(tx: Tx, transactionIds: readonly string[]): Promise<void> {
  const held = await tx.rows(sqlOf(pick(tables.payment_links, "link_id"))`
    select link_id from payment_links
    where link_id = any(array(
      select link_id from payment_link_slots
      where transaction_id = any(${transactionIds}::text[])))
    order by link_id for no key update`);
  if (held.length === 0) return;
  await tx.run(sql`
    with freed as (
      delete from payment_link_slots where transaction_id = any(${transactionIds}::text[])
      returning link_id
    ), counted as (select link_id, count(*)::int as count from freed group by link_id)
    update payment_links as link set slots_taken = slots_taken - counted.count
    from counted where link.link_id = counted.link_id`);
}

const PAID = {
  ...pick(tables.transactions, "payment_link", "finalised_at", "total_minor", "country_code"),
  ...outer(pick(tables.businesses, "time_zone")),
};
const MONTH = { linkId: "uuid", month: "date", minor: "bigint" };

/**
 * Adds payments that have just succeeded to what their links came to, by the months of the account.
 * Which month it is, is found here: PostgreSQL may not know every zone that a browser has.
 */
export async function countPaid(tx: Tx, transactionIds: readonly string[]): Promise<void> {
  if (transactionIds.length === 0) return;
  const paid = await tx.rows(sqlOf(PAID)`
    select payment_link, finalised_at, total_minor, country_code, time_zone
    from transactions left join businesses using (account_number)
    where transaction_id = any(${transactionIds}::text[])`);
  const months = paid.flatMap(({ payment_link: linkId, finalised_at: at, ...row }) => {
    if (linkId === null || at === null) return [];
    const zone = row.time_zone ?? platformOf(row.country_code).timeZone;
    return { linkId, month: `${dayAt(at, zone).slice(0, 7)}-01`, minor: row.total_minor };
  });
  await tx.run(sql`
    insert into payment_link_months as known (link_id, month, paid_count, paid_minor)
    select link_id, month, count(*), sum(minor) from ${unnest("paid", months, MONTH)}
    group by link_id, month order by link_id, month
    on conflict on constraint a_link_has_a_month_once do update set
      paid_count = known.paid_count + excluded.paid_count,
      paid_minor = known.paid_minor + excluded.paid_minor`);
}
