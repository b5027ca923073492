/**
 * The guarantee: of a simulation and what happens at the same moment, the first final answer
 * counts, and the customer is charged exactly when the payment says so (Decision 0102).
 */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { settleRefund } from "../../../src/modules/transactions/settle-refunds.ts";
import { fund } from "../../../testkit/books.ts";
import {
  CARDS,
  eventsOf,
  expectAllToAddUp,
  type Order,
  openOrder,
  payment,
  submit,
  sweep,
} from "../../../testkit/checkout-sessions.ts";
import { openShop } from "../../../testkit/transactions.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";
import { refundOf } from "../../api/transactions/refund-support.ts";
import { paymentThatIs, type Scene, simulate } from "./payment-states.ts";

const two = await startTwoServices();
const { service } = two;
const shop = await openShop(service);
const scene: Scene = { service, shop };
await fund(service.ctx.db, shop.accountNumber, "100000.00 TTD", "sandbox");

async function expectOneEnd(order: Order): Promise<void> {
  const ends = (await eventsOf(service, order)).filter((event) =>
    /^payment\.(success|failed|error)$/.test(event),
  );
  assert.equal(ends.length, 1, ends.join());
  assert.notEqual((await payment(service, order)).status, "incomplete");
}

let rounds = 0;
const address = () => `198.51.100.${++rounds % 250}`;

for (const outcome of ["approve", "decline", "expire"])
  test(`${outcome} against a customer's card: one end`, async () => {
    const orders: Order[] = [];
    for (const card of [CARDS.approved, CARDS.declined, CARDS.asked, CARDS.late] as const) {
      const order = await openOrder(service, { shop });
      const [, answer] = await Promise.all([
        submit(two.sibling, order, card, { address: address() }),
        simulate(scene, order, { outcome }),
      ]);
      assert([200, 409].includes(answer.status), answer.text);
      orders.push(order);
    }
    // Where the card was first, the gateway's late answer or the time ends the payment.
    for (const seconds of [1, 240]) {
      await service.clock.advance({ seconds });
      await sweep(service);
    }
    for (const order of orders) await expectOneEnd(order);
  });

describe("sixteen at one moment", () => {
  test("approve and decline: one of them", async () => {
    const order = await openOrder(service, { shop });
    const answers = await two.atOnce(16, (one, at) =>
      simulate({ service: one, shop }, order, { outcome: at % 2 ? "approve" : "decline" }),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    await expectOneEnd(order);
  });

  test("of a chargeback: one is opened", async () => {
    const order = await paymentThatIs(scene, "paid");
    const answers = await two.atOnce(16, (one) =>
      simulate({ service: one, shop }, order, { outcome: "chargeback_pending" }),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });
});

test("a refund's simulation against the acquirer's answer: one end", async () => {
  for (const outcome of ["refund_accepted", "refund_rejected"]) {
    const order = await paymentThatIs(scene, "paid");
    const refundId = await refundOf(service, order, "10.00");
    const [, answer] = await Promise.all([
      settleRefund(two.sibling.ctx, refundId),
      simulate(scene, order, { outcome }),
    ]);
    const events = (await eventsOf(service, order)).filter((event) => /refund/.test(event));
    assert.equal(events.length, 2, events.join());
    assert([200, 409].includes(answer.status), answer.text);
  }
});

test("in the end all of it adds up", async () => {
  // What was approved too late is voided.
  for (const seconds of [1, 30, 600]) {
    await service.clock.advance({ seconds });
    await sweep(service);
  }
  await expectAllToAddUp(service);
});
