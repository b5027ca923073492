/** Checkouts of one moment go together, and each ends as it would alone (Decision 0078). */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, afterEach, before, describe, test } from "node:test";
import { raw } from "sql-template-tag";
import { sql } from "../../../src/infra/db/query.ts";
import { attemptsOf } from "../../../src/modules/checkout/session/attempt.ts";
import { beginAttempts } from "../../../src/modules/checkout/session/begin-attempts.ts";
import type { NewAttempt } from "../../../src/modules/checkout/session/context.ts";
import { takeAnswer, takeAnswers } from "../../../src/modules/checkout/session/take-answers.ts";
import {
  CARDS,
  eventsOf,
  expectAllToAddUp,
  journal,
  look,
  newAttempt,
  type Order,
  openOrder,
  payment,
  states,
  submit,
  sweep,
  told,
} from "../../../testkit/checkout-sessions.ts";
import { startService, type TestService } from "../../../testkit/service.ts";

const APPROVED = "success, [1-R00]: Transaction is approved.";
const YES = { outcome: "approved", code: "00", message: "Transaction is approved." } as const;
const CUSTOMERS = 24;

let service: TestService;

before(async () => {
  service = await startService();
});
after(() => service.stop());
afterEach(() => expectAllToAddUp(service));

const openOrders = (count: number) =>
  Promise.all(Array.from({ length: count }, () => openOrder(service)));

/** Undecided, as after a lost answer, and nobody asks about it. */
async function openUndecided(): Promise<Order> {
  const order = await openOrder(service);
  await submit(service, order, CARDS.unknownThenApproved);
  return order;
}

async function attemptOf({ id }: Order) {
  const attempt = (await attemptsOf(service.ctx.db, id)).at(-1);
  assert(attempt !== undefined);
  return attempt;
}

async function approve(order: Order) {
  return takeAnswer(service.ctx, await attemptOf(order), YES);
}

/** A form that is submitted, of which nothing is sent. */
const click = async (order: Order) => newAttempt(await look(service, order));

async function begin(clicks: readonly NewAttempt[]) {
  const results = await beginAttempts(service.ctx, clicks, "skip");
  return results.map((one) => (typeof one === "symbol" || one instanceof Error ? "left out" : one));
}

/** That nothing was sent is believed once the lease is over. */
async function expectNeverSent(...orders: readonly Order[]): Promise<void> {
  await service.clock.advance({ seconds: 31 });
  await sweep(service);
  for (const order of orders) assert.deepEqual(await states(service, order), ["declined"]);
}

/** At once; the first alone is rejected. */
async function payAllButTheFirst(orders: readonly Order[]): Promise<void> {
  const ended = await Promise.allSettled(
    orders.map((order) => submit(service, order, CARDS.approved)),
  );
  assert.deepEqual(
    ended.map(({ status }) => status),
    orders.map((_, at) => (at === 0 ? "rejected" : "fulfilled")),
  );
}

/** How many txs wrote the rows of these orders as they are now. */
async function txCount(table: "checkout_sessions" | "simulator_sales", orders: readonly Order[]) {
  const ids = orders.map(({ id }) => id);
  const { count } = await service.ctx.db.one<{ count: number }>(sql`
    select count(distinct xmin::text)::int as count from ${raw(table)}
    where transaction_id = any(${ids})`);
  return count;
}

/** Runs the work while the database refuses to move this order's attempt to that state. */
async function whileRefused(
  { id }: Order,
  state: "submitted" | "approved",
  work: () => Promise<void>,
): Promise<void> {
  const { db } = service.ctx;
  await db.run(sql`
    create function refuse_one() returns trigger language plpgsql as
    $$ begin raise check_violation using message = 'refused by a test'; end $$`);
  const trigger = `create trigger refuse_one before insert or update on checkout_attempts
    for each row when (new.transaction_id = '${id}' and new.state = '${state}')
    execute function refuse_one()`;
  await db.pool.query(trigger);
  try {
    await work();
  } finally {
    await db.run(sql`drop trigger refuse_one on checkout_attempts`);
    await db.run(sql`drop function refuse_one()`);
  }
}

