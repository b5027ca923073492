/**
 * One real event of each name that the service can tell by now, made by the use cases, with what
 * differs from run to run (ids and times) replaced by one value each. `docs/events.md` shows them.
 */

import assert from "node:assert/strict";
import { sql } from "../../../src/infra/db/query.ts";
import {
  confirmFraud,
  openChargeback,
  settleChargeback,
} from "../../../src/modules/transactions/dispute.ts";
import { askAboutRefund, rejectRefund } from "../../../src/modules/transactions/reject-refund.ts";
import { settleRefund } from "../../../src/modules/transactions/settle-refunds.ts";
import { judgeEndpoint } from "../../../src/modules/webhooks/failing.ts";
import { moveWithdrawal } from "../../../src/modules/withdrawals/move-withdrawal.ts";
import { CARDS, openOrder, submit, sweep } from "../../../testkit/checkout-sessions.ts";
import type { TestService } from "../../../testkit/service.ts";
import { sweepPayouts } from "../../../testkit/sweeps.ts";
import {
  APPROVED,
  DECLINED,
  newPayment,
  openShop,
  pay,
  type Shop,
  TIMED_OUT,
} from "../../../testkit/transactions.ts";
import { remove, verifiedCard } from "../../../testkit/trusted-cards.ts";
import { cancel, openOwner, withdraw } from "../../../testkit/withdrawals.ts";
import { refundOf } from "../transactions/refund-support.ts";

const operator = { by: "ria", why: "case 4711 of the bank" };
const DAY_SECONDS = 24 * 60 * 60;

const ALWAYS_THE_SAME: readonly [RegExp, string][] = [
  [
    /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    "019a86f0-c4d2-7b1e-9a3f-9c2d8e4b6a70",
  ],
  [/^SB-TT-[0-9A-Z]{26}$/, "SB-TT-01K9ZJ8Y2QK3V7M5D9T4X6B8R0"],
  [/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, "2026-11-15T14:03:07.412Z"],
  [/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "7f9c24e8-3b12-4d6a-9f0e-5c1a2b3d4e6f"],
  [/^\d{10}$/, "1234567890"],
];

export async function eventExamples(service: TestService): Promise<Map<string, unknown>> {
  const shop = await openShop(service);
  await refundSome(service, shop, await paid(service, shop, "order-1001"));
  for (const [orderId, result] of [
    ["order-1002", DECLINED],
    ["order-1003", TIMED_OUT],
  ] as const)
    await pay(service, newPayment(shop, { environment: "sandbox", orderId }), result);
  for (const [orderId, outcome] of [
    ["order-1004", "processed"],
    ["order-1005", "released"],
  ] as const) {
    const dispute = { transactionId: await paid(service, shop, orderId), ...operator };
    await service.ctx.db.transaction((tx) => openChargeback(tx, dispute));
    await service.ctx.db.transaction((tx) => settleChargeback(tx, { ...dispute, outcome }));
  }
  const transactionId = await paid(service, shop, "order-1006");
  await service.ctx.db.transaction((tx) => confirmFraud(tx, { transactionId, ...operator }));
  await troubleEndpoint(service, shop);
  await voidLateApproval(service, shop);
  await remove(service, await verifiedCard(service, { shop }));
  const owner = await withdrawSome(service);
  await service.numberEvents();
  const path = "/events?environment=sandbox&page_size=100";
  const examples = new Map<string, unknown>();
  for (const { token } of [shop, owner]) {
    const { body } = await service.request(path, { token });
    for (const event of body.data)
      if (!examples.has(event.event)) examples.set(event.event, withoutChance(event));
  }
  return examples;
}

/** One that the bank holds, pays and sends back, one that it rejects, one that is taken back. */
async function withdrawSome(service: TestService): Promise<{ token: string }> {
  const owner = await openOwner(service);
  const data = '{"batch": 7}';
  const paid = await withdraw(service, owner, { amount: "100.92", data });
  for (const seconds of [6, 3, 12, 30]) {
    await service.clock.advance({ seconds });
    await sweepPayouts(service.ctx);
  }
  await withdraw(service, owner, { amount: "100.98", data });
  await service.clock.advance({ seconds: 6 });
  await sweepPayouts(service.ctx);
  await cancel(service, owner, await withdraw(service, owner, { data }));
  const back = { to: "returned", reason: "The account is closed." } as const;
  await service.ctx.db.transaction((tx) => moveWithdrawal(tx, paid, back));
  return owner;
}

async function paid(service: TestService, shop: Shop, orderId: string): Promise<string> {
  const passThrough = '{"cart": 7}';
  const payment = newPayment(shop, {
    environment: "sandbox",
    orderId,
    details: { data: passThrough },
  });
  return (await pay(service, payment, APPROVED)).transaction_id;
}

async function refundSome(service: TestService, shop: Shop, id: string): Promise<void> {
  await settleRefund(service.ctx, await refundOf(service, { shop, id }, "25.00"));
  const inquiry = await askAboutRefund(service.ctx, await refundOf(service, { shop, id }, "10.00"));
  await service.ctx.db.transaction((tx) => rejectRefund(tx, { inquiry, ...operator }));
}

/** Its bank answers when the customer has long been told that nobody knows. */
async function voidLateApproval(service: TestService, shop: Shop): Promise<void> {
  const order = await openOrder(service, { shop, orderId: "order-1007" });
  await submit(service, order, CARDS.late);
  for (const seconds of [180, 30, 600, 900]) {
    await service.clock.advance({ seconds });
    await sweep(service);
  }
}

/** Tested, then failing for a day, then gone. */
async function troubleEndpoint(service: TestService, { token }: Shop): Promise<void> {
  const { db } = service.ctx;
  const url = "https://shop.example.com/hooks";
  const made = await service.request("/webhooks", {
    method: "POST",
    token,
    json: {
      url,
      environment: "sandbox",
      events: ["payment.success", "payment.refunded"],
    },
  });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.data;
  const tested = await service.request(`/webhooks/${id}/test`, { method: "POST", token });
  assert(tested.status < 300, tested.text);
  await db.run(sql`
    update webhook_endpoints set failing_since = app_now() - interval '24 hours'
    where endpoint_id = ${id}`);
  const health = { failingSeconds: DAY_SECONDS, isWarned: false, goneLife: undefined };
  await judgeEndpoint(db, id, health);
  await judgeEndpoint(db, id, { ...health, goneLife: 1 });
}

function withoutChance(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_name, part) => {
    const same = typeof part === "string" && ALWAYS_THE_SAME.find(([of]) => of.test(part));
    return same ? same[1] : part;
  });
}
