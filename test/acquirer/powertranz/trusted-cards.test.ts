/**
 * The guarantee: a card is saved live by a small charge whose amount no challenge shows, verified
 * by that amount, given the money back, and charged again as a stored card with a challenge.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { money } from "../../../src/kit/money.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { postBack } from "../../../testkit/powertranz/post-back.ts";
import {
  askToCharge,
  askToSave,
  openShop,
  payWithCode,
  returnOf,
  savedOf,
  setAmount,
  tidyUp,
  verify,
} from "../../../testkit/trusted-cards.ts";
import { recordOf, submitOver, visitBank } from "./http-support.ts";
import { ASKED, type Live, newSale, outcomeOf, spoil, startLive } from "./support.ts";

const direct = await startLive();
const authenticated = await startLive({ settings: { POWERTRANZ_CARD_CHECK: "non-payment" } });
after(async () => {
  for (const one of [direct, authenticated]) {
    await expectBooksToBalance(one.service.ctx.db);
    await one.close();
  }
});

/** The bodies that went to this endpoint, as the fake keeps them. */
async function sentTo({ fake }: Live, endpoint: "sale" | "spi/sale") {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  return (await fake.control.calls(endpoint)).map(({ body }) => body as any);
}

async function startSaving({ service }: Live) {
  const order = await askToSave(service, await openShop(service), { environment: "live" });
  await setAmount(service, order, 73);
  await submitOver(service, order, { number: ASKED });
  return order;
}

async function verifyAndCharge(live: Live, order: Awaited<ReturnType<typeof startSaving>>) {
  const { service, fake } = live;
  const card = await savedOf(service, order);
  assert.equal(card.result.searchParams.get("status"), "success");
  assert.equal((await verify(service, card, "0.74")).status, 400);
  assert.equal((await verify(service, card, card.amount)).status, 200);
  await tidyUp(service);
  assert.equal(await returnOf(service, card), "returned");
  const [check] = await fake.control.transactions();
  assert.deepEqual(
    [check?.amountMinor, check?.refunds.map(({ amountMinor }) => amountMinor)],
    [73, [73]],
  );

  const charged = await askToCharge(service, card);
  await payWithCode(service, charged);
  await postBack(await visitBank(service, charged));
  const record = await recordOf(service, charged);
  assert.deepEqual([record.status, record.card], ["success", "visa **** 0006"]);
  const body = (await sentTo(live, "spi/sale")).at(-1);
  assert.equal(body.CardOnFile, true);
  assert.equal(body.ThreeDSecure, true);
}

describe("a card that is saved live", () => {
  test("is charged directly, verified, refunded and charged", async () => {
    const order = await startSaving(direct);
    const [body] = await sentTo(direct, "sale");
    assert.equal(body.ThreeDSecure, false);
    assert.equal("ExtendedData" in body, false);
    assert.equal("CardOnFile" in body, false);
    assert.deepEqual(await sentTo(direct, "spi/sale"), []);
    await verifyAndCharge(direct, order);
  });

  test("where it is agreed, is authenticated without the amount first", async () => {
    const { service } = authenticated;
    const order = await startSaving(authenticated);
    const [body] = await sentTo(authenticated, "spi/sale");
    assert.deepEqual(
      [
        body.ExtendedData.ThreeDSecure.MessageCategory,
        body.ExtendedData.ThreeDSecure.AuthenticationIndicator,
      ],
      ["02", "04"],
    );
    const played = await visitBank(service, order);
    // The last page only posts back; it is not for eyes, but its source has the amount.
    assert(!played.pages.slice(0, -1).some((page) => page.includes("0.73")));
    await postBack(played);
    await verifyAndCharge(authenticated, order);
  });
});

describe("a direct charge", () => {
  const check = () => newSale({ isAmountSecret: true, amount: money("TTD", 61n) });

  test("whose answer is lost is looked up, and is charged once", async () => {
    const sale = check();
    await spoil(direct, sale, "sale", "cut-after");
    await assert.rejects(direct.gateway.sale(sale));
    assert.equal(await outcomeOf(direct, sale), "approved");
    assert.equal((await direct.gateway.sale(sale)).outcome, "approved");
    const { chargeCount } = await direct.fake.control.transaction(sale.reference);
    assert.equal(chargeCount, 1);
  });

  test("that never arrived ends as not charged, and is not sent again", async () => {
    const sale = check();
    await spoil(direct, sale, "sale", "cut-before");
    await assert.rejects(direct.gateway.sale(sale));
    await assert.rejects(direct.gateway.sale(sale));
    await direct.service.clock.advance({ seconds: 121 });
    assert.equal(await outcomeOf(direct, sale), "declined");
  });

  test("sent 16 times at once is one", async () => {
    const sale = check();
    const calls = Array.from({ length: 16 }, () => direct.gateway.sale(sale));
    const all = await Promise.allSettled(calls);
    for (const one of all)
      if (one.status === "fulfilled") assert.equal(one.value.outcome, "approved");
    assert.equal(await outcomeOf(direct, sale), "approved");
    const { chargeCount } = await direct.fake.control.transaction(sale.reference);
    assert.equal(chargeCount, 1);
  });
});
