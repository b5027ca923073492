/**
 * Orders for which nobody tried a card end together when their time is over: each once and told
 * once, beside customers who try one at the same moment, and although one of them cannot be ended
 * (Decision 0040).
 */

import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { lockSession } from "../../../src/modules/checkout/session/session.ts";
import { expireSessions } from "../../../src/modules/checkout/session/sweep.ts";
import {
  CARDS,
  eventsOf,
  expectAllToAddUp,
  look,
  type Order,
  openOrder,
  submit,
  sweep,
  told,
} from "../../../testkit/checkout-sessions.ts";
import { askToSave, openShop } from "../../../testkit/trusted-cards.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";

const TIMED_OUT = "failed, [3-R98]: Transaction timed out.";
const ENDED = ["payment.created", "payment.failed"];
const OPEN = "incomplete, null";

const { service, sibling, atOnce } = await startTwoServices();
const { db } = service.ctx;

afterEach(async () => {
  await sweep(service);
  await expectAllToAddUp(service);
});

async function openMany(count: number): Promise<Order[]> {
  return Promise.all(Array.from({ length: count }, () => openOrder(service)));
}

async function expectEnded(orders: readonly Order[]): Promise<void> {
  for (const order of orders) {
    assert.equal(await told(service, order), TIMED_OUT);
    assert.deepEqual(await eventsOf(service, order), ENDED);
  }
}

/** By how many txs their rows were last written. */
async function txsOf(orders: readonly Order[]): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(distinct xmin::text)::int as count from checkout_sessions
    where transaction_id = any(${orders.map(({ id }) => id)})`);
  return count;
}

describe("orders that nobody tried to pay", () => {
  test("end in one tx, and no others with them", async () => {
    const orders = await openMany(20);
    const [declined, unknown] = (await openMany(2)) as [Order, Order];
    await submit(service, declined, CARDS.declined);
    await submit(service, unknown, CARDS.unknownThenApproved);
    const saving = await askToSave(service, await openShop(service));
    await service.clock.advance({ seconds: 181 });
    const later = await openOrder(service);
    await sweep(service);
    await expectEnded(orders);
    assert.equal(await txsOf(orders), 1);
    assert.equal(await told(service, declined), "failed, [2-R05]: Transaction is declined.");
    assert.equal(await told(service, unknown), "success, [1-R00]: Transaction is approved.");
    assert.equal(await told(service, later), OPEN);
    const { step } = await look(service, saving);
    assert(step.kind === "ended" && step.outcome === "expired");
  });

  test("end once, by however many processes", async () => {
    const orders = await openMany(30);
    await service.clock.advance({ seconds: 181 });
    await atOnce(8, ({ ctx }) => expireSessions(ctx));
    await expectEnded(orders);
  });

  test("but for one that somebody holds at that moment, which ends the next time", async () => {
    const orders = await openMany(3);
    const [held, ...others] = orders as [Order, ...Order[]];
    await service.clock.advance({ seconds: 181 });
    await db.transaction(async (tx) => {
      await lockSession(tx, held.id);
      await expireSessions(sibling.ctx);
      await expectEnded(others);
      assert.equal(await told(service, held), OPEN);
    });
    await expireSessions(sibling.ctx);
    await expectEnded(orders);
  });

  test("one by one where one of them cannot be ended, and then together without it", async () => {
    const orders = await openMany(3);
    const [stuck, ...others] = orders as [Order, ...Order[]];
    await service.clock.advance({ seconds: 181 });
    await db.run(sql`
      create function refuse_stuck() returns trigger language plpgsql
      as $$ begin raise exception 'stuck'; end $$`);
    // A trigger's condition takes no parameters; the id is ours.
    await db.pool.query(`
      create trigger stuck before update on checkout_sessions for each row
      when (new.transaction_id = '${stuck.id}') execute function refuse_stuck()`);
    await expireSessions(service.ctx);
    await expectEnded(others);
    assert.equal(await told(service, stuck), OPEN);
    const later = await openMany(5);
    await service.clock.advance({ seconds: 181 });
    await expireSessions(service.ctx);
    await expectEnded(later);
    assert.equal(await txsOf(later), 1);
    await db.run(sql`drop trigger stuck on checkout_sessions`);
    await sweep(service);
    await expectEnded(orders);
  });
});
