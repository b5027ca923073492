/**
 * The guarantee: what is simulated of a payment is what the real thing does: record, attempts,
 * ledger, events, webhooks, receipts and the redirect are equal field by field, ids and times aside
 * (Decision 0102).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { refundsOf } from "../../../src/modules/transactions/refund.ts";
import { settleRefund } from "../../../src/modules/transactions/settle-refunds.ts";
import { fund } from "../../../testkit/books.ts";
import {
  answerBank,
  CARDS,
  expectAllToAddUp,
  type Order,
  openOrder,
  submit,
} from "../../../testkit/checkout-sessions.ts";
import { makeLink, openLinkOrder, WITH_EMAIL } from "../../../testkit/payment-links.ts";
import { startService } from "../../../testkit/service.ts";
import { openShop } from "../../../testkit/transactions.ts";
import { askToCharge, payWithCode, verifiedCard } from "../../../testkit/trusted-cards.ts";
import { makeEndpoint } from "../../../testkit/webhook-endpoints.ts";
import { refundOf } from "../../api/transactions/refund-support.ts";
import { paymentEvidence } from "./evidence.ts";
import {
  disputed,
  fraud,
  gaveUp,
  happens,
  paymentThatIs,
  type Scene,
  type State,
  settled,
  simulate,
  submitted,
  timePasses,
} from "./payment-states.ts";

const service = await startService();
const shop = await openShop(service);
const scene: Scene = { service, shop };
await fund(service.ctx.db, shop.accountNumber, "100000.00 TTD", "sandbox");
await makeEndpoint(service, shop, { environment: "sandbox" });
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
});

type Way = (scene: Scene, order: Order) => Promise<unknown>;

const bank =
  (result: "passed" | "refused"): Way =>
  (_scene, order) =>
    answerBank(service, order, result);
const both =
  (one: Way, two: Way): Way =>
  async (...of) => {
    await one(...of);
    await two(...of);
  };
const refundSettled: Way = async (_scene, { id }) => {
  const [refund] = await refundsOf(service.ctx.db, id);
  await settleRefund(service.ctx, refund?.refund_id ?? "");
};

const DECLINED = { outcome: "decline", code: "05" };

/** From which state, what is simulated, and how it really happens. */
const SAME: readonly [State, { outcome: string; code?: string }, Way][] = [
  ["created", { outcome: "approve" }, submitted("approved")],
  ["created", { outcome: "expire" }, timePasses(181)],
  ["card declined", { outcome: "approve" }, submitted("approved")],
  ["card declined", { outcome: "expire" }, timePasses(181)],
  ["challenge open", { outcome: "approve" }, bank("passed")],
  ["challenge open", { outcome: "decline", code: "3D" }, both(bank("refused"), gaveUp)],
  ["challenge open", { outcome: "expire" }, timePasses(181)],
  ["outcome unknown", { outcome: "approve" }, timePasses(6)],
  ["refund under way", { outcome: "refund_rejected" }, refundSettled],
  ["paid", { outcome: "chargeback_pending" }, disputed],
  ["refunded in part", { outcome: "chargeback_pending" }, disputed],
  ["refund under way", { outcome: "chargeback_pending" }, disputed],
  ["disputed", { outcome: "chargeback_processed" }, settled("processed")],
  ["disputed", { outcome: "chargeback_released" }, settled("released")],
  ["paid", { outcome: "fraud_confirmed" }, fraud],
  ["disputed", { outcome: "fraud_confirmed" }, fraud],
  ["refunded", { outcome: "fraud_confirmed" }, fraud],
];

