/**
 * The refunds that PowerTranz was asked for (Decision 0080). It gives no refund an identifier of
 * ours and does not recognise one that comes twice, so each is written down before it is sent, and
 * sent again only after it was looked for in vain.
 */

import { type Queryable, sql, sqlOf } from "../../../infra/db/query.ts";
import { columns, computed, int, pick, type Row, word } from "../../../infra/db/row.ts";
import { tables } from "../../../infra/db/tables.ts";
import { UUID } from "../../../kit/ids.ts";
import type { Currency, Money } from "../../../kit/money.ts";
import type { RefundAnswer } from "../port.ts";

const ENTRY = {
  ...pick(tables.powertranz_refunds, "reference", "sale_reference", "amount_minor"),
  ...pick(tables.powertranz_refunds, "state", "reason", "sent_count"),
  currency: word<Currency>(),
  age_seconds: computed(int, sql`extract(epoch from app_now() - sent_at)::int`),
};

export type RefundEntry = Row<typeof ENTRY>;

export interface NewRefund {
  readonly reference: string;
  readonly saleReference: string;
  readonly amount: Money;
}

/** What a refund of a whole sale that could not be voided, and a void itself, are known by. */
export function voidReference(saleReference: string): string {
  return `void-${saleReference}`;
}

export function findRefundEntry(
  db: Queryable,
  reference: string,
): Promise<RefundEntry | undefined> {
  return db.maybeOne(sqlOf(ENTRY)`
    select ${columns(ENTRY)} from powertranz_refunds where reference = ${reference}`);
}

/** True for the one caller that may send it. */
export async function writeRefund(
  db: Queryable,
  { reference, saleReference, amount }: NewRefund,
): Promise<boolean> {
  const count = await db.run(sql`
    insert into powertranz_refunds as entry (reference, sale_reference, currency, amount_minor)
    values (${reference}, ${saleReference}, ${amount.currency}, ${amount.minor})
    on conflict (reference) do update
    set state = 'sent', sent_at = app_now(), sent_count = entry.sent_count + 1
    where entry.state = 'not_found' and entry.sale_reference = excluded.sale_reference
      and entry.amount_minor = excluded.amount_minor and entry.currency = excluded.currency`);
  return count === 1;
}

/** The first end stays. `identifier`: as the gateway names it. */
export async function endRefundEntry(
  db: Queryable,
  reference: string,
  { outcome, ...end }: RefundAnswer & { readonly identifier: string | undefined },
): Promise<void> {
  const reason = "reason" in end ? end.reason : null;
  const identifier = UUID.test(end.identifier ?? "") ? end.identifier : null;
  await db.run(sql`
    update powertranz_refunds
    set state = ${outcome}, reason = ${reason}, ended_at = app_now(),
      identifier = ${identifier}::uuid
    where reference = ${reference} and state in ('sent', 'not_found')`);
}

/** It was looked for and is not there, so it may be sent again. */
export async function writeNotFound(
  db: Queryable,
  { reference, sent_count }: RefundEntry,
): Promise<void> {
  await db.run(sql`
    update powertranz_refunds set state = 'not_found'
    where reference = ${reference} and state = 'sent' and sent_count = ${sent_count}`);
}
