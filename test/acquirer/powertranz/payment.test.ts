/**
 * The guarantee: a customer pays live from the request to the result, the merchant sees what the
 * bank said of address and code, a refund reaches the card, and the books agree with the acquirer.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { eventsOf, type Order, states, sweep } from "../../../testkit/checkout-sessions.ts";
import { postBack } from "../../../testkit/powertranz/post-back.ts";
import { sweepRefunds } from "../../../testkit/sweeps.ts";
import { until } from "../../../testkit/until.ts";
import { openLive, recordOf, resultOver, submitOver, visitBank } from "./http-support.ts";
import { startLive } from "./support.ts";

const live = await startLive();
const { service, fake } = live;
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await live.close();
});

const ADDRESS = {
  addr1: "7 Bay Street",
  city: "Scarborough",
  state: "TT-TOB",
  country: "TT",
  zipcode: "10002",
};

const problemsIn = (page: string): string =>
  [...page.matchAll(/id="(\w+)"[^>]*aria-invalid="true"/g)].map(([, name]) => name).join(", ");

async function payOver(order: Order, typed: Record<string, string> = {}): Promise<void> {
  const submitted = await submitOver(service, order, typed);
  assert.equal(submitted.status, 303, problemsIn(submitted.text));
  const played = await visitBank(service, order);
  const [back] = await postBack(played);
  assert.equal(back?.status, 200);
}

/** The one sale of this payment that the acquirer has. */
async function soldOf({ id }: Order) {
  const all = await fake.control.transactions();
  return all.filter(({ orderIdentifier }) => orderIdentifier.startsWith(id));
}

describe("a live payment", () => {
  test("goes through a challenge to the merchant, with its checks, and is refunded", async () => {
    const order = await openLive(live, { avs: "1" });
    await payOver(order, ADDRESS);
    const result = await resultOver(service, order);
    assert.equal(result.searchParams.get("status"), "success");
    const record = await recordOf(service, order);
    assert.deepEqual(
      [record.status, record.message, record.card, record.checks],
      ["success", "[1-R00]: Transaction is approved.", "visa **** 0006", { avs: "A", cvv: "M" }],
    );
    assert.deepEqual(await eventsOf(service, order), ["payment.created", "payment.success"]);

    for (const amount of [40, 60]) {
      const asked = await service.request(`/transactions/${order.id}/refund`, {
        method: "POST",
        token: order.shop.token,
        json: { amount, reason: "The customer sent it back." },
      });
      assert.equal(asked.status, 201, asked.text);
      await sweepRefunds(service.ctx);
    }
    assert.equal((await recordOf(service, order)).refunded_total, "100.00");
    const [sold, ...others] = await soldOf(order);
    assert.deepEqual([sold?.amountMinor, others.length], [10520, 0]);
    assert.deepEqual(
      sold?.refunds.map(({ amountMinor }) => amountMinor),
      [4000, 6000],
    );
  });

  test("is declined, and paid with another card of the same order", async () => {
    const order = await openLive(live);
    await submitOver(service, order, { holder: "Code 51" });
    await postBack(await visitBank(service, order));
    const page = await service.request(`/checkout/${order.token}`);
    assert.match(page.text, /not have enough funds/);
    await payOver(order, { attempts: "1", number: "5100270000000031" });
    assert.equal((await recordOf(service, order)).status, "success");
    assert.deepEqual(await states(service, order), ["declined", "approved"]);
    const sold = await soldOf(order);
    assert.deepEqual(
      sold.map(({ orderIdentifier }) => orderIdentifier),
      [order.id, `${order.id}-2`],
    );
  });

  test("whose browser forges that the customer was authenticated is declined and undone", async () => {
    await live.fake.control.set({ authenticationRepeated: true });
    const order = await openLive(live);
    await submitOver(service, order, { number: "5555666666662222", holder: "Code 00" });
    const played = await visitBank(service, order);
    const said = JSON.parse(played.fields.Response);
    const RiskManagement = { ThreeDSecure: { AuthenticationStatus: "Y" } };
    const Response = JSON.stringify({ ...said, RiskManagement });
    await postBack({ ...played, fields: { ...played.fields, Response } });
    assert.deepEqual(await states(service, order), ["declined"]);
    assert.equal((await recordOf(service, order)).status, "incomplete");
    const [sold] = await soldOf(order);
    assert.deepEqual([sold?.chargeCount, sold?.isVoided], [1, true]);
    await live.fake.control.set({ authenticationRepeated: false });
  });

  test("whose answer is lost is known to the sweep, and paid once", async () => {
    const order = await openLive(live);
    await submitOver(service, order);
    const played = await visitBank(service, order);
    await fake.control.fault({ kind: "cut-after", endpoint: "spi/payment" });
    await postBack(played);
    assert.equal((await recordOf(service, order)).status, "incomplete");
    await service.clock.advance({ seconds: 6 });
    await sweep(service);
    assert.equal((await recordOf(service, order)).status, "success");
    assert.equal((await soldOf(order)).length, 1);
  });

  test("that never arrives at the acquirer fails, and nothing was charged", async () => {
    const order = await openLive(live);
    await submitOver(service, order);
    const played = await visitBank(service, order);
    await fake.control.fault({ kind: "cut-before", endpoint: "spi/payment" });
    await postBack(played);
    for (const seconds of [6, 16, 61, 61, 121]) {
      await service.clock.advance({ seconds });
      await sweep(service);
    }
    const { status } = await recordOf(service, order);
    assert.equal(status, "failed");
    assert.equal((await soldOf(order))[0]?.chargeCount, 0);
  });

  test("while the acquirer refuses us says so, and counts nothing against the card", async () => {
    const order = await openLive(live);
    await fake.control.set({ passwordWrong: true });
    const page = await submitOver(service, order);
    assert.match(page.text, /This shop cannot take cards right now/);
    await fake.control.set({ passwordWrong: false });
    await payOver(order, { attempts: "1" });
    assert.equal((await recordOf(service, order)).status, "success");
  });
});