describe("customers who pay at one moment", () => {
  test("share their commits, and each is paid once and told once", async () => {
    const orders = await openOrders(CUSTOMERS);
    const submitted = await Promise.all(
      orders.map((order) => submit(service, order, CARDS.approved)),
    );
    assert(submitted.every((one) => one.kind === "taken" && one.isOver));
    for (const order of orders) {
      assert.equal(await told(service, order), APPROVED);
      assert.deepEqual(await eventsOf(service, order), ["payment.created", "payment.success"]);
      assert.deepEqual(await journal(service, order), [
        { outcome: "approved", call_count: 1, is_void: false },
      ]);
    }
    assert((await txCount("checkout_sessions", orders)) <= CUSTOMERS / 4);
    assert((await txCount("simulator_sales", orders)) <= CUSTOMERS / 4);
  });

  test("with cards of every kind each have their own answer", async () => {
    const kinds = [CARDS.approved, CARDS.declined, CARDS.asked, CARDS.unknownThenApproved] as const;
    const orders = await openOrders(CUSTOMERS);
    await Promise.all(
      orders.map((order, at) => submit(service, order, kinds[at % kinds.length] ?? "")),
    );
    const wanted = ["approved", "declined", "challenged", "unknown"];
    for (const [at, order] of orders.entries())
      assert.deepEqual(await states(service, order), [wanted[at % wanted.length]]);
  });
});

