/**
 * Everything that happens to a payment is one event, exactly once, with the record as it is then;
 * what did not happen has none (Decision 0032).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  confirmFraud,
  openChargeback,
  settleChargeback,
} from "../../../src/modules/transactions/dispute.ts";
import { askAboutRefund, rejectRefund } from "../../../src/modules/transactions/reject-refund.ts";
import { settleRefund } from "../../../src/modules/transactions/settle-refunds.ts";
import { recordTransaction } from "../../../testkit/record-transaction.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import {
  APPROVED,
  DECLINED,
  finaliseTransaction,
  newPayment,
  openShop,
  pay,
  TIMED_OUT,
} from "../../../testkit/transactions.ts";
import { feedOf, type Told } from "../../events/support.ts";
import { askRefund, type PaidOrder, paidOrder, refundOf } from "../transactions/refund-support.ts";

const operator = { by: "ria", why: "case 4711 of the bank" };
const AT_ONCE = 32;
const BEGINNING = ["payment.created", "payment.success"];

let service: TestService;
before(async () => {
  service = await startService();
});
after(() => service.stop());

/** What has been told of this account so far, all numbered. */
async function told(who: { accountNumber: string }): Promise<Told[]> {
  await service.numberEvents();
  return feedOf(service.ctx.db, who);
}

const namesOf = (events: readonly Told[]) => events.map(({ event }) => event);

/** Only the last one tells of this moment, and it is what one reads of the payment. */
async function expectTold({ shop, id }: PaidOrder, ...names: string[]): Promise<void> {
  const events = await told(shop);
  assert.deepEqual(namesOf(events), [...BEGINNING, ...names]);
  const { body } = await service.request(`/transactions/${id}`, { token: shop.token });
  assert.deepEqual(events.at(-1)?.data, inEvents(body.data));
}

/** A payment's record as events carry it: as one reads it, and what the merchant is credited. */
function inEvents(record: { net: string; currency: string }): object {
  return { ...record, total_credited: record.net, currency_credited: record.currency };
}

const dispute = ({ id }: PaidOrder) => ({ transactionId: id, ...operator });
const open = (order: PaidOrder) =>
  service.ctx.db.transaction((tx) => openChargeback(tx, dispute(order)));
const settle = (order: PaidOrder, outcome: "processed" | "released") =>
  service.ctx.db.transaction((tx) => settleChargeback(tx, { ...dispute(order), outcome }));
const fraud = (order: PaidOrder) =>
  service.ctx.db.transaction((tx) => confirmFraud(tx, dispute(order)));
const reject = async (refundId: string) => {
  const inquiry = await askAboutRefund(service.ctx, refundId);
  await service.ctx.db.transaction((tx) => rejectRefund(tx, { inquiry, ...operator }));
};

describe("a payment tells", () => {
  test("that it began, with its own id in the meta", async () => {
    const shop = await openShop(service);
    const row = await pay(service, newPayment(shop, { environment: "sandbox" }));
    await service.numberEvents();
    const { body } = await service.request("/events?environment=sandbox", { token: shop.token });
    assert.equal(body.data.length, 1);
    const [event] = body.data;
    assert.deepEqual(
      [event.event, event.api_family, event.data.status],
      ["payment.created", "payments_api", "incomplete"],
    );
    assert.deepEqual(event.meta, {
      transaction_id: row.transaction_id,
      environment: "sandbox",
      account_number: shop.accountNumber,
    });
  });

  for (const result of [APPROVED, DECLINED, TIMED_OUT])
    test(`how it ended: ${result.status}`, async () => {
      const shop = await openShop(service);
      const row = await pay(service, newPayment(shop));
      const end = () =>
        service.ctx.db.transaction((tx) => finaliseTransaction(tx, row.transaction_id, result));
      await end();
      await end();
      const events = await told(shop);
      assert.deepEqual(namesOf(events), ["payment.created", `payment.${result.status}`]);
      const path = `/transactions/${row.transaction_id}`;
      const { body } = await service.request(path, { token: shop.token });
      assert.deepEqual(events[1]?.data, inEvents(body.data));
      assert.equal(events[0]?.data.status, "incomplete", "as it was then");
    });

  test("its end once, though 32 bring it at once", async () => {
    const shop = await openShop(service);
    const row = await pay(service, newPayment(shop));
    const ends = Array.from({ length: AT_ONCE }, (_, turn) =>
      service.ctx.db.transaction((tx) =>
        finaliseTransaction(tx, row.transaction_id, turn % 2 === 0 ? APPROVED : DECLINED),
      ),
    );
    const first = (await Promise.all(ends)).filter(({ isFirst }) => isFirst);
    assert.equal(first.length, 1);
    const status = first[0]?.transaction.status;
    assert.deepEqual(namesOf(await told(shop)), ["payment.created", `payment.${status}`]);
  });

  test("nothing when its tx is rolled back, or it is refused", async () => {
    const shop = await openShop(service);
    const payment = newPayment(shop);
    const work = service.ctx.db.transaction(async (tx) => {
      const row = await recordTransaction(tx, payment);
      await finaliseTransaction(tx, row.transaction_id, APPROVED);
      throw new Error("after all not");
    });
    await assert.rejects(work, /after all not/);
    assert.deepEqual(await told(shop), []);
    await pay(service, payment);
    await assert.rejects(pay(service, payment), { code: "order_id_taken" });
    assert.deepEqual(namesOf(await told(shop)), ["payment.created"]);
  });

  test("the merchant's own text character for character, 4,096 emoji too", async () => {
    const shop = await openShop(service);
    const texts = [
      '{"a": "\\u0041", "b": \'"\'}',
      "a\u2028b\n\tc",
      "😀".repeat(4_096),
      "\u0001".repeat(4_096),
    ];
    for (const passThrough of texts)
      await pay(service, newPayment(shop, { details: { data: passThrough } }));
    await service.numberEvents();
    const { body } = await service.request("/events", { token: shop.token });
    assert.deepEqual(
      body.data.map(({ data }: Told) => data.data),
      texts,
    );
  });
});