describe("a simulation does what the real thing does:", () => {
  for (const [state, json, really] of SAME)
    test(`${json.outcome} of one that is ${state}`, async () => {
      const real = await paymentThatIs(scene, state);
      await really(scene, real);
      const simulated = await paymentThatIs(scene, state);
      await happens(scene, simulated, json);
      assert.deepEqual(
        await paymentEvidence(service, simulated),
        await paymentEvidence(service, real),
      );
    });

  test("decline, as with a card that the bank declines and a customer who goes back", async () => {
    const real = await paymentThatIs(scene, "created");
    await both(submitted("declined"), gaveUp)(scene, real);
    const simulated = await paymentThatIs(scene, "created");
    await happens(scene, simulated, DECLINED);
    const withCard = JSON.stringify(await paymentEvidence(service, real)).replaceAll(
      "3333",
      "1111",
    );
    assert.deepEqual(await paymentEvidence(service, simulated), JSON.parse(withCard));
  });

  test("refund_accepted, as the acquirer's answer", async () => {
    const orders: Order[] = [];
    for (const end of [refundSettled, () => Promise.resolve()]) {
      const order = await paymentThatIs(scene, "paid");
      await service.request(`/transactions/${order.id}/refund`, {
        method: "POST",
        token: shop.token,
        json: { amount: "10.00" },
      });
      await end(scene, order);
      orders.push(order);
    }
    const [real, simulated] = orders;
    assert(real !== undefined && simulated !== undefined);
    await happens(scene, simulated, { outcome: "refund_accepted" });
    assert.deepEqual(
      await paymentEvidence(service, simulated),
      await paymentEvidence(service, real),
    );
  });

  test("approve of a trusted card's charge", async () => {
    const card = await verifiedCard(service, { shop });
    const real = await askToCharge(service, card);
    await payWithCode(service, real);
    const simulated = await askToCharge(service, card);
    await happens(scene, simulated, { outcome: "approve" });
    assert.deepEqual(
      await paymentEvidence(service, simulated),
      await paymentEvidence(service, real),
    );
  });

  test("approve of a payment link's payment, until the last place is taken", async () => {
    const link = await makeLink(service, shop, { environment: "sandbox", max_payments: 2 });
    const [real, simulated, late] = [
      await openLinkOrder(service, link, shop),
      await openLinkOrder(service, link, shop),
      await openLinkOrder(service, link, shop),
    ];
    await submit(service, real, CARDS.approved, WITH_EMAIL);
    await happens(scene, simulated, { outcome: "approve" });
    await happens(scene, late, { outcome: "approve" });
    const { body } = await service.request(`/transactions/${late.id}`, { token: shop.token });
    assert.equal(body.data.message, "[3-R95]: Sold out. Nothing was charged.");
  });
});

describe("a decline", () => {
  for (const [code, message] of [
    ["51", "[2-R51]: There is not enough money on the card."],
    ["ZZ", "[2-RZZ]: Transaction is declined."],
    [undefined, "[2-R05]: Transaction is declined."],
  ] as const)
    test(`with the code ${code} says so to everybody`, async () => {
      const order = await openOrder(service, { shop });
      const answer = await simulate(scene, order, { outcome: "decline", code });
      assert.deepEqual([answer.body.data.status, answer.body.data.message], ["failed", message]);
    });

  for (const code of ["00", "5", "051", "n7"])
    test(`with the code ${code} is a 400`, async () => {
      const order = await openOrder(service, { shop });
      const answer = await simulate(scene, order, { outcome: "decline", code });
      assert.equal(answer.status, 400);
      assert.match(answer.body.message, /code/);
    });

  test("is the only outcome with a code", async () => {
    const order = await openOrder(service, { shop });
    const answer = await simulate(scene, order, { outcome: "approve", code: "51" });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.message, "The code field goes with the outcome decline only.");
  });
});

test("a refund of an amount with .93 waits for a simulation", async () => {
  for (const [outcome, desc] of [
    ["refund_accepted", "Refunded"],
    ["refund_rejected", "Refund Rejected"],
  ]) {
    const order = await paymentThatIs(scene, "paid");
    const asked = { method: "POST", token: shop.token, json: { amount: "10.93" } };
    await service.request(`/transactions/${order.id}/refund`, asked);
    await refundSettled(scene, order);
    await service.clock.advance({ seconds: 60 });
    await refundSettled(scene, order);
    const answer = await simulate(scene, order, { outcome });
    assert.equal(answer.body.data.status_desc, desc, answer.text);
  }
});

test("a refund of an amount with .93 that nobody simulates is refunded in the end", async () => {
  const order = await paymentThatIs(scene, "paid");
  await refundOf(service, order, "10.93");
  for (let turn = 0; turn < 36; turn++) {
    await refundSettled(scene, order);
    await service.clock.advance({ seconds: 10 });
  }
  const { body } = await service.request(`/transactions/${order.id}`, { token: shop.token });
  assert.deepEqual([body.data.status_desc, body.data.refunded_total], ["Refunded", "10.93"]);
});

test("of several refunds the one that began first ends first", async () => {
  const order = await paymentThatIs(scene, "paid");
  for (const amount of ["10.00", "20.00"]) await refundOf(service, order, amount);
  for (const ended of [["10.00"], ["10.00", "20.00"]]) {
    await happens(scene, order, { outcome: "refund_accepted" });
    const done = (await refundsOf(service.ctx.db, order.id)).filter(
      ({ ended_at }) => ended_at !== null,
    );
    assert.deepEqual(
      done.map(({ amount_minor }) => `${amount_minor / 100n}.00`),
      ended,
    );
  }
});
