/**
 * Charges of saved cards share their orders with payments, and the rule of orders that are asked
 * for again: whatever is open and untried gives way, and one is paid at most (Decision 0065).
 */

import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import {
  CARDS,
  journal,
  type Order,
  openByRequest,
  payment,
  submit,
  told,
} from "../../../testkit/checkout-sessions.ts";
import { minimal } from "../../../testkit/payment-requests.ts";
import {
  askToCharge,
  charge,
  expectCardsToAddUp,
  openShop,
  orderOf,
  payWithCode,
  remove,
  verifiedCard,
} from "../../../testkit/trusted-cards.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";

const { service, atOnce } = await startTwoServices();
afterEach(() => expectCardsToAddUp(service));

const shop = await openShop(service);
const one = await verifiedCard(service, { shop });
const two = await verifiedCard(service, { shop });
const REPLACED = "failed, [3-R97]: Replaced by a newer request.";
const OPEN = "incomplete, null";
const TAKEN = "The order id is already being paid or has been paid.";
const LINK = /Continue to the new payment page/;

const page = async ({ token }: Order) => (await service.request(`/checkout/${token}`)).text;
const typed = (orderId: string) =>
  openByRequest(service, shop, minimal(shop.accountNumber, { order_id: orderId }));

describe("a charge that is open", () => {
  test("gives way to another card, and its page leads there", async () => {
    const asked = { order_id: "other-card" };
    const older = await askToCharge(service, one, asked);
    const newer = await askToCharge(service, two, asked);
    assert.equal(await told(service, older), REPLACED);
    const text = await page(older);
    assert.match(text, LINK);
    assert(text.includes(newer.token));
    await payWithCode(service, older);
    assert.deepEqual(await journal(service, older), []);
    await payWithCode(service, newer);
    assert.equal((await payment(service, newer)).status, "success");
  });

  test("gives way to a payment with a typed card, and the other way round", async () => {
    const order_id = "either-way";
    const first = await askToCharge(service, one, { order_id });
    const second = await typed(order_id);
    const third = await askToCharge(service, two, { order_id });
    assert.equal(await told(service, first), REPLACED);
    assert.equal(await told(service, second), REPLACED);
    assert.equal(await told(service, third), OPEN);
    // The customer of the payment need not be the holder of the saved card.
    assert.doesNotMatch(await page(second), LINK);
    assert.match(await page(first), LINK);
  });

  test("stays when the card of the newer request cannot be charged", async () => {
    const gone = await verifiedCard(service, { shop });
    const order_id = "card-deleted";
    const older = await askToCharge(service, one, { order_id });
    assert.equal((await remove(service, gone)).status, 200);
    assert.equal((await charge(service, gone, { order_id })).status, 404);
    assert.equal(await told(service, older), OPEN);
    assert.equal((await askToCharge(service, one, { order_id })).id, older.id);
  });

  test("stays once a code was tried: 400 for a charge and for a payment", async () => {
    const order_id = "tried";
    const older = await askToCharge(service, one, { order_id });
    await submit(service, await typed("typed-tried"), CARDS.declined);
    await payWithCode(service, older);
    for (const [asked, card] of [
      [{ order_id }, two],
      [{ order_id: "typed-tried" }, one],
    ] as const) {
      const { status, body } = await charge(service, card, asked);
      assert.deepEqual([status, body.message], [400, TAKEN]);
    }
  });

  test("and 16 charges of two cards at once, with the code sent meanwhile: one is paid", async () => {
    for (let round = 0; round < 3; round++) {
      const order_id = `burst-${round}`;
      const older = await askToCharge(service, one, { order_id });
      const paying = payWithCode(service, older);
      const answers = await atOnce(16, (each, turn) =>
        charge(each, turn % 2 ? one : two, { order_id, data: `cart ${turn}` }),
      );
      await paying;
      const isPaid = (await payment(service, older)).status === "success";
      const expected = isPaid ? 400 : 200;
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([expected]));
      if (isPaid) continue;
      const ends = await Promise.all(answers.map((answer) => told(service, orderOf(answer, shop))));
      assert.equal(ends.filter((end) => end === OPEN).length, 1);
      assert.equal(ends.filter((end) => end === REPLACED).length, 15);
    }
  });
});
