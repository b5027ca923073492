/**
 * The guarantee: what an operator finds and does for a merchant (Decision 0120) is what the
 * merchant could, is audited with a reason, and leaves the books balanced.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { CARDS, openOrder, payment, submit } from "../../testkit/checkout-sessions.ts";
import { signInTo } from "../../testkit/console.ts";
import {
  expectRefusals,
  operator,
  operatorEntries,
  operatorJson,
  SIGNED,
} from "../../testkit/operator.ts";
import { startService } from "../../testkit/service.ts";
import { APPROVED, newPayment, openShop, pay } from "../../testkit/transactions.ts";

const service = await startService();
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await service.stop();
});

const found = async (text: string) => (await operator(service, ["find", text])).stdout;

test("one search finds an account, an order, an id, an e-mail, a card and a refund", async () => {
  const shop = await openShop(service);
  const order = await openOrder(service, { shop, orderId: "find-me-7" });
  await submit(service, order, CARDS.approved);
  assert.match(await found(shop.accountNumber), /Accounts of this number/);
  assert.match(await found(shop.email.toUpperCase()), /Accounts of this e-mail/);
  for (const text of ["find-me-7", order.id, order.id.toLowerCase(), "1111", "**** 1111"])
    assert.ok((await found(text)).includes(order.id), text);
  const { attempt_id: attempt } = await service.ctx.db.one<{ attempt_id: string }>(sql`
    select attempt_id from checkout_attempts where transaction_id = ${order.id}`);
  assert.ok((await found(attempt)).includes(order.id));
  assert.match(await found("nothing-like-it"), /^Nothing was found\.$/m);
});

test("the search finds a shop by the beginnings of words of its name or its holder's", async () => {
  const shop = await openShop(service);
  const { db } = service.ctx;
  await db.run(sql`
    update accounts set first_name = 'Kezia', last_name = 'Baptiste-Joseph'
    where account_number = ${shop.accountNumber}`);
  await db.run(sql`
    insert into businesses (account_number, business_name)
    values (${shop.accountNumber}, 'Sea Grape Books')`);
  for (const text of ["Sea Grape Books", "grape", "BOOKS sea", "kez bap", "joseph"])
    assert.match(await found(text), /Accounts of this name[\s\S]*Sea Grape Books/, text);
  for (const text of ["rape", "sea & lion", "rape:* | grape", "g", "' or 1=1"])
    assert.match(await found(text), /^Nothing was found\.$/m, text);
  const { transaction_id: id } = await pay(service, newPayment(shop), APPROVED);
  for (const args of [
    ["show-account", shop.accountNumber],
    ["show-payment", id],
    ["list-accounts"],
  ])
    assert.match((await operator(service, args)).stdout, /Sea Grape Books/, args[0]);
});

test("the search finds words that a dot, a slash or another mark joins", async () => {
  const { db } = service.ctx;
  for (const [name, texts] of [
    ["Kreyol.tt", ["Kreyol.tt", "kreyol", "tt kre"]],
    ["Rum/Coke", ["Rum/Coke", "coke", "rum coke"]],
    ["Café_Ti-Marie's@5", ["café_ti", "marie", "Ti-Marie's"]],
  ] as const) {
    const shop = await openShop(service);
    await db.run(sql`
      insert into businesses (account_number, business_name)
      values (${shop.accountNumber}, ${name})`);
    for (const text of texts) assert.ok((await found(text)).includes(name), `${name}: ${text}`);
  }
  const holder = await openShop(service);
  await db.run(sql`
    update accounts set first_name = 'J.Zephyrine', last_name = 'St.Bernard'
    where account_number = ${holder.accountNumber}`);
  for (const text of ["zephyrine", "St.Bernard"])
    assert.ok((await found(text)).includes(holder.accountNumber), text);
});

test("a refund by an operator takes the merchant's funds, once, and is theirs to see", async () => {
  const shop = await openShop(service);
  const { transaction_id: id } = await pay(service, newPayment(shop), APPROVED);
  const refunded = await operatorJson(service, [
    "refund-payment",
    id,
    "--amount",
    "25.00",
    ...SIGNED,
  ]);
  assert.deepEqual([refunded.action, refunded.amount], ["refund_requested", "25.00"]);
  const last = (await operatorEntries(service)).at(-1);
  assert.deepEqual(
    [last?.account_number, last?.actor, last?.detail.why],
    [shop.accountNumber, "operator D. Joseph", "ticket 4711"],
  );
  await expectRefusals(service, [
    [
      ["refund-payment", id, "--amount", "500.00", ...SIGNED],
      "The amount is more than is left to refund: 80.20 TTD.",
    ],
    [["refund-payment", id, "--amount", "0", ...SIGNED], "The --amount must be greater than 0."],
  ]);
});

test("why an operator refunds stays with us: the merchant reads who did, and what is told", async () => {
  const who = await openShop(service);
  const page = async (more: readonly string[]) => {
    const order = await openOrder(service, { shop: who });
    await submit(service, order, CARDS.approved);
    const why = "ticket 991: card testing";
    const signed = ["--by", "D. Joseph", "--why", why];
    const asked = ["refund-payment", order.id, "--amount", "25.00", ...more, ...signed];
    await operatorJson(service, asked);
    const tab = await signInTo(service, who);
    const { text } = await tab.get(`/console/payments/${order.id}`);
    assert.doesNotMatch(text, /ticket 991|card testing|Joseph/);
    assert.match(text, /Refund of [^<]*25\.00 requested by Windward/);
    const trail = (await operator(service, ["show-payment", order.id])).stdout;
    assert.ok(trail.includes(why));
    return text;
  };
  await page([]);
  assert.match(await page(["--tell", "You asked us to."]), /By Windward: You asked us to\./);
});

test("an open payment is voided, and a paid one is not", async () => {
  const order = await openOrder(service);
  const done = await operatorJson(service, ["void-payment", order.id, ...SIGNED]);
  assert.deepEqual([done.action, done.status], ["payment_voided", "failed"]);
  assert.equal((await payment(service, order)).status, "failed");
  const paid = await openOrder(service);
  await submit(service, paid, CARDS.approved);
  await expectRefusals(service, [
    [
      ["void-payment", paid.id, ...SIGNED],
      `Payment ${paid.id} is over: it is success. Refund it instead.`,
    ],
  ]);
});

test("end-sessions signs members out, and keeps keys", async () => {
  const who = await service.world.merchant();
  const tab = await signInTo(service, who);
  assert.equal((await tab.get("/console")).status, 200);
  const done = await operatorJson(service, ["end-sessions", who.accountNumber, ...SIGNED]);
  assert.equal(done.sessions, 1);
  assert.equal((await tab.get("/console")).status, 303);
});

test("disputes are listed with their dates, the open ones first", async () => {
  const shop = await openShop(service);
  const { transaction_id: id } = await pay(service, newPayment(shop), APPROVED);
  await operatorJson(service, ["open-chargeback", id, "--amount", "40.00", ...SIGNED]);
  const { disputes } = await operatorJson(service, ["disputes", "--account", shop.accountNumber]);
  assert.equal(disputes.length, 1);
  assert.deepEqual(
    [disputes[0].transaction_id, disputes[0].state, disputes[0].amount, disputes[0].days],
    [id, "open", "40.00", 0],
  );
});

test("jobs says that nothing fails", async () => {
  assert.match((await operator(service, ["jobs"])).stdout, /No background work fails\./);
});
