/**
 * Whatever comes at the same moment, over two services, there is one authorisation, one result, one
 * posting and one event (Decision 0040).
 */

import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { claimDue } from "../../../src/modules/checkout/session/ask-gateway.ts";
import { attemptsOf } from "../../../src/modules/checkout/session/attempt.ts";
import { giveUp } from "../../../src/modules/checkout/session/end-sessions.ts";
import { lockSessions } from "../../../src/modules/checkout/session/session.ts";
import { takeAnswer } from "../../../src/modules/checkout/session/take-answers.ts";
import {
  CARDS,
  comeBack,
  eventsOf,
  expectAllToAddUp,
  journal,
  look,
  type Order,
  openOrder,
  payment,
  states,
  submit,
  sweep,
  told,
} from "../../../testkit/checkout-sessions.ts";
import type { TestService } from "../../../testkit/service.ts";
import { startTwoServices } from "../../../testkit/two-services.ts";

const APPROVED = "success, [1-R00]: Transaction is approved.";
const YES = { outcome: "approved", code: "00", message: "Transaction is approved." } as const;

const { service, sibling, atOnce } = await startTwoServices();

afterEach(() => expectAllToAddUp(service));

async function expectOneResult(order: Order): Promise<void> {
  const { status } = await payment(service, order);
  const voided = (await states(service, order)).filter((state) => state === "voided");
  assert.deepEqual(await eventsOf(service, order), [
    "payment.created",
    `payment.${status}`,
    ...voided.map(() => "payment.late_approval_voided"),
  ]);
  const { count } = await service.ctx.db.one<{ count: number }>(sql`
    select count(*)::int as count from ledger_postings where reference = ${order.id}`);
  assert.equal(count, status === "success" ? 1 : 0);
}

/** Makes the poller ask now, whatever the schedule says. */
async function makeDue({ id }: Order): Promise<void> {
  await service.ctx.db.run(sql`
    update checkout_attempts set next_ask_at = app_now()
    where transaction_id = ${id} and next_ask_at is not null`);
}

describe("a card submitted many times at once", () => {
  test("32 times on two services: one authorisation, by the acquirer's own journal", async () => {
    const order = await openOrder(service);
    const submitted = await atOnce(32, (one) =>
      submit(one, order, CARDS.approved, { seenAttempts: 0 }),
    );
    assert(submitted.every(({ kind }) => kind === "taken"));
    assert.deepEqual(await journal(service, order), [
      { outcome: "approved", call_count: 1, is_void: false },
    ]);
    assert.equal(await told(service, order), APPROVED);
    await expectOneResult(order);
  });

  test("32 times a card that is declined: one attempt, not five", async () => {
    const order = await openOrder(service);
    await atOnce(32, (one) => submit(one, order, CARDS.declined, { seenAttempts: 0 }));
    assert.deepEqual(await states(service, order), ["declined"]);
    assert.equal((await journal(service, order)).length, 1);
  });

  test("in two tabs, with two cards: one is charged, the other tab learns of it", async () => {
    const order = await openOrder(service);
    await atOnce(2, (one, turn) =>
      submit(one, order, turn === 0 ? CARDS.approved : CARDS.mastercard, { seenAttempts: 0 }),
    );
    assert.equal((await journal(service, order)).length, 1);
    await submit(sibling, order, CARDS.mastercard, { seenAttempts: 0 });
    assert.equal((await journal(service, order)).length, 1);
    assert.equal(await told(service, order), APPROVED);
  });

  test("in a tab whose form is old: nothing happens", async () => {
    const order = await openOrder(service);
    await submit(service, order, CARDS.declined);
    await submit(sibling, order, CARDS.approved, { seenAttempts: 0 });
    assert.deepEqual(await states(service, order), ["declined"]);
    await submit(sibling, order, CARDS.approved, { seenAttempts: 1 });
    assert.equal(await told(service, order), APPROVED);
  });
});

