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

test("jobs says that nothing fails, and what did", async () => {
  assert.match((await operator(service, ["jobs"])).stdout, /No background work fails\./);
});
