/**
 * The guarantee: whichever way a payment becomes successful or a refund done, its customer gets one
 * receipt; and nobody gets one for what was not (Decision 0098).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { settleRefund } from "../../src/modules/transactions/settle-refunds.ts";
import { fund } from "../../testkit/books.ts";
import {
  answerBank,
  CARDS,
  expectAllToAddUp,
  type Order,
  openByRequest,
  openOrder,
  submit,
  sweep,
  told,
} from "../../testkit/checkout-sessions.ts";
import { minimal } from "../../testkit/payment-requests.ts";
import { deliverReceipts, dueReceipts, mailReasons } from "../../testkit/receipts.ts";
import { startService } from "../../testkit/service.ts";
import { sweepRefunds } from "../../testkit/sweeps.ts";
import { openShop } from "../../testkit/transactions.ts";
import { askToCharge, payWithCode, tidyUp, verifiedCard } from "../../testkit/trusted-cards.ts";

const service = await startService();
const { ctx } = service;
const { db } = ctx;

/** By the records themselves: what is owed was mailed, once, and nothing else was. */
async function expectReceiptsToAddUp(): Promise<void> {
  await deliverReceipts(service);
  assert.deepEqual(await dueReceipts(service), []);
  const wrong = await db.rows(sql`
    select coalesce(owed.reason, mailed.reason) as reason from (
      select 'receipt ' || transaction_id as reason from transactions
      where status = 'success' and customer ? 'email'
      union all
      select 'refund receipt ' || refund_id from refunds join transactions using (transaction_id)
      where state = 'refunded' and customer ? 'email'
    ) as owed full join (
      select reason from mails where reason like '%receipt %'
    ) as mailed using (reason)
    where owed.reason is null or mailed.reason is null`);
  assert.deepEqual(wrong, []);
}

after(async () => {
  await expectReceiptsToAddUp();
  await tidyUp(service);
  await expectAllToAddUp(service);
  await service.stop();
});

async function expectOne({ id }: Order): Promise<void> {
  assert.match(await told(service, { id } as Order), /^success/);
  await deliverReceipts(service);
  await deliverReceipts(service);
  assert.deepEqual(await mailReasons(service, id), [`receipt ${id}`]);
}

describe("a payment is successful", () => {
  test("at once", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.approved);
    await expectOne(order);
  });

  test("after another card was declined", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.declined);
    await submit(service, order, CARDS.approved);
    await expectOne(order);
  });

  test("when the customer has proven the card to its bank", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.asked);
    assert.deepEqual(await dueReceipts(service), []);
    await answerBank(service, order, "passed");
    await expectOne(order);
  });

  for (const environment of ["sandbox", "live"] as const)
    test(`when the gateway answers a later question, ${environment}`, async () => {
      const order = await openOrder(service, { environment });
      await submit(service, order, CARDS.unknownThenApproved);
      for (let round = 0; round < 5; round += 1) {
        await service.clock.advance({ seconds: 30 });
        await sweep(service);
      }
      await expectOne(order);
    });

  test("by a saved card that the merchant charges", async () => {
    const card = await verifiedCard(service);
    const order = await askToCharge(service, card, { email: "ann@example.com" });
    await payWithCode(service, order);
    await expectOne(order);
  });

  test("with an e-mail that the customer typed on the page", async () => {
    const shop = await openShop(service);
    const fields = minimal(shop.accountNumber, { email: undefined });
    const order = await openByRequest(service, shop, fields);
    await submit(service, order, CARDS.approved, { form: { email: "typed@example.com" } });
    await expectOne(order);
    const { body } = await service.request("/dev/mail.json");
    assert.equal(body[0].to, "typed@example.com");
  });

  test("many at once, in shared batches", async () => {
    const shop = await openShop(service);
    const orders = await Promise.all(
      Array.from({ length: 12 }, () => openOrder(service, { shop })),
    );
    await Promise.all(orders.map((order) => submit(service, order, CARDS.approved)));
    await Promise.all([1, 2, 3].map(() => deliverReceipts(service)));
    for (const order of orders) await expectOne(order);
  });
});

describe("nobody has paid", () => {
  test("when the card was declined, the time ran out, or the card was only saved", async () => {
    const declined = await openOrder(service);
    for (let tries = 0; tries < 3; tries += 1) await submit(service, declined, CARDS.declined);
    const refused = await openOrder(service);
    await submit(service, refused, CARDS.asked);
    await answerBank(service, refused, "refused");
    const card = await verifiedCard(service);
    await service.clock.advance({ minutes: 10 });
    await sweep(service);
    await deliverReceipts(service);
    for (const { id } of [declined, refused, card])
      assert.deepEqual(await mailReasons(service, id), []);
  });
});

describe("a refund is done", () => {
  async function refundOf(amount: string): Promise<{ order: Order; refundId: string }> {
    const order = await openOrder(service);
    await submit(service, order, CARDS.approved);
    await fund(db, order.shop.accountNumber, "500.00 TTD", "sandbox");
    const { body } = await service.request(`/transactions/${order.id}/refund`, {
      method: "POST",
      token: order.shop.token,
      json: { amount },
    });
    return { order, refundId: body.data.refund.refund_id };
  }

  for (const [way, settle] of [
    ["by its job", (id: string) => settleRefund(ctx, id)],
    ["by the sweep", () => sweepRefunds(ctx)],
  ] as const)
    test(way, async () => {
      const { refundId } = await refundOf("25.00");
      await deliverReceipts(service);
      assert.deepEqual(await mailReasons(service, refundId), []);
      await settle(refundId);
      await settle(refundId);
      await deliverReceipts(service);
      assert.deepEqual(await mailReasons(service, refundId), [`refund receipt ${refundId}`]);
    });
});
