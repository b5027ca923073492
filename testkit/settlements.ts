/**
 * Settlement for tests: payments as if PowerTranz had served them, written into its journal without
 * a gateway, and reports as the acquirer would write them.
 */

import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { sql } from "../src/infra/db/query.ts";
import { formatMoney, money } from "../src/kit/money.ts";
import { endRefund } from "../src/modules/transactions/refund.ts";
import type { TransactionRow } from "../src/modules/transactions/transaction.ts";
import type { TestService } from "./service.ts";
import { APPROVED, newPayment, pay, type Shop } from "./transactions.ts";

const HEAD =
  "TransactionIdentifier,OrderIdentifier,TransactionType,Amount,CurrencyCode,SettlementDate,Fee";

export interface Line {
  readonly identifier: string;
  readonly order: string;
  readonly type: string;
  readonly amount: string;
  readonly currency: string;
  readonly date: string;
  readonly fee: string;
}

export interface Sold {
  readonly paid: TransactionRow;
  readonly reference: string;
  /** What the acquirer would say of it. */
  readonly line: Line;
}

/** A live payment that PowerTranz took. */
export async function sell(
  service: TestService,
  shop: Shop,
  { amount = "100.00 TTD", date = "2026-11-16", fee = "0.00" } = {},
): Promise<Sold> {
  const reference = randomUUID();
  const result = { ...APPROVED, sale: { reference } };
  const paid = await pay(service, newPayment(shop, { amount }), result);
  await writeApproved(service, paid, reference);
  return { paid, reference, line: lineOf(paid, { identifier: reference, date, fee }) };
}

/** A second sale of a payment, approved too late to pay it. */
export async function writeApproved(
  { ctx: { db } }: TestService,
  paid: TransactionRow,
  reference: string,
): Promise<void> {
  await db.run(sql`
    insert into powertranz_sales (reference, transaction_id, identifier, merchant_id, currency,
      amount_minor, state, code, message, sent_at, ended_at)
    values (${reference}, ${paid.transaction_id}, ${reference}, '88801234', ${paid.currency},
      ${paid.customer_total_minor}, 'approved', '00', 'Approved.', app_now(), app_now())`);
}

export function lineOf(paid: TransactionRow, more: Partial<Line> = {}): Line {
  return {
    identifier: randomUUID(),
    order: paid.transaction_id,
    type: "2",
    amount: formatMoney(money(paid.currency, paid.customer_total_minor)),
    currency: paid.currency,
    date: "2026-11-16",
    fee: "0.00",
    ...more,
  };
}

/** A refund that the gateway has done, and the line that settles it. */
export async function refund(
  service: TestService,
  shop: Shop,
  { paid, reference: saleReference }: Sold,
  { amount, date = "2026-11-17" }: { amount: string; date?: string },
): Promise<Line> {
  const { db } = service.ctx;
  const answer = await service.request(`/transactions/${paid.transaction_id}/refund`, {
    method: "POST",
    token: shop.token,
    json: { amount },
  });
  if (answer.status !== 201) throw new Error(answer.text);
  const { refund_id } = answer.body.data.refund;
  await writeRefunded(service, { reference: refund_id, saleReference, paid, amount });
  await db.transaction(async (tx) => {
    await tx.run(sql`
      update refunds set state = 'submitted', attempt_count = 1 where refund_id = ${refund_id}`);
    await endRefund(
      tx,
      { refund_id, transaction_id: paid.transaction_id },
      { outcome: "refunded" },
    );
  });
  return lineOf(paid, { type: "5", amount, date });
}

/** In the gateway's journal alone. */
export async function writeRefunded(
  { ctx: { db } }: TestService,
  of: { reference: string; saleReference: string; paid: TransactionRow; amount: string },
): Promise<void> {
  const { reference, saleReference, paid, amount } = of;
  await db.run(sql`
    insert into powertranz_refunds (reference, sale_reference, currency, amount_minor, state,
      ended_at)
    values (${reference}, ${saleReference}, ${paid.currency}, (${amount}::numeric * 100)::bigint,
      'refunded', app_now())`);
}

export function reportOf(lines: readonly Line[]): string {
  const cells = lines.map((one) =>
    [one.identifier, one.order, one.type, one.amount, one.currency, one.date, one.fee].join(","),
  );
  return `${[HEAD, ...cells].join("\r\n")}\r\n`;
}

export async function writeReport(to: string, lines: readonly Line[]): Promise<void> {
  await writeFile(to, reportOf(lines));
}
