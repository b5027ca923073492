/**
 * All that is left of a payment or a withdrawal, wherever it stands, without what differs from run
 * to run: ids, times, accounts and order numbers become one word each. Two of them are equal when
 * the same has happened.
 */

import { sql } from "../../../src/infra/db/query.ts";
import { returnUrl } from "../../../src/modules/checkout/session/end-sessions.ts";
import { look, type Order } from "../../../testkit/checkout-sessions.ts";
import type { TestService } from "../../../testkit/service.ts";

const DIFFERS: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>"],
  [/SB-TT-[0-9A-Z]{26}/g, "<id>"],
  [/\d{4}-\d\d-\d\d[T ][\d:.]+(Z|\+00:00|\+00)?/g, "<time>"],
  [/order-\d+|L[0-9A-Za-z]{15}|charge-[0-9a-z-]+/g, "<order>"],
  [/\b\d{10}\b/g, "<account>"],
  [/\b[0-9a-f]{32,64}\b/g, "<digest>"],
];

export function alike(evidence: unknown): unknown {
  const text = DIFFERS.reduce(
    (so, [pattern, word]) => so.replace(pattern, word),
    JSON.stringify(evidence),
  );
  return JSON.parse(text);
}

/** What both have: the feed, the deliveries, the books, and who was told what. */
export async function told({ ctx: { db }, numberEvents }: TestService, id: string) {
  await numberEvents();
  const events = await db.rows(sql`
    select event, body::jsonb - 'sequence' as body from events
    where resource = ${id} order by sequence`);
  const deliveries = await db.rows(sql`
    select event, delivery.state, delivery.attempt_count
    from webhook_deliveries as delivery join events using (event_id)
    where events.resource = ${id} order by delivery.sequence`);
  const books = await db.rows(sql`
    select occasion, leg, debit.name as debit, credit.name as credit, amount_minor::text as amount
    from ledger_postings join ledger_transfers using (environment, posting_id)
    join ledger_accounts as debit on debit.ledger_account_id = debit_account_id
    join ledger_accounts as credit on credit.ledger_account_id = credit_account_id
    where reference = ${id}
    order by posted_at, occasion, leg`);
  return { events, deliveries, books };
}

export async function paymentEvidence(service: TestService, order: Order): Promise<unknown> {
  const { db } = service.ctx;
  const { id, shop } = order;
  const { body } = await service.request(`/transactions/${id}`, { token: shop.token });
  const row = await db.one(sql`
    select to_jsonb(one) - '{sale_reference}'::text[] as row,
      (sale_reference is not null) as has_sale
    from transactions as one where transaction_id = ${id}`);
  const attempts = await db.rows(sql`
    select number, state, card_brand, card_last_four, outcome_code, message, avs_answer, cvv_answer,
      next_ask_at is null as is_done
    from checkout_attempts where transaction_id = ${id} order by number`);
  const sales = await db.rows(sql`
    select outcome, code, avs, cvv, amount_minor::text, voided_at is not null as is_void
    from simulator_sales where transaction_id = ${id} and outcome is not null order by done_at`);
  const money = await db.rows(sql`
    select 'refund' as kind, state, amount_minor::text, rejected_because from refunds
    where transaction_id = ${id}
    union all select kind, state, amount_minor::text, covered_minor::text from disputes
    where transaction_id = ${id} order by 1, 2`);
  const receipts = await db.rows(sql`
    select kind from receipts_due where record_id = ${id} or record_id in (
      select refund_id::text from refunds where transaction_id = ${id}) order by kind`);
  const session = await look(service, order);
  const address = await returnUrl(service.ctx, session);
  const redirect = address && Object.fromEntries(new URL(address).searchParams);
  const page = session.step;
  const record = { record: body.data, row, attempts, sales, money, receipts };
  return alike({ ...record, redirect, page, ...(await told(service, id)) });
}