describe("a refund tells", () => {
  test("that it was asked for and done, with the sums as they are then", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "40.00");
    await expectTold(order, "payment.refund_requested");
    await settleRefund(service.ctx, refundId);
    await expectTold(order, "payment.refund_requested", "payment.refunded");
    const [asked, done] = (await told(order.shop)).slice(2);
    assert.deepEqual(
      [asked?.data.status_desc, asked?.data.refunded_total],
      ["Refund Requested", "0.00"],
    );
    assert.deepEqual([done?.data.status_desc, done?.data.refunded_total], ["Refunded", "40.00"]);
  });

  test("that it was rejected", async () => {
    const order = await paidOrder(service);
    await reject(await refundOf(service, order));
    await expectTold(order, "payment.refund_requested", "payment.refund_rejected");
  });

  test("each of several parts, in the order in which they were asked for and ended", async () => {
    const order = await paidOrder(service);
    const [one, two] = [
      await refundOf(service, order, "1.00"),
      await refundOf(service, order, "2.00"),
    ];
    await reject(two);
    await settleRefund(service.ctx, one);
    const names = ["refund_requested", "refund_requested", "refund_rejected", "refunded"];
    await expectTold(order, ...names.map((name) => `payment.${name}`));
  });

  test("its end once, though 32 settle it at once", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order);
    await Promise.all(Array.from({ length: AT_ONCE }, () => settleRefund(service.ctx, refundId)));
    await expectTold(order, "payment.refund_requested", "payment.refunded");
  });

  test("as often as it was taken, when 32 ask at once and not all fit", async () => {
    const order = await paidOrder(service);
    const asked = Array.from({ length: AT_ONCE }, () =>
      askRefund(service, order, { amount: "10" }),
    );
    const taken = (await Promise.all(asked)).filter(({ status }) => status === 201);
    assert.equal(taken.length, 10);
    await expectTold(order, ...taken.map(() => "payment.refund_requested"));
  });

  test("nothing when it is refused, or repeated under one Idempotency-Key", async () => {
    const order = await paidOrder(service);
    assert.equal((await askRefund(service, order, { amount: "1000" })).status, 422);
    const key = { "idempotency-key": "refund-1" };
    for (let turn = 0; turn < 3; turn++)
      assert.equal((await askRefund(service, order, { amount: "1" }, key)).status, 201);
    await expectTold(order, "payment.refund_requested");
  });

  test("that it ended while a chargeback has the word on the status", async () => {
    const order = await paidOrder(service);
    const refundId = await refundOf(service, order, "5.00");
    await open(order);
    await settleRefund(service.ctx, refundId);
    await expectTold(
      order,
      "payment.refund_requested",
      "payment.chargeback_pending",
      "payment.refunded",
    );
    assert.equal((await told(order.shop)).at(-1)?.data.status_desc, "Chargeback Pending");
  });
});

describe("a dispute tells", () => {
  for (const outcome of ["processed", "released"] as const)
    test(`that it was opened and ${outcome}`, async () => {
      const order = await paidOrder(service);
      await open(order);
      await expectTold(order, "payment.chargeback_pending");
      await settle(order, outcome);
      await expectTold(order, "payment.chargeback_pending", `payment.chargeback_${outcome}`);
      await assert.rejects(settle(order, outcome));
      await expectTold(order, "payment.chargeback_pending", `payment.chargeback_${outcome}`);
    });

  test("of fraud", async () => {
    const order = await paidOrder(service);
    await fraud(order);
    await assert.rejects(fraud(order));
    await expectTold(order, "payment.fraud_confirmed");
  });

  test("of fraud and of the open chargeback that it ends, once each under a race", async () => {
    const order = await paidOrder(service);
    await open(order);
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => fraud(order)));
    assert.equal(all.filter(({ status }) => status === "fulfilled").length, 1);
    const names = ["chargeback_pending", "chargeback_processed", "fraud_confirmed"];
    await expectTold(order, ...names.map((name) => `payment.${name}`));
    assert.equal((await told(order.shop)).at(-2)?.data.status_desc, "Fraud Confirmed");
  });
});
