/**
 * The guarantee: whatever comes back on the wire instead of an answer (a page, a redirect, a cut or
 * endless body, silence), the money moves at most once, the outcome is found out by asking, and our
 * credentials go nowhere else.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { FAULT_KINDS, FAULTS, type FaultKind } from "../../../testkit/powertranz/fault-kinds.ts";
import { newSale, outcomeOf, paid, pay, prepare, refundOf, spoil, startLive } from "./support.ts";

const live = await startLive();
const { gateway, fake, service } = live;
after(() => live.close());

const WIRE = FAULT_KINDS.filter((kind) =>
  /^(cut|reset|5\d\d|cloudflare|200|json-5mb|redirect)/.test(kind),
);
const hasEffect = (kind: FaultKind) => FAULTS[kind].hasEffect;
/** Any answer puts the count of failures back. */
const answerOnce = () => pay(live, newSale());

describe("no answer", () => {
  assert.equal(WIRE.length, 19);
  for (const kind of WIRE) {
    test(`${kind} to a preparation: it is not taken, and charges nothing`, async () => {
      const sale = newSale();
      await spoil(live, sale, "spi/sale", kind);
      assert.deepEqual(await gateway.sale(sale), { outcome: "not taken" });
      assert.equal(await outcomeOf(live, sale), "unknown");
      await service.clock.advance({ seconds: 26 });
      assert.equal(await outcomeOf(live, sale), "never seen");
      // Sent again it takes a new identifier, and may be paid.
      assert.equal((await pay(live, sale)).outcome, "approved");
      const all = await fake.control.transactions();
      const own = all.filter((one) => one.externalIdentifier === sale.reference);
      assert.equal(own.length, hasEffect(kind) ? 2 : 1);
      assert.deepEqual(
        own.map(({ chargeCount }) => chargeCount).sort(),
        own.length === 2 ? [0, 1] : [1],
      );
    });

    test(`${kind} to a completion: it is sent once, and its outcome is looked up`, async () => {
      const sale = newSale();
      await spoil(live, sale, "spi/payment", kind);
      await assert.rejects(pay(live, sale));
      if (!hasEffect(kind)) {
        assert.equal(await outcomeOf(live, sale), "unknown");
        await service.clock.advance({ seconds: 121 });
      }
      assert.equal(await outcomeOf(live, sale), hasEffect(kind) ? "approved" : "declined");
      const calls = await fake.control.calls("spi/payment");
      const own = calls.filter((one) => one.transactionIdentifier === sale.reference);
      assert.equal(own.length, 1);
      await answerOnce();
    });

    test(`${kind} to a lookup: it is asked again`, async () => {
      const sale = newSale();
      await spoil(live, sale, "spi/payment", "cut-after");
      await spoil(live, sale, "lookup", kind);
      await assert.rejects(pay(live, sale));
      assert.equal(await outcomeOf(live, sale), "unknown");
      assert.equal(await outcomeOf(live, sale), "approved");
    });

    test(`${kind} to a void: it is voided once`, async () => {
      const sale = await paid(live);
      await spoil(live, sale, "void", kind);
      await assert.rejects(gateway.voidSale(sale.reference));
      assert.deepEqual(await gateway.voidSale(sale.reference), { outcome: "voided" });
      assert.equal((await fake.control.transaction(sale.reference)).isVoided, true);
    });

    test(`${kind} to a refund: it is done once`, async () => {
      const sale = await paid(live);
      await spoil(live, sale, "refund", kind);
      const order = refundOf(sale, 2000n);
      await assert.rejects(gateway.refund(order));
      const early = hasEffect(kind) ? "refunded" : "unknown";
      assert.equal((await gateway.refundOutcome(order.reference)).outcome, early);
      await service.clock.advance({ seconds: 121 });
      const known = await gateway.refundOutcome(order.reference);
      assert.equal(known.outcome, hasEffect(kind) ? "refunded" : "never seen");
      assert.deepEqual(await gateway.refund(order), { outcome: "refunded" });
      const { refunds } = await fake.control.transaction(sale.reference);
      assert.deepEqual(
        refunds.map(({ amountMinor }) => amountMinor),
        [2000],
      );
    });
  }

  test("a redirect is not followed by any call", async () => {
    assert.deepEqual(await fake.control.calls("elsewhere"), []);
  });
});

describe("a slow answer", () => {
  for (const kind of ["slow-before", "slow-after"] as const)
    test(`${kind}: the sale is one, and asking meanwhile changes nothing`, async () => {
      const sale = newSale();
      const { token, posted } = await prepare(live, sale);
      await spoil(live, sale, "spi/payment", kind, { seconds: 2 });
      const slow = gateway.completeChallenge(sale.reference, token, posted);
      const early = await outcomeOf(live, sale);
      assert(["challenge", "unknown", "approved"].includes(early), early);
      assert.equal((await slow).outcome, "approved");
      assert.equal(await outcomeOf(live, sale), "approved");
    });

  test("a preparation that comes byte by byte is given up after 20 seconds", async () => {
    const sale = newSale();
    await spoil(live, sale, "spi/sale", "drip");
    const began = performance.now();
    assert.deepEqual(await gateway.sale(sale), { outcome: "not taken" });
    assert(performance.now() - began >= 19_000);
  });
});

test("an approval that comes beside a void counts once it is found and not void", async () => {
  const sale = newSale();
  const { token, posted } = await prepare(live, sale);
  await fake.control.set({ lookupDelaySeconds: 1000, voidNever: true });
  await spoil(live, sale, "spi/payment", "slow-after", { seconds: 3 });
  const slow = gateway.completeChallenge(sale.reference, token, posted);
  await service.clock.advance({ seconds: 121 });
  // Neither found nor voided: nothing may be concluded from that.
  assert.equal(await outcomeOf(live, sale), "unknown");
  await assert.rejects(slow);
  await fake.control.set({ lookupDelaySeconds: 0, voidNever: false });
  assert.equal(await outcomeOf(live, sale), "unknown");
  await service.clock.advance({ seconds: 121 });
  assert.equal(await outcomeOf(live, sale), "approved");
  assert.deepEqual(await gateway.voidSale(sale.reference), { outcome: "voided" });
});
