/** A payment's timeline tells everything that happened to it in order, and of no other payment. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { describeMoney } from "../../src/kit/money.ts";
import { readTimeline, type TimelineItem } from "../../src/modules/statements/read-timeline.ts";
import { openChargeback, settleChargeback } from "../../src/modules/transactions/dispute.ts";
import { answerBank, CARDS, openOrder, submit, sweep } from "../../testkit/checkout-sessions.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { openShop } from "../../testkit/transactions.ts";
import { makeEndpoint } from "../../testkit/webhook-endpoints.ts";
import { refundOf, settleAll } from "../api/transactions/refund-support.ts";

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

function describe(item: TimelineItem): string {
  switch (item.kind) {
    case "requested":
      return item.kind;
    case "attempt": {
      const asked = item.wasChallenged ? " 3-D Secure" : "";
      return `card ${item.cardBrand} ${item.lastFour} ${item.state} ${item.code}${asked}`;
    }
    case "result":
      return `${item.status} ${item.message}`;
    case "refund_requested":
    case "refund_ended":
      return `${item.kind} ${describeMoney(item.amount)} ${item.state}`;
    case "dispute_opened":
    case "dispute_ended":
      return `${item.kind} ${describeMoney(item.amount)} ${item.state}`;
    case "webhook":
      return `${item.event} ${item.state}`;
  }
}

test("attempts, result, refunds, disputes and webhooks", async () => {
  const { db } = service.ctx;
  const shop = await openShop(service);
  const endpoint = await makeEndpoint(service, shop, { environment: "sandbox" });
  const order = await openOrder(service, { shop });
  const later = () => service.clock.advance({ seconds: 30 });
  await later();
  await submit(service, order, CARDS.declined);
  await later();
  await submit(service, order, CARDS.asked);
  await answerBank(service, order, "passed");
  await later();
  await refundOf(service, order, "5.00");
  await later();
  await settleAll(service);
  await later();
  const action = { transactionId: order.id, by: "D. Joseph", why: "ticket 4711" };
  await db.transaction((tx) => openChargeback(tx, action));
  await later();
  await db.transaction((tx) => settleChargeback(tx, { ...action, outcome: "processed" }));
  await service.numberEvents();
  const another = await openOrder(service, { shop });

  const { accountNumber } = shop;
  const wanted = { accountNumber, environment: undefined, transactionId: order.id };
  const items = await readTimeline(db, wanted);
  const times = items.map(({ at }) => at.getTime());
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
  assert.deepEqual(items.filter(({ kind }) => kind !== "webhook").map(describe), [
    "requested",
    "card visa 3333 declined 05",
    "card visa 2010 approved 00 3-D Secure",
    "success [1-R00]: Transaction is approved.",
    "refund_requested 5.00 TTD refunded",
    "refund_ended 5.00 TTD refunded",
    "dispute_opened 100.20 TTD processed",
    "dispute_ended 100.20 TTD processed",
  ]);
  const webhooks = items.filter((item) => item.kind === "webhook");
  assert(webhooks.every(({ url }) => url === endpoint.url));
  assert.deepEqual(webhooks.map(describe).toSorted(), [
    "payment.chargeback_pending waiting",
    "payment.chargeback_processed waiting",
    "payment.created waiting",
    "payment.refund_requested waiting",
    "payment.refunded waiting",
    "payment.success waiting",
  ]);
  assert.deepEqual(
    (await readTimeline(db, { ...wanted, transactionId: another.id })).map(describe),
    ["requested"],
  );
  const { accountNumber: stranger } = await openShop(service);
  await assert.rejects(readTimeline(db, { ...wanted, accountNumber: stranger }), { status: 404 });
});

test("the webhook of an approval that was voided long after the result", async () => {
  const { db } = service.ctx;
  const shop = await openShop(service);
  await makeEndpoint(service, shop, { environment: "sandbox" });
  const order = await openOrder(service, { shop });
  await submit(service, order, CARDS.late);
  for (const seconds of [180, 30, 600, 900]) {
    await service.clock.advance({ seconds });
    await sweep(service);
  }
  await service.numberEvents();
  const { accountNumber } = shop;
  const items = await readTimeline(db, {
    accountNumber,
    environment: undefined,
    transactionId: order.id,
  });
  assert.deepEqual(items.filter(({ kind }) => kind === "webhook").map(describe), [
    "payment.created waiting",
    "payment.error waiting",
    "payment.late_approval_voided waiting",
  ]);
});
