/**
 * Payment links: every form that was answered is one payment of its link, for what it said, beside
 * those that failed, and no payment is there that nobody asked for; slots and sums are those of the
 * payments that succeeded, and the merchant is told the same sums.
 */

import { sql } from "../../../src/infra/db/query.ts";
import { wrongSlots } from "../../../testkit/payment-links.ts";
import { type Check, complaintsOf, type Evidence } from "./evidence.ts";

/** Of one order at most one such payment is there. */
const STANDING = ["incomplete", "success"];

export const linksArePaidOnce: Check = async (evidence) => {
  const { db, diary } = evidence;
  const rows = await db.rows<{
    order: string;
    link: string;
    minor: number;
    reference: string;
    status: string;
  }>(sql`
    select order_id as "order", payment_link::text as link, total_minor::int as minor,
      link_reference as reference, status
    from transactions where payment_link is not null`);
  const byOrder = Map.groupBy(rows, ({ order }) => order);
  const wrong: string[] = [];
  for (const [order, { linkId, amount, reference, isAnswered, pages }] of diary.visits) {
    const made = byOrder.get(order) ?? [];
    if (isAnswered && made.length === 0) wrong.push(`the order ${order} of ${linkId} is lost`);
    // A form that comes after its payment has failed asks for another, as a second visit would.
    const standing = made.filter(({ status }) => STANDING.includes(status)).length;
    if (standing > 1) wrong.push(`the order ${order} is there ${standing} times`);
    if (pages.size > made.length) wrong.push(`the order ${order} was led to ${pages.size} pages`);
    for (const row of made)
      if (row.link !== linkId || row.minor !== Number(amount) * 100 || row.reference !== reference)
        wrong.push(`the order ${order} is ${JSON.stringify(row)}, though ${amount} was asked for`);
  }
  for (const order of byOrder.keys())
    if (!diary.visits.has(order)) wrong.push(`nobody asked for the order ${order}`);
  return {
    looked: rows.filter(({ status }) => status === "success").length,
    wrong: [
      ...wrong,
      ...complaintsOf(await wrongSlots(db), "slots or sums do not add up"),
      ...(await toldOtherwise(evidence)),
      ...(diary.seenWrong.get("links") ?? []),
    ],
  };
};

/** What merchants read of their links. */
async function toldOtherwise({ db, diary, merchants, wire }: Evidence): Promise<string[]> {
  const rows = await db.rows<{ id: string; owner: string; count: number; minor: number }>(sql`
    select link_id::text as id, link.account_number as owner,
      count(transaction_id)::int as count, coalesce(sum(total_minor), 0)::int as minor
    from payment_links as link
    left join transactions on payment_link = link_id and status = 'success' group by link_id`);
  const wrong: string[] = [];
  for (const { id, owner, count, minor } of rows) {
    const told = diary.links.get(id);
    const token = merchants.find(({ accountNumber }) => accountNumber === owner)?.token;
    // One whose answer was lost is there, and nobody knows it.
    if (told === undefined || token === undefined) continue;
    const path = `/payment-links/${id}?environment=${told.environment}`;
    const { answer } = await wire.insist({ method: "GET", path, token });
    const { paid_count, paid_total } = answer?.body?.data ?? {};
    if (paid_count !== count || Number(paid_total) * 100 !== minor)
      wrong.push(`${id} is told as ${paid_count} payments of ${paid_total}, not ${count}`);
  }
  const lost = [...diary.links.keys()].filter((id) => !rows.some((row) => row.id === id));
  return [...wrong, ...lost.map((id) => `the link ${id} is lost`)];
}
