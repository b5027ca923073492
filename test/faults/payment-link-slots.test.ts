/**
 * 500 people on one payment link with 100 slots, over two processes, some with cards that fail
 * first: exactly 100 pay, all others are told kindly, nobody is charged for nothing, and the books
 * balance (Decision 0099).
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { CARDS, expectAllToAddUp, submit, told } from "../../testkit/checkout-sessions.ts";
import {
  expectSlotsToAddUp,
  makeLink,
  openLinkOrder,
  readLink,
  WITH_EMAIL,
} from "../../testkit/payment-links.ts";
import { startService } from "../../testkit/service.ts";
import { openShop } from "../../testkit/transactions.ts";

const PEOPLE = 500;
const SLOTS = 100;

const service = await startService();
const other = await startService({ database: service.database });
after(async () => {
  await other.stop();
  await service.stop();
});

test("500 people on 100 slots", async () => {
  const shop = await openShop(service);
  const link = await makeLink(service, { token: shop.token }, { max_payments: SLOTS });
  const people = Array.from({ length: PEOPLE }, (_, at) => ({
    process: at % 2 === 0 ? service : other,
    address: `198.51.${Math.floor(at / 200)}.${at % 200}`,
    failsFirst: at % 7 === 0,
  }));
  const orders = await Promise.all(people.map(({ process }) => openLinkOrder(process, link, shop)));
  await Promise.all(
    people.map(async ({ process, address, failsFirst }, at) => {
      const order = orders[at];
      assert(order !== undefined);
      const more = { ...WITH_EMAIL, address };
      if (failsFirst) await submit(process, order, CARDS.declined, more);
      await submit(process, order, CARDS.approved, more);
    }),
  );
  const ends = await Promise.all(orders.map((order) => told(service, order)));
  const count = (pattern: RegExp) => ends.filter((end) => pattern.test(end)).length;
  assert.equal(count(/^success/), SLOTS);
  assert.equal(count(/^failed, \[3-R95\]/), PEOPLE - SLOTS);
  const { paid_count, paid_total, state } = await readLink(service, shop, link.id);
  assert.deepEqual([paid_count, paid_total, state], [SLOTS, "12000.00", "full"]);
  await expectAllToAddUp(service);
  await expectSlotsToAddUp(service);
});
