/**
 * The guarantee: what the gateway says of a transaction is read in each of its manners, and its
 * silence is no proof: what it may only not show yet is neither charged nor refunded again.
 */

import assert from "node:assert/strict";
import { after, beforeEach, describe, test } from "node:test";
import { newSale, outcomeOf, paid, pay, refundOf, spoil, startLive } from "./support.ts";

const live = await startLive();
const { gateway, fake, service } = live;
after(() => live.close());
beforeEach(() =>
  fake.control.set({
    lookupOff: false,
    lookupDelaySeconds: 0,
    lookupNotFoundAs: "404",
    voidNever: false,
  }),
);

const lost = async (kind: "cut-after" | "cut-before") => {
  const sale = newSale();
  await spoil(live, sale, "spi/payment", kind);
  await assert.rejects(pay(live, sale));
  return sale;
};

for (const lookupNotFoundAs of ["404", "null", "12/381"] as const)
  describe(`a transaction that is not found is answered with ${lookupNotFoundAs}`, () => {
    beforeEach(() => fake.control.set({ lookupNotFoundAs }));

    test("a completion that never arrived ends as not charged", async () => {
      const sale = await lost("cut-before");
      assert.equal(await outcomeOf(live, sale), "unknown");
      await service.clock.advance({ seconds: 121 });
      const answer = await gateway.saleOutcome(sale.reference);
      assert.deepEqual([answer.outcome, "code" in answer && answer.code], ["declined", "98"]);
      assert.equal((await fake.control.transaction(sale.reference)).chargeCount, 0);
    });

    test("a completion that is not visible yet is approved once it is", async () => {
      await fake.control.set({ lookupDelaySeconds: 60 });
      const sale = await lost("cut-after");
      assert.equal(await outcomeOf(live, sale), "unknown");
      await fake.control.advance(61);
      assert.equal(await outcomeOf(live, sale), "approved");
    });

    test("one that stays invisible is voided, and ends as not charged", async () => {
      await fake.control.set({ lookupDelaySeconds: 1000 });
      const sale = await lost("cut-after");
      await service.clock.advance({ seconds: 121 });
      assert.equal(await outcomeOf(live, sale), "declined");
      assert.equal((await fake.control.transaction(sale.reference)).isVoided, true);
    });

    test("a refund that is not visible yet is not sent again", async () => {
      const sale = await paid(live);
      await fake.control.set({ lookupDelaySeconds: 1000 });
      await spoil(live, sale, "refund", "cut-after");
      const order = refundOf(sale, 2000n);
      await assert.rejects(gateway.refund(order));
      await service.clock.advance({ seconds: 300 });
      assert.deepEqual(await gateway.refundOutcome(order.reference), { outcome: "unknown" });
      await assert.rejects(gateway.refund(order));
      await fake.control.advance(1001);
      assert.deepEqual(await gateway.refundOutcome(order.reference), { outcome: "refunded" });
      const { refunds } = await fake.control.transaction(sale.reference);
      assert.equal(refunds.length, 1);
    });
  });

describe("a gateway that answers no lookup, though the settings say so", () => {
  beforeEach(() => fake.control.set({ lookupOff: true }));

  test("a lost completion is voided, and ends as not charged", async () => {
    const sale = await lost("cut-after");
    await service.clock.advance({ seconds: 121 });
    assert.equal(await outcomeOf(live, sale), "declined");
    assert.equal((await fake.control.transaction(sale.reference)).isVoided, true);
  });

  test("a lost refund stays unknown, and is never sent twice", async () => {
    const sale = await paid(live);
    await spoil(live, sale, "refund", "cut-after");
    const order = refundOf(sale, 2000n);
    await assert.rejects(gateway.refund(order));
    await service.clock.advance({ hours: 5 });
    assert.deepEqual(await gateway.refundOutcome(order.reference), { outcome: "unknown" });
    const { refunds } = await fake.control.transaction(sale.reference);
    assert.equal(refunds.length, 1);
  });

  test("a lost void is known by what the gateway refuses afterwards", async () => {
    const sale = await paid(live);
    await spoil(live, sale, "void", "cut-after");
    await assert.rejects(gateway.voidSale(sale.reference));
    await service.clock.advance({ seconds: 121 });
    assert.deepEqual(await gateway.voidSale(sale.reference), { outcome: "voided" });
    const { isVoided, refunds } = await fake.control.transaction(sale.reference);
    assert.deepEqual([isVoided, refunds.length], [true, 0]);
  });
});

test("a sale that is only prepared is not found, and no lookup is made for it", async () => {
  const sale = newSale();
  await gateway.sale(sale);
  await fake.control.send({ forgetCalls: true });
  assert.equal(await outcomeOf(live, sale), "challenge");
  await service.clock.advance({ seconds: 301 });
  assert.equal(await outcomeOf(live, sale), "challenge pending");
  assert.equal(await outcomeOf(live, sale), "declined");
  assert.deepEqual(await fake.control.calls(), []);
});
