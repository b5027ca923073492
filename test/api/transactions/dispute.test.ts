/**
 * Chargebacks and fraud take at most what is left of a payment, from the merchant at most what is
 * there, along the table of moves only, and always with a name and a reason (Decision 0030).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { money } from "../../../src/kit/money.ts";
import {
  confirmFraud,
  openChargeback,
  settleChargeback,
} from "../../../src/modules/transactions/dispute.ts";
import { startService, type TestService } from "../../../testkit/service.ts";
import { DECLINED, newPayment, openShop, pay } from "../../../testkit/transactions.ts";
import {
  askRefund,
  expectAllToAddUp,
  fundsOf,
  type PaidOrder,
  paidOrder,
  refundOf,
  settleAll,
  told,
} from "./refund-support.ts";

const operator = { by: "ria", why: "case 4711 of the bank" };

describe("disputes", () => {
  let service: TestService;

  before(async () => {
    service = await startService();
  });
  after(async () => {
    try {
      await expectAllToAddUp(service);
    } finally {
      await service.stop();
    }
  });

  const action = ({ id }: Pick<PaidOrder, "id">) => ({ transactionId: id, ...operator });
  const open = (order: Pick<PaidOrder, "id">, minor?: bigint) =>
    service.ctx.db.transaction((tx) =>
      openChargeback(tx, {
        ...action(order),
        ...(minor === undefined ? {} : { amount: money("TTD", minor) }),
      }),
    );
  const settle = (order: Pick<PaidOrder, "id">, outcome: "processed" | "released") =>
    service.ctx.db.transaction((tx) => settleChargeback(tx, { ...action(order), outcome }));
  const fraud = (order: Pick<PaidOrder, "id">) =>
    service.ctx.db.transaction((tx) => confirmFraud(tx, action(order)));

  /** What an operator is told, and that nothing has changed. */
  async function refused(order: PaidOrder, work: () => Promise<unknown>, message: RegExp) {
    const before = [await told(service, order), await fundsOf(service, order)];
    await assert.rejects(work, { name: "OperatorError", message });
    assert.deepEqual([await told(service, order), await fundsOf(service, order)], before);
  }

  test("a chargeback holds what is left, and processed the bank has it; it is written who and why", async () => {
    const order = await paidOrder(service);
    const opened = await open(order);
    assert.equal(opened.amount_minor, 10520n);
    assert.equal(await told(service, order), "Chargeback Pending, 0.00");
    assert.equal(await fundsOf(service, order), "994.80 + 105.20");
    await settle(order, "processed");
    assert.equal(await told(service, order), "Chargeback Processed, 0.00");
    assert.equal(await fundsOf(service, order), "994.80 + 0.00");
    const audit = await service.ctx.db.rows(sql`
      select action, actor, detail ->> 'why' as why, detail ->> 'amount' as amount
      from audit_entries where detail ->> 'transaction_id' = ${order.id} order by entry_id`);
    const entry = { actor: "operator ria", why: operator.why, amount: "105.20" };
    assert.deepEqual(audit, [
      { action: "chargeback_opened", ...entry },
      { action: "chargeback_processed", ...entry },
    ]);
  });

  test("released, all is as it was, and a refund may follow", async () => {
    const order = await paidOrder(service);
    await open(order);
    await settle(order, "released");
    assert.equal(await told(service, order), "Normal, 0.00");
    assert.equal(await fundsOf(service, order), "1100.00 + 0.00");
    await refundOf(service, order);
    await settleAll(service);
    assert.equal(await told(service, order), "Refunded, 105.20");
  });

  test("what a merchant does not have is our loss, and nothing of theirs falls below zero", async () => {
    const order = await paidOrder(service, { funds: "none" });
    const opened = await open(order);
    assert.deepEqual([opened.amount_minor, opened.covered_minor], [10520n, 10000n]);
    assert.equal(await fundsOf(service, order), "0.00 + 100.00");
    await settle(order, "processed");
    assert.equal(await fundsOf(service, order), "0.00 + 0.00");
    const second = await paidOrder(service, { funds: "none" });
    await refundOf(service, await paidOrder(service, { shop: second.shop, funds: "none" }), "100");
    await refundOf(service, second, "100.00");
    const bare = await open(second);
    assert.deepEqual([bare.amount_minor, bare.covered_minor], [520n, 0n]);
    await settle(second, "released");
    assert.equal(await told(service, second), "Refund Requested, 0.00");
  });

  test("after and beside refunds a chargeback takes the rest only, and the words come back", async () => {
    const order = await paidOrder(service);
    await refundOf(service, order, "40.00");
    await settleAll(service);
    await refundOf(service, order, "10.00");
    const opened = await open(order);
    assert.equal(opened.amount_minor, 5520n);
    const refusal = await askRefund(service, order, { amount: "1.00" });
    assert.equal(refusal.status, 409);
    assert.deepEqual(refusal.body, {
      message: "The transaction cannot be refunded: its condition is Chargeback Pending.",
    });
    await settleAll(service);
    assert.equal(await told(service, order), "Chargeback Pending, 50.00");
    await settle(order, "released");
    assert.equal(await told(service, order), "Refunded, 50.00");
  });

  test("more than is left, nothing left, or not paid: refused, and nothing moves", async () => {
    const order = await paidOrder(service);
    await refused(order, () => open(order, 10521n), /more than is neither refunded nor disputed/);
    await refused(order, () => open(order, 0n), /more than is neither/);
    await refundOf(service, order);
    await refused(order, () => open(order), /all that was paid is refunded or being refunded/);
    const shop = await openShop(service);
    const row = await pay(service, newPayment(shop), DECLINED);
    const unpaid = { shop, row, id: row.transaction_id };
    await refused(unpaid, () => open(unpaid), /was not paid: it is failed/);
    await refused(unpaid, () => fraud(unpaid), /was not paid: it is failed/);
  });

  test("a dispute is opened once and ends once", async () => {
    const order = await paidOrder(service);
    await refused(order, () => settle(order, "processed"), /no chargeback that is open/);
    await open(order, 5000n);
    await refused(order, () => open(order, 100n), /Chargeback Pending/);
    await settle(order, "processed");
    await refused(order, () => settle(order, "released"), /no chargeback that is open/);
    await refused(order, () => open(order), /Chargeback Processed/);
    await refused(order, () => fraud(order), /Chargeback Processed/);
    assert.equal((await askRefund(service, order)).status, 409);
  });

  test("eight operators at once open one chargeback", async () => {
    const order = await paidOrder(service);
    const tried = await Promise.allSettled(Array.from({ length: 8 }, () => open(order)));
    assert.equal(tried.filter(({ status }) => status === "fulfilled").length, 1);
    assert.equal(await fundsOf(service, order), "994.80 + 105.20");
  });

  test("fraud takes what is left at once and is the end", async () => {
    const order = await paidOrder(service);
    await refundOf(service, order, "5.20");
    await refused(order, () => fraud(order), /while a refund is under way/);
    await settleAll(service);
    const confirmed = await fraud(order);
    assert.equal(confirmed.amount_minor, 10000n);
    assert.equal(await told(service, order), "Fraud Confirmed, 5.20");
    assert.equal(await fundsOf(service, order), "994.80 + 0.00");
    await refused(order, () => fraud(order), /Fraud Confirmed/);
    await refused(order, () => open(order), /Fraud Confirmed/);
    assert.equal((await askRefund(service, order)).status, 409);
  });

  test("fraud processes the chargeback that is open, and takes the rest beside it", async () => {
    const order = await paidOrder(service);
    await open(order, 6000n);
    await fraud(order);
    assert.equal(await told(service, order), "Fraud Confirmed, 0.00");
    assert.equal(await fundsOf(service, order), "994.80 + 0.00");
    const kinds = await service.ctx.db.rows(sql`
      select kind, state, amount_minor from disputes where transaction_id = ${order.id}
      order by kind`);
    assert.deepEqual(kinds, [
      { kind: "chargeback", state: "processed", amount_minor: 6000n },
      { kind: "fraud", state: "processed", amount_minor: 4520n },
    ]);
  });

  test("fraud of what was refunded wholly moves no money, only the words", async () => {
    const order = await paidOrder(service);
    await refundOf(service, order);
    await settleAll(service);
    await fraud(order);
    assert.equal(await told(service, order), "Fraud Confirmed, 105.20");
    assert.equal(await fundsOf(service, order), "994.80 + 0.00");
  });
});