describe("a card submitted as something else happens", () => {
  test("at the millisecond in which the time is over: one final state, and approved is paid", async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 30; round++) {
      const order = await openOrder(service);
      await service.ctx.db.run(sql`
        update checkout_sessions set expires_at = app_now() + make_interval(secs => ${round / 500})
        where transaction_id = ${order.id}`);
      await Promise.all([
        submit(service, order, CARDS.approved, { seenAttempts: 0 }),
        sweep(sibling),
        sweep(service),
        sweep(sibling),
      ]);
      await service.clock.advance({ seconds: 1 });
      await sweep(service);
      const isCharged = (await journal(service, order)).some(
        ({ outcome }) => outcome === "approved",
      );
      const { status } = await payment(service, order);
      assert.equal(status, isCharged ? "success" : "failed");
      await expectOneResult(order);
      seen.add(status);
    }
    assert.deepEqual([...seen].sort(), ["failed", "success"]);
  });

  test("as the customer goes back in another tab: one final state, and approved is paid", async () => {
    for (let round = 0; round < 10; round++) {
      const order = await openOrder(service);
      const session = await look(service, order);
      await Promise.all([
        submit(service, order, CARDS.approved, { seenAttempts: 0 }),
        giveUp(sibling.ctx, session),
      ]);
      const charged = (await journal(service, order)).length;
      assert.equal((await payment(service, order)).status, charged === 1 ? "success" : "failed");
      await expectOneResult(order);
    }
  });
});

describe("an answer that comes by several ways at once", () => {
  test("from the request, from pollers and from the gateway's own side: one result", async () => {
    for (let round = 0; round < 8; round++) {
      const order = await openOrder(service);
      await submit(service, order, CARDS.unknownThenApproved);
      await service.clock.advance({ seconds: 6 });
      const [attempt] = await attemptsOf(service.ctx.db, order.id);
      assert(attempt !== undefined);
      await makeDue(order);
      await atOnce(8, (one, turn) =>
        turn < 4 ? sweep(one) : takeAnswer(one.ctx, attempt, YES).then(() => undefined),
      );
      assert.equal(await told(service, order), APPROVED);
      await expectOneResult(order);
    }
  });

  test("from a browser that comes back eight times from the bank, and from pollers: one result", async () => {
    for (let round = 0; round < 8; round++) {
      const order = await openOrder(service);
      await submit(service, order, CARDS.asked);
      const session = await look(service, order);
      assert(session.step.kind === "challenge");
      const { token } = session.step;
      const form = { result: "passed" };
      await service.request(`/sandbox/acs/${token}`, { method: "POST", form });
      const poll = async (one: TestService) => {
        await makeDue(order);
        await sweep(one);
      };
      await atOnce(12, (one, turn) => (turn < 8 ? comeBack(one, session, token) : poll(one)));
      await poll(service);
      assert.equal(await told(service, order), APPROVED);
      assert.deepEqual(
        (await journal(service, order)).map(({ outcome }) => outcome),
        ["approved"],
      );
      await expectOneResult(order);
    }
  });

  test("as the grace ends: error or success, and an approval beside an error is voided", async () => {
    for (let round = 0; round < 8; round++) {
      const order = await openOrder(service);
      await submit(service, order, CARDS.unknownThenApproved);
      await service.ctx.db.run(sql`
        update checkout_sessions set expires_at = app_now() - interval '1 hour'
        where transaction_id = ${order.id}`);
      const [attempt] = await attemptsOf(service.ctx.db, order.id);
      assert(attempt !== undefined);
      await Promise.all([
        takeAnswer(service.ctx, attempt, { outcome: "unknown" }),
        takeAnswer(sibling.ctx, attempt, YES),
      ]);
      await service.clock.advance({ minutes: 60 });
      await sweep(service);
      const { status } = await payment(service, order);
      const [sale] = await journal(service, order);
      assert.equal(sale?.is_void, status === "error");
      await expectOneResult(order);
    }
  });

  test("from sixteen pollers: each attempt is asked about by one of them", async () => {
    const orders = await Promise.all(Array.from({ length: 10 }, () => openOrder(service)));
    for (const order of orders) await submit(service, order, CARDS.unknownThenApproved);
    await service.clock.advance({ seconds: 6 });
    const claimed = (await atOnce(16, (one) => claimDue(one.ctx, 8))).flat();
    const ids = claimed.map(({ attempt_id }) => attempt_id);
    assert.equal(ids.length, 10);
    assert.equal(new Set(ids).size, 10);
    await service.clock.advance({ seconds: 31 });
    await sweep(service);
    for (const order of orders) assert.equal(await told(service, order), APPROVED);
  });
});

test("a session that anyone else holds, even only to read it, is not taken as locked", async () => {
  const order = await openOrder(service);
  const takeFree = () => sibling.ctx.db.transaction((tx) => lockSessions(tx, [order.id], "skip"));
  await service.ctx.db.transaction(async (tx) => {
    await tx.rows(sql`
      select state from checkout_sessions where transaction_id = ${order.id} for share`);
    assert.deepEqual(await takeFree(), []);
  });
  assert.equal((await takeFree()).length, 1);
});