describe("amounts that decide", () => {
  const ends = [
    ["91", "declined"],
    ["92", "declined"],
    ["94", "success"],
    // Its void is cut off, too, so it ends without an outcome.
    ["95", "error"],
    ["96", "success"],
    ["97", "success"],
    ["98", "error"],
  ] as const;
  for (const [cents, end] of ends)
    test(`.${cents} is ${end} in the end, charged at most once`, async () => {
      const order = await openLive(live, {
        total: `10.${cents}`,
        fee_structure: "merchant_absorb",
      });
      await submitOver(service, order);
      await postBack(await visitBank(service, order));
      if (end === "declined") {
        assert.deepEqual(await states(service, order), ["declined"]);
      } else {
        for (const seconds of [6, 16, 61, 61, 121]) {
          await service.clock.advance({ seconds });
          await sweep(service);
        }
        assert.equal((await recordOf(service, order)).status, end);
      }
      const [sold] = await soldOf(order);
      assert.equal(sold?.amountMinor, Number(`10${cents}`));
      assert.equal(sold?.chargeCount, end === "success" ? 1 : 0);
    });
});

test(".93 is answered after 25 seconds: the page waits no longer than 20, the answer counts", async () => {
  const order = await openLive(live, { total: "10.93", fee_structure: "merchant_absorb" });
  await submitOver(service, order);
  await postBack(await visitBank(service, order));
  await until(async () => (await recordOf(service, order)).status === "success", "it is paid", 60);
  const [sold] = await soldOf(order);
  assert.equal(sold?.chargeCount, 1);
});

test("a settled payment is refunded", async () => {
  const order = await openLive(live);
  await payOver(order);
  await fake.control.settle();
  const asked = await service.request(`/transactions/${order.id}/refund`, {
    method: "POST",
    token: order.shop.token,
    json: { amount: 100, reason: "Too late." },
  });
  assert.equal(asked.status, 201, asked.text);
  await sweepRefunds(service.ctx);
  assert.equal((await recordOf(service, order)).refunded_total, "100.00");
});