describe("one that cannot go with the others", () => {
  test("because the database refuses its attempt: the others begin, it alone fails", async () => {
    const orders = await openOrders(6);
    const [bad, ...others] = orders as [Order, ...Order[]];
    await whileRefused(bad, "submitted", async () => {
      await payAllButTheFirst(orders);
    });
    for (const order of others) assert.equal(await told(service, order), APPROVED);
    assert.deepEqual(await states(service, bad), []);
    await submit(service, bad, CARDS.approved);
    assert.equal(await told(service, bad), APPROVED);
  });

  test("because the database refuses its approval: the others are paid, it is asked about", async () => {
    const orders = await openOrders(6);
    const [bad, ...others] = orders as [Order, ...Order[]];
    await whileRefused(bad, "approved", async () => {
      await Promise.allSettled(orders.map((order) => submit(service, order, CARDS.approved)));
    });
    for (const order of others) assert.equal(await told(service, order), APPROVED);
    assert.equal((await payment(service, bad)).status, "incomplete");
    await service.clock.advance({ seconds: 31 });
    await sweep(service);
    assert.equal(await told(service, bad), APPROVED);
    assert.equal((await journal(service, bad)).length, 1);
  });

  test("because it was clicked twice: one of the clicks goes, and so do the others", async () => {
    const [twice, other] = await Promise.all([openOrder(service), openOrder(service)]);
    const clicks = await Promise.all([click(twice), click(twice), click(other)]);
    const begun = (await begin(clicks)).map((one) =>
      one === "left out" ? one : one?.transaction_id,
    );
    assert.deepEqual(begun.slice(0, 2).toSorted(), [twice.id, undefined]);
    assert.equal(begun[2], other.id);
    await expectNeverSent(twice, other);
  });

  test("because its form is from before a declined card: it is left out, the others begin", async () => {
    const [old, other] = await Promise.all([openOrder(service), openOrder(service)]);
    const clicks = await Promise.all([click(old), click(other)]);
    await submit(service, old, CARDS.declined);
    const [begunOld, begunOther] = await begin(clicks);
    assert.equal(begunOld, undefined);
    assert(typeof begunOther === "object" && begunOther.transaction_id === other.id);
    await expectNeverSent(other);
  });

  test("because another card of its session is undecided: it is left out, the others begin", async () => {
    const [busy, other] = await Promise.all([openUndecided(), openOrder(service)]);
    const second = newAttempt(await look(service, busy), 1);
    const [begunSecond, begunOther] = await begin([second, await click(other)]);
    assert.equal(begunSecond, "left out");
    assert(typeof begunOther === "object" && begunOther.transaction_id === other.id);
    await expectNeverSent(other);
  });

  test("because its form names no number: it is left out, and nothing is refused for it", async () => {
    const [odd, other] = await Promise.all([openOrder(service), openOrder(service)]);
    const before = service.logged.length;
    await Promise.all([
      submit(service, odd, CARDS.approved, { seenAttempts: Number.NaN }),
      submit(service, other, CARDS.approved),
    ]);
    assert.deepEqual(await states(service, odd), []);
    assert.equal(await told(service, other), APPROVED);
    assert.doesNotMatch(service.logged.slice(before).join(""), /was refused/);
  });

  test("because its result was told: it is voided, the others are paid", async () => {
    const late = await openOrder(service);
    await submit(service, late, CARDS.late);
    for (const seconds of [180, 30]) {
      await service.clock.advance({ seconds });
      await sweep(service);
    }
    assert.equal((await payment(service, late)).status, "error");
    const others = await Promise.all([openUndecided(), openUndecided()]);
    const attempts = await Promise.all([late, ...others].map(attemptOf));
    const approvals = attempts.map(({ attempt_id: attemptId, transaction_id: transactionId }) => ({
      attemptId,
      transactionId,
      answer: YES,
      failpoint() {},
    }));
    const outcomes = await takeAnswers(service.ctx, approvals, "skip");
    assert.deepEqual(outcomes, ["late", "success", "success"]);
    for (const order of others) assert.equal(await told(service, order), APPROVED);
    await service.clock.advance({ minutes: 60 });
    await sweep(service);
    assert.deepEqual(await states(service, late), ["voided"]);
  });

  test("because it is answered twice at once: one answer counts, the other is nothing new", async () => {
    const order = await openUndecided();
    const taken = await Promise.all([approve(order), approve(order), approve(order)]);
    assert.deepEqual(taken.toSorted(), ["nothing new", "nothing new", "success"]);
    assert.deepEqual(await eventsOf(service, order), ["payment.created", "payment.success"]);
  });

  test("because it names another's session: nothing is paid by it", async () => {
    const [mine, other] = await Promise.all([openUndecided(), openUndecided()]);
    const { attempt_id } = await attemptOf(mine);
    for (const id of [attempt_id, randomUUID()])
      await assert.rejects(
        takeAnswer(service.ctx, { attempt_id: id, transaction_id: other.id }, YES),
        /no attempt of its session/,
      );
    for (const order of [mine, other])
      assert.equal((await payment(service, order)).status, "incomplete");
    await Promise.all([approve(mine), approve(other)]);
  });

  test("because somebody holds its session: the others do not wait for it", async () => {
    const [held, other] = await Promise.all([openOrder(service), openOrder(service)]);
    const undecided = await Promise.all([openUndecided(), openUndecided()]);
    const ids = [held, undecided[0]].map(({ id }) => id);
    const before = service.logged.length;
    let isAnswered = false;
    const { waiting } = await service.ctx.db.transaction(async (tx) => {
      await tx.run(sql`
        select from checkout_sessions where transaction_id = any(${ids}) for update`);
      const both = Promise.all([submit(service, held, CARDS.approved), approve(undecided[0])]);
      await Promise.all([submit(service, other, CARDS.approved), approve(undecided[1])]);
      for (const order of [other, undecided[1]]) assert.equal(await told(service, order), APPROVED);
      assert.equal(isAnswered, false);
      // In an object: a promise would be waited for in here.
      return { waiting: both.then(() => (isAnswered = true)) };
    });
    await waiting;
    assert.doesNotMatch(service.logged.slice(before).join(""), /was refused/);
    for (const order of [held, undecided[0]]) assert.equal(await told(service, order), APPROVED);
  });

  test("because somebody holds its merchant's money: the others are paid, it is asked about", async () => {
    const orders = await openOrders(4);
    const [bad, ...others] = orders as [Order, ...Order[]];
    // So that there is a balance to be held.
    const shop = bad.shop;
    await submit(service, await openOrder(service, { shop }), CARDS.approved);
    await service.ctx.db.transaction(async (tx) => {
      await tx.run(sql`
        select from ledger_balances join ledger_accounts using (ledger_account_id)
        where account_number = ${shop.accountNumber} for update of ledger_balances`);
      await payAllButTheFirst(orders);
      for (const order of others) assert.equal(await told(service, order), APPROVED);
    });
    await service.clock.advance({ seconds: 31 });
    await sweep(service);
    assert.equal(await told(service, bad), APPROVED);
    assert.equal((await journal(service, bad)).length, 1);
  });
});
