/**
 * The guarantee: a lookup decides only what it clearly says. A sale that our own void undid is not
 * taken for paid, an error in the form of a record is no outcome, a refund that may be ours is not
 * sent again, and one refused request does not count as an outage.
 */

import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import type { Client } from "../../../src/modules/gateway/powertranz/client.ts";
import { lookUpRefund } from "../../../src/modules/gateway/powertranz/lookup.ts";
import { until } from "../../../testkit/until.ts";
import { newSale, outcomeOf, pay, prepare, spoil, startLive } from "./support.ts";

/** Longer than the test takes: it is released. */
const HELD_SECONDS = 20;
const live = await startLive();
const { gateway, fake, service } = live;
after(() => live.close());
beforeEach(() => fake.control.set({ lookupDelaySeconds: 0, lookupNotFoundAs: "404" }));

/** A sale that was charged, with its answer lost and not visible yet. */
async function lostSale() {
  await fake.control.set({ lookupDelaySeconds: 1_000 });
  const sale = newSale();
  await spoil(live, sale, "spi/payment", "cut-after");
  await assert.rejects(pay(live, sale));
  return sale;
}

test("a sale that our own void undid, its answer lost, is not paid", async () => {
  const sale = await lostSale();
  await service.clock.advance({ seconds: 121 });
  await spoil(live, sale, "void", "cut-after");
  await assert.rejects(gateway.saleOutcome(sale.reference));
  await fake.control.advance(1_001);
  assert.equal((await gateway.saleOutcome(sale.reference)).outcome, "declined");
  assert.equal((await fake.control.transaction(sale.reference)).isVoided, true);
});

test("while a void is under way, an approval that is found decides nothing", async () => {
  const sale = await lostSale();
  await service.clock.advance({ seconds: 121 });
  await spoil(live, sale, "void", "slow-before", { seconds: HELD_SECONDS });
  const countBefore = (await fake.control.calls("void")).length;
  const voiding = gateway.saleOutcome(sale.reference);
  const isUnderWay = async () => (await fake.control.calls("void")).length > countBefore;
  await until(isUnderWay, "the void is under way");
  await fake.control.advance(1_001);
  assert.equal((await gateway.saleOutcome(sale.reference)).outcome, "unknown");
  await fake.control.send({ release: true });
  assert.equal((await voiding).outcome, "declined");
  assert.equal((await gateway.saleOutcome(sale.reference)).outcome, "declined");
});

test("an approval that comes long after its sale was undone does not make it paid", async () => {
  const sale = newSale();
  const { token, posted } = await prepare(live, sale);
  await fake.control.set({ lookupDelaySeconds: 1_000 });
  await spoil(live, sale, "spi/payment", "slow-after", { seconds: HELD_SECONDS });
  const countBefore = (await fake.control.calls("spi/payment")).length;
  const completing = gateway.completeChallenge(sale.reference, token, posted);
  const isUnderWay = async () => (await fake.control.calls("spi/payment")).length > countBefore;
  await until(isUnderWay, "the completion is under way");
  await service.clock.advance({ seconds: 121 });
  assert.equal((await gateway.saleOutcome(sale.reference)).outcome, "declined");
  // No void is on the wire any more: only that it took effect speaks against the approval.
  await service.clock.advance({ seconds: 121 });
  await fake.control.send({ release: true });
  assert.equal((await completing).outcome, "declined");
  assert.equal((await gateway.saleOutcome(sale.reference)).outcome, "declined");
  assert.equal((await fake.control.transaction(sale.reference)).isVoided, true);
});

test("an error in the form of a record is no outcome", async () => {
  const sale = await lostSale();
  await fake.control.set({ lookupNotFoundAs: "12" });
  await assert.rejects(gateway.saleOutcome(sale.reference));
  await fake.control.set({ lookupDelaySeconds: 0 });
  assert.equal(await outcomeOf(live, sale), "approved");
});

const IDENTIFIER = "6d0f3a52-8f0b-4a35-9d54-1c7a2be0f911";
const sold = { TransactionIdentifier: IDENTIFIER, TransactionType: 2, IsoResponseCode: "00" };

for (const [what, refund, counted, expected] of [
  ["without a reference", {}, 1, "cannot say"],
  ["in other letters", { ExternalIdentifier: "RF-1" }, 1, "found"],
  ["of another reference", { ExternalIdentifier: "rf-2" }, 1, "not there"],
  ["that is not counted", { ExternalIdentifier: "rf-2" }, undefined, "cannot say"],
] as const)
  test(`a refund in the order ${what}: ${expected}`, async () => {
    const listed = { TransactionType: 5, IsoResponseCode: "00", TotalAmount: 20, ...refund };
    const order = { CreditCount: counted, Transactions: [sold, listed] };
    const client: Client = {
      call: async () => order,
      demandUp() {},
      state: () => "up",
      isSuspended: () => false,
      async stop() {},
    };
    const credentials = { id: "1", password: "2" };
    const query = { identifier: IDENTIFIER, reference: "rf-1" };
    const found = await lookUpRefund(client, credentials, query);
    assert.equal(typeof found === "string" ? found : "found", expected);
  });

test("requests that the proxy in front refuses do not count as an outage", async () => {
  for (let round = 0; round < 10; round += 1) {
    const sale = newSale();
    await spoil(live, sale, "spi/sale", "cloudflare-403");
    assert.equal((await gateway.sale(sale)).outcome, "not taken");
  }
  assert.equal(gateway.state(), "up");
});
