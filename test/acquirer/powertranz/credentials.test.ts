/**
 * The guarantee: credentials that the gateway refuses are an alarm for operators and no answer to a
 * customer's card; once they are right, everything goes on by itself. Each currency goes with its
 * own credentials, and what undoes a sale with those of the sale.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { money } from "../../../src/kit/money.ts";
import { FAKE_MERCHANT } from "../../../testkit/powertranz/fake.ts";
import { assertFakeInvariant } from "../../../testkit/powertranz/invariant.ts";
import { postBack } from "../../../testkit/powertranz/post-back.ts";
import { openLive, recordOf, submitOver, visitBank } from "./http-support.ts";
import {
  alarmsOf,
  newSale,
  outcomeOf,
  paid,
  pay,
  problemCount,
  refundOf,
  spoil,
  startLive,
  VISA,
} from "./support.ts";

const DOLLARS = { id: "88805678", password: "fake-Pw-3Rt8wN5yBc6H", currencies: ["840"] };
const live = await startLive({
  fake: { merchants: [FAKE_MERCHANT, DOLLARS], gatewayKey: "a-gateway-key" },
  settings: {
    POWERTRANZ_GATEWAY_KEY: "a-gateway-key",
    POWERTRANZ_CURRENCY_IDS: `USD:${DOLLARS.id}:${DOLLARS.password}`,
    POWERTRANZ_CURRENCIES: "TTD,USD",
    POWERTRANZ_BRANDS: "visa",
  },
});
const { gateway, fake, service } = live;
after(() => live.close());

const REFUSED = { outcome: "not taken", because: "settings" };

for (const credentials401 of [false, true])
  describe(`a wrong password, answered with ${credentials401 ? "401" : "a code"}`, () => {
    test("is an alarm and no decline; ten in a row and it counts as down, and is asked on", async () => {
      const sale = await paid(live);
      const lost = newSale();
      await spoil(live, lost, "spi/payment", "cut-after");
      await assert.rejects(pay(live, lost));
      const order = refundOf(sale, 1000n);

      await fake.control.set({ passwordWrong: true, credentials401 });
      const [before, lines] = [await problemCount("settings"), alarmsOf(live).length];
      for (let at = 0; at < 12; at++) assert.deepEqual(await gateway.sale(newSale()), REFUSED);
      // One for each, and one for the moment at which it counts as down.
      assert.equal(await problemCount("settings"), before + 13);
      assert.equal(alarmsOf(live).length, lines + 13);
      assert.equal((await service.request("/readyz")).body.gateways.live, "down");
      assert.equal(await outcomeOf(live, lost), "unknown");
      await assert.rejects(gateway.refund(order));
      await assert.rejects(gateway.voidSale(sale.reference));

      await fake.control.set({ passwordWrong: false, credentials401: false });
      assert.equal((await pay(live, newSale())).outcome, "approved");
      assert.equal(gateway.state(), "up");
      assert.equal(await outcomeOf(live, lost), "approved");
      await service.clock.advance({ seconds: 121 });
      assert.deepEqual(await gateway.refundOutcome(order.reference), { outcome: "never seen" });
      assert.deepEqual(await gateway.refund(order), { outcome: "refunded" });
      await assertFakeInvariant(fake);
    });

    test("of a card check: it is not taken, and charges nothing", async () => {
      await fake.control.set({ passwordWrong: true, credentials401 });
      const check = newSale({ isAmountSecret: true, amount: money("TTD", 73n) });
      assert.deepEqual(await gateway.sale(check), REFUSED);
      await fake.control.set({ passwordWrong: false, credentials401: false });
      assert.equal(await outcomeOf(live, check), "declined");
    });
  });

describe("a customer who pays meanwhile", () => {
  before(() => fake.control.set({ passwordWrong: true }));
  after(() => fake.control.set({ passwordWrong: false }));

  test("reads that it is the shop and not the card, and loses no try", async () => {
    const order = await openLive(live);
    for (const attempts of ["0", "1", "2", "3", "4", "5"]) {
      const page = await submitOver(service, order, { attempts });
      assert.equal(page.status, 422, page.text);
      assert.match(page.text, /This shop cannot take cards right now/);
      assert.match(page.text, /It is not your card, and nothing was charged\./);
      // Without what the script may say later.
      const read = page.text.replace(/data-words="[^"]*"/, "");
      assert.doesNotMatch(read, /tries? left|in a moment/);
    }
    await fake.control.set({ passwordWrong: false });
    const declined = { attempts: "6", number: VISA, holder: "Code 05" };
    assert.equal((await submitOver(service, order, declined)).status, 303);
    await postBack(await visitBank(service, order));
    const page = await service.request(`/checkout/${order.token}`);
    assert.match(page.text, /You have 4 tries left/);
    assert.equal((await submitOver(service, order, { attempts: "7" })).status, 303);
    await postBack(await visitBank(service, order));
    assert.equal((await recordOf(service, order)).status, "success");
  });

  test("may send the form twenty times, and then the payment ends", async () => {
    await fake.control.set({ passwordWrong: true });
    const order = await openLive(live);
    for (let at = 0; at < 19; at++)
      assert.equal((await submitOver(service, order, { attempts: String(at) })).status, 422);
    assert.equal((await submitOver(service, order, { attempts: "19" })).status, 303);
    const { status, message } = await recordOf(service, order);
    assert.equal(status, "failed");
    assert.match(message, /^\[2-R96\]: The payment could not be started\./);
  });
});

test("a currency with its own id is sold, looked up, refunded and voided with it", async () => {
  const amount = money("USD", 5000n);
  const sale = await paid(live, { amount });
  assert.deepEqual(await gateway.refund(refundOf(sale, 100n)), { outcome: "refunded" });
  const lost = newSale({ amount });
  await spoil(live, lost, "spi/payment", "cut-after");
  await assert.rejects(pay(live, lost));
  assert.equal(await outcomeOf(live, lost), "approved");
  assert.deepEqual(await gateway.voidSale(lost.reference), { outcome: "voided" });
  for (const { reference } of [sale, lost])
    assert.equal((await fake.control.transaction(reference)).merchantId, DOLLARS.id);
});

test("what the contract does not cover is declined without a call", async () => {
  await fake.control.send({ forgetCalls: true });
  for (const more of [{ amount: money("JMD", 5000n) }, { number: "5100270000000023" }]) {
    const answer = await gateway.sale(newSale(more));
    assert.deepEqual([answer.outcome, "code" in answer && answer.code], ["declined", "57"]);
  }
  assert.deepEqual(await fake.control.calls(), []);
});

test("the other password is in nothing that was written", () => {
  assert(!service.logged.some((line) => line.includes(DOLLARS.password)));
});
