/**
 * The guarantee: where the acquirer lets nobody look a transaction up, a lost answer ends as an
 * error after the session's grace, what it may have charged is voided as far as the gateway lets
 * us, and an operator is called.
 */

import assert from "node:assert/strict";
import { after, beforeEach, describe, test } from "node:test";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { type Order, states, sweep } from "../../../testkit/checkout-sessions.ts";
import type { FaultKind } from "../../../testkit/powertranz/fault-kinds.ts";
import { postBack } from "../../../testkit/powertranz/post-back.ts";
import { openLive, recordOf, submitOver, visitBank } from "./http-support.ts";
import { alarmsOf, outcomeOf, paid, problemCount, refundOf, spoil, startLive } from "./support.ts";

const live = await startLive({
  settings: { POWERTRANZ_LOOKUP: "false" },
  fake: { switches: { lookupOff: true } },
});
const { service, fake, gateway } = live;
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await live.close();
});
beforeEach(() => fake.control.set({ voidNever: false }));

async function lostPayment(kind: FaultKind): Promise<Order> {
  const order = await openLive(live);
  await submitOver(service, order);
  const played = await visitBank(service, order);
  await fake.control.fault({ kind, endpoint: "spi/payment" });
  await postBack(played);
  return order;
}

/** Through the timetable: 5, 15, 60 s, 2, 4, 8 min. */
async function waitFor(minutes: number): Promise<void> {
  for (let second = 0; second < minutes * 60; second += 30) {
    await service.clock.advance({ seconds: 30 });
    await sweep(service);
  }
}

const soldOf = async ({ id }: Order) =>
  (await fake.control.transactions()).find(({ orderIdentifier }) => orderIdentifier === id);

describe("a payment whose answer is lost", () => {
  test("ends as an error after its grace, and is voided", async () => {
    const order = await lostPayment("cut-after");
    const before = await problemCount("undecided");
    await waitFor(3);
    assert.equal((await recordOf(service, order)).status, "incomplete");
    await waitFor(1);
    assert.equal((await recordOf(service, order)).status, "error");
    assert.equal((await soldOf(order))?.isVoided, false);
    await waitFor(15);
    assert.equal((await soldOf(order))?.isVoided, true);
    assert.equal(await problemCount("undecided"), before + 1);
    assert.match(alarmsOf(live).at(-1) ?? "", /look for it in the acquirer's portal/);
    assert.deepEqual(await states(service, order), ["declined"]);
    assert.deepEqual(await fake.control.calls("lookup"), []);
  });

  test("that was never charged ends as an error, too, and the void finds nothing", async () => {
    const order = await lostPayment("cut-before");
    await waitFor(20);
    assert.equal((await recordOf(service, order)).status, "error");
    assert.deepEqual(await states(service, order), ["declined"]);
    assert.equal((await soldOf(order))?.chargeCount, 0);
  });

  test("that the gateway lets nobody void stays undecided, with an alarm each time", async () => {
    const before = await problemCount("undecided");
    await fake.control.set({ voidNever: true });
    const order = await lostPayment("cut-after");
    await waitFor(20);
    assert.equal((await recordOf(service, order)).status, "error");
    assert.deepEqual(await states(service, order), ["unknown"]);
    assert((await problemCount("undecided")) > before);
  });
});

test("a refund whose answer is lost stays unknown, with an alarm, and is sent once", async () => {
  const sale = await paid(live);
  await spoil(live, sale, "refund", "cut-after");
  const order = refundOf(sale, 1000n);
  await assert.rejects(gateway.refund(order));
  const before = await problemCount("undecided");
  await service.clock.advance({ hours: 1 });
  assert.deepEqual(await gateway.refundOutcome(order.reference), { outcome: "unknown" });
  assert.equal(await problemCount("undecided"), before + 1);
  await assert.rejects(gateway.refund(order));
  assert.equal((await fake.control.transaction(sale.reference)).refunds.length, 1);
});

test("a sale is voided, also when the answer of its void is lost", async () => {
  const sale = await paid(live);
  await spoil(live, sale, "void", "reset-after");
  await assert.rejects(gateway.voidSale(sale.reference));
  await assert.rejects(gateway.voidSale(sale.reference), "while it may be under way");
  await service.clock.advance({ seconds: 121 });
  assert.deepEqual(await gateway.voidSale(sale.reference), { outcome: "voided" });
  assert.equal(await outcomeOf(live, sale), "approved");
});
