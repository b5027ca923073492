/**
 * The guarantee: what was taken is given back once and never more than it: by a void while the
 * gateway lets us, by a refund of the whole afterwards; in parts, up to the sale.
 */

import assert from "node:assert/strict";
import { after, beforeEach, describe, test } from "node:test";
import type { Sale } from "../../../src/modules/gateway/port.ts";
import { newSale, paid, pay, refundOf, spoil, startLive } from "./support.ts";

const live = await startLive();
const { gateway, fake, service } = live;
after(() => live.close());
beforeEach(() =>
  fake.control.set({ voidNever: false, voidWindowSeconds: 1200, oneRefundOnly: false }),
);

const WHOLE = 10520n;
const VOIDED = { outcome: "voided" };

async function backOf({ reference }: Sale) {
  const { isVoided, refunds } = await fake.control.transaction(reference);
  return { isVoided, refunded: refunds.map(({ amountMinor }) => amountMinor) };
}

describe("a void", () => {
  test("within the window is a void", async () => {
    const sale = await paid(live);
    assert.deepEqual(await gateway.voidSale(sale.reference), VOIDED);
    assert.deepEqual(await backOf(sale), { isVoided: true, refunded: [] });
  });

  const asRefund = async (sale: Sale) => {
    for (const _ of ["first", "again"])
      assert.deepEqual(await gateway.voidSale(sale.reference), VOIDED);
    assert.deepEqual(await backOf(sale), { isVoided: false, refunded: [Number(WHOLE)] });
  };

  test("that the gateway refuses for sales becomes a refund of the whole", async () => {
    await fake.control.set({ voidNever: true });
    await asRefund(await paid(live));
  });

  test("that the gateway finds too late becomes a refund", async () => {
    const sale = await paid(live);
    await fake.control.advance(1201);
    await asRefund(sale);
  });

  test("of a settled sale becomes a refund", async () => {
    const sale = await paid(live);
    await fake.control.settle();
    await asRefund(sale);
  });

  test("is not tried once our own window is over", async () => {
    const sale = await paid(live);
    await service.clock.advance({ minutes: 21 });
    await fake.control.send({ forgetCalls: true });
    await asRefund(sale);
    assert.deepEqual(await fake.control.calls("void"), []);
  });

  test("whose refund is lost is asked for again, and given back once", async () => {
    await fake.control.set({ voidNever: true });
    const sale = await paid(live);
    await spoil(live, sale, "refund", "cut-after");
    await assert.rejects(gateway.voidSale(sale.reference));
    await asRefund(sale);
  });

  test("16 times at once by one process gives back once", async () => {
    const sale = await paid(live);
    const calls = Array.from({ length: 16 }, () => gateway.voidSale(sale.reference));
    await Promise.allSettled(calls);
    assert.deepEqual(await gateway.voidSale(sale.reference), VOIDED);
    assert.deepEqual(await backOf(sale), { isVoided: true, refunded: [] });
  });

  test("of which the answer names another sale is asked about again", async () => {
    const sale = await paid(live);
    await spoil(live, sale, "void", "approved-other-identifier");
    await assert.rejects(gateway.voidSale(sale.reference));
    assert.deepEqual(await gateway.voidSale(sale.reference), VOIDED);
  });
});

describe("a refund", () => {
  test("goes in parts up to the whole, and not above", async () => {
    const sale = await paid(live);
    for (const minor of [5000n, 5000n, 520n])
      assert.deepEqual(await gateway.refund(refundOf(sale, minor)), { outcome: "refunded" });
    const above = await gateway.refund(refundOf(sale, 1n));
    assert.deepEqual(above, { outcome: "rejected", reason: "code 12, errors 383" });
    assert.deepEqual((await backOf(sale)).refunded, [5000, 5000, 520]);
  });

  test("above the sale is rejected, and so is one of a voided sale", async () => {
    const sale = await paid(live);
    assert.equal((await gateway.refund(refundOf(sale, WHOLE + 1n))).outcome, "rejected");
    await gateway.voidSale(sale.reference);
    assert.equal((await gateway.refund(refundOf(sale, 100n))).outcome, "rejected");
  });

  test("where one refund only is allowed, the second is rejected", async () => {
    await fake.control.set({ oneRefundOnly: true });
    const sale = await paid(live);
    assert.equal((await gateway.refund(refundOf(sale, 100n))).outcome, "refunded");
    assert.equal((await gateway.refund(refundOf(sale, 100n))).outcome, "rejected");
  });

  test("of a settled sale is done", async () => {
    const sale = await paid(live);
    await fake.control.settle();
    assert.equal((await gateway.refund(refundOf(sale, WHOLE))).outcome, "refunded");
  });

  test("of no sale, or of one that was declined, is rejected", async () => {
    const declined = newSale({ holder: "Code 05" });
    await pay(live, declined);
    for (const saleReference of [null, newSale().reference, declined.reference]) {
      const order = { ...refundOf(declined, 100n), saleReference };
      assert.equal((await gateway.refund(order)).outcome, "rejected");
    }
  });

  test("of which the answer does not agree with itself is looked up", async () => {
    for (const kind of [
      "approved-other-amount",
      "approved-other-currency",
      "approved-other-identifier",
      "not-approved-with-00",
      "without-approved",
      "iso-96-with-effect",
    ] as const) {
      const sale = await paid(live);
      await spoil(live, sale, "refund", kind);
      const order = refundOf(sale, 1000n);
      await assert.rejects(gateway.refund(order), kind);
      assert.deepEqual(await gateway.refundOutcome(order.reference), { outcome: "refunded" }, kind);
      assert.deepEqual((await backOf(sale)).refunded, [1000], kind);
    }
  });
});
