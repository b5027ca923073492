/**
 * kill -9 of a process that holds the only slot of a payment link, at every step between the card
 * and its result: the slot is settled or free again, one customer pays once, the next reads that it
 * is paid, and the books balance (Decision 0099).
 */

import assert from "node:assert/strict";
import { after, afterEach, test } from "node:test";
import type { Step } from "../../src/modules/checkout/session/context.ts";
import {
  CARDS,
  expectAllToAddUp,
  look,
  payment,
  submit,
  told,
} from "../../testkit/checkout-sessions.ts";
import {
  expectSlotsToAddUp,
  makeLink,
  openLinkOrder,
  readLink,
  WITH_EMAIL,
} from "../../testkit/payment-links.ts";
import { startService } from "../../testkit/service.ts";
import { openShop } from "../../testkit/transactions.ts";
import { ANSWER, runVictim, settle } from "./run-victim.ts";

const TASKS: Readonly<Record<string, readonly Step[]>> = {
  pay: ["submit: attempt kept", "sale: about to be sent", "sale: answered", ...ANSWER],
  "pay after waiting": ["submit: session held", "submit: attempt written", ...ANSWER],
  "lose the answer": ["sale: answer lost", "answer: attempt moved", "answer: kept"],
  "lose the order": ["sale: answer lost", "answer: attempt moved", "answer: kept"],
};

const service = await startService();
after(() => service.stop());
afterEach(async () => {
  await expectAllToAddUp(service);
  await expectSlotsToAddUp(service);
});
for (const [task, steps] of Object.entries(TASKS))
  for (const step of steps)
    test(`that would ${task}, at "${step}": the slot is paid once`, async () => {
      const shop = await openShop(service);
      const link = await makeLink(service, shop, { max_payments: 1 });
      const late = await openLinkOrder(service, link, shop);
      const order = await openLinkOrder(service, link, shop);
      assert.equal(await runVictim(service, { task, order, step }), "SIGKILL");
      await settle(service, order);
      await expectSlotsToAddUp(service);
      // Nothing was charged: the slot is free, and the customer goes on.
      const { step: now } = await look(service, order);
      if (now.kind === "card") {
        assert.equal((await readLink(service, shop, link.id)).state, "open");
        await submit(service, order, CARDS.approved, WITH_EMAIL);
      }
      assert.equal((await payment(service, order)).status, "success");
      const { paid_count, state } = await readLink(service, shop, link.id);
      assert.deepEqual([paid_count, state], [1, "full"]);
      await submit(service, late, CARDS.approved, WITH_EMAIL);
      assert.match(await told(service, late), /^failed, \[3-R95\]/);
    });
