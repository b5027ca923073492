/** What the tests of refunds and disputes share: a paid order, what became of it, and the proof. */

import assert from "node:assert/strict";
import { sql } from "../../../src/infra/db/query.ts";
import { formatMoney } from "../../../src/kit/money.ts";
import type { Environment } from "../../../src/kit/vocabulary.ts";
import { balancesOf } from "../../../src/modules/ledger/balances.ts";
import { describeDifference } from "../../../src/modules/ledger/difference.ts";
import { reconcileRecords } from "../../../src/modules/transactions/reconcile-records.ts";
import { type RefundRow, refundsOf } from "../../../src/modules/transactions/refund.ts";
import type { TransactionRow } from "../../../src/modules/transactions/transaction.ts";
import { expectBooksToBalance, fund } from "../../../testkit/books.ts";
import type { TestAnswer, TestService } from "../../../testkit/service.ts";
import { sweepRefunds } from "../../../testkit/sweeps.ts";
import { APPROVED, newPayment, openShop, pay, type Shop } from "../../../testkit/transactions.ts";

export interface PaidOrder {
  readonly shop: Shop;
  readonly id: string;
  readonly row: TransactionRow;
}

/** 100.00 TTD, of which the customer paid 105.20 and the merchant got 100.00, and more funds. */
export async function paidOrder(
  service: TestService,
  options: { shop?: Shop; environment?: Environment; funds?: string; amount?: string } = {},
): Promise<PaidOrder> {
  const { environment = "live", amount = "100.00 TTD" } = options;
  const shop = options.shop ?? (await openShop(service));
  const row = await pay(service, newPayment(shop, { environment, amount }), APPROVED);
  const { funds = "1000.00 TTD" } = options;
  if (funds !== "none") await fund(service.ctx.db, shop.accountNumber, funds, environment);
  return { shop, row, id: row.transaction_id };
}

export function askRefund(
  service: TestService,
  { shop, id }: Pick<PaidOrder, "shop" | "id">,
  json?: object,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  return service.request(`/transactions/${id}/refund`, {
    method: "POST",
    token: shop.token,
    headers,
    ...(json === undefined ? {} : { json }),
  });
}

/** Asks, expects a yes, and gives the refund's id. */
export async function refundOf(
  service: TestService,
  order: Pick<PaidOrder, "shop" | "id">,
  amount?: string,
): Promise<string> {
  const answer = await askRefund(service, order, amount === undefined ? undefined : { amount });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data.refund.refund_id;
}

export async function refundRow(service: TestService, refundId: string): Promise<RefundRow> {
  return service.ctx.db.one<RefundRow>(sql`select * from refunds where refund_id = ${refundId}`);
}

/** As a merchant sees them: `available + held`. */
export async function fundsOf(
  service: TestService,
  { shop, row }: Pick<PaidOrder, "shop" | "row">,
): Promise<string> {
  const all = await balancesOf(service.ctx.db, shop.accountNumber, row.environment);
  const mine = all.get(row.currency);
  return mine === undefined ? "none" : `${formatMoney(mine.available)} + ${formatMoney(mine.held)}`;
}

/** What one reads of the payment: `status_desc, refunded_total`. */
export async function told(service: TestService, { shop, id }: PaidOrder): Promise<string> {
  const { body } = await service.request(`/transactions/${id}`, { token: shop.token });
  return `${body.data.status_desc}, ${body.data.refunded_total}`;
}

/** How often the acquirer gave money back under each reference, by its own journal. */
export async function journal(
  service: TestService,
  transactionId: string,
): Promise<{ outcome: string | null; amount_minor: bigint; call_count: number }[]> {
  return service.ctx.db.rows(sql`
    select outcome, amount_minor, call_count from simulator_refunds
    where transaction_id = ${transactionId} order by amount_minor`);
}

export async function isEnded(service: TestService, id: string): Promise<boolean> {
  return (await refundsOf(service.ctx.db, id)).every(({ ended_at }) => ended_at !== null);
}

/** Time passes and the sweep comes by, until nothing is under way. */
export async function settleAll(service: TestService): Promise<void> {
  for (let round = 0; round < 40; round++) {
    const { left } = await service.ctx.db.one<{ left: number }>(
      sql`select count(*)::int as left from refunds where ended_at is null`,
    );
    if (left === 0) return;
    if ((await sweepRefunds(service.ctx)) === 0) await service.clock.advance({ seconds: 30 });
  }
  assert.fail("refunds are still under way");
}

/**
 * The end of every test here. The books balance; the records agree with them; and the acquirer has
 * given back exactly what we say it has.
 */
export async function expectAllToAddUp(service: TestService): Promise<void> {
  const { db } = service.ctx;
  await expectBooksToBalance(db);
  const { differences } = await reconcileRecords({ db, otherHolds: [] });
  assert.deepEqual(differences.map(describeDifference), []);
  const contradictions = await db.rows(sql`
    select refund_id, state, outcome from refunds
    full join simulator_refunds on reference = refund_id::text
    where (state = 'refunded' and outcome is distinct from 'refunded')
      or (state = 'rejected' and outcome = 'refunded')
      or (refund_id is null)`);
  assert.deepEqual(contradictions, []);
}
