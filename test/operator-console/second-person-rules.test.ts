/**
 * The guarantee (Decision 0119): no way round the second person: every command about money counts
 * all that it moves; what waits is seen, however much has lapsed; and a request ends for good only
 * when it cannot be carried out any more.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { COMMANDS } from "../../src/modules/operator/commands.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import type { Tab } from "../../testkit/console.ts";
import { operatorJson, SIGNED } from "../../testkit/operator.ts";
import {
  act,
  makeOperator,
  saidAfter,
  signInOperator,
  type TestOperator,
} from "../../testkit/operator-console.ts";
import { startService } from "../../testkit/service.ts";
import { APPROVED, newPayment, openShop, pay, type Shop } from "../../testkit/transactions.ts";

const WAITING = /^Waiting for approval: TTD.10,000\.00 needs a second person/;

const service = await startService();
const { db } = service.ctx;
let shop: Shop;
let first: TestOperator;
let one: Tab;
let two: Tab;
before(async () => {
  shop = await openShop(service);
  first = await makeOperator(service, "admin");
  one = await signInOperator(service, first);
  two = await signInOperator(service, await makeOperator(service, "admin"));
});
after(async () => {
  await expectBooksToBalance(db);
  await service.stop();
});

async function paid(amount = "10000.00 TTD"): Promise<string> {
  const payment = newPayment(shop, { amount, feeStructure: "merchant_absorb" });
  return (await pay(service, payment, APPROVED)).transaction_id;
}

async function refundOf(transactionId: string): Promise<string> {
  const { status, body, text } = await service.request(`/transactions/${transactionId}/refund`, {
    method: "POST",
    token: shop.token,
    json: { amount: "10000.00" },
  });
  assert.equal(status, 201, text);
  return body.data.refund.refund_id;
}

async function lastAsked(): Promise<{ approval_id: string; state: string }> {
  return db.one(sql`select approval_id, state from approvals order by asked_at desc limit 1`);
}

const openDispute = (id: string, amount: string) =>
  operatorJson(service, ["open-chargeback", id, "--amount", amount, ...SIGNED]);

async function askForFraud(): Promise<{ id: string; approvalId: string }> {
  const id = await paid();
  const asked = await act(one, "confirm-fraud", { transaction_id: id });
  assert.match(await saidAfter(one, asked), WAITING);
  return { id, approvalId: (await lastAsked()).approval_id };
}

test("a card number in what the merchant is told is not kept with the request", async () => {
  await paid(); // so that there are funds beside the fee
  const tell = "charged twice on 4111 1111 1111 1111";
  const asked = await act(one, "refund-payment", { transaction_id: await paid(), tell });
  assert.match(await saidAfter(one, asked), WAITING);
  const { approval_id } = await lastAsked();
  const { input } = await db.one<{ input: { tell: string } }>(sql`
    select input from approvals where approval_id = ${approval_id}`);
  assert.equal(input.tell, "charged twice on [pan:1111]");
  await act(one, "reject", { approval_id });
});

const approve = (approvalId: string) => act(two, "approve", { approval_id: approvalId });

test("these commands move money, and no others", () => {
  const moving = COMMANDS.filter((one) => one.kind === "action" && one.moves !== undefined);
  assert.deepEqual(moving.map(({ name }) => name).toSorted(), [
    "confirm-fraud",
    "fail-withdrawal",
    "open-chargeback",
    "refund-payment",
    "reject-refund",
    "release-withdrawal",
    "return-withdrawal",
    "settle-chargeback",
    "void-payment",
  ]);
});

describe("fraud counts what an open chargeback holds", () => {
  for (const held of ["10000.00", "8000.00"])
    test(`of which ${held} of 10,000.00 are held`, async () => {
      const id = await paid();
      await openDispute(id, held);
      const asked = await act(one, "confirm-fraud", { transaction_id: id });
      assert.match(await saidAfter(one, asked), WAITING);
      const { approval_id } = await lastAsked();
      await saidAfter(two, await approve(approval_id));
      assert.equal((await lastAsked()).state, "approved");
    });
});

test("a form without an outcome ends no chargeback, and one with both neither", async () => {
  const id = await paid("40.00 TTD");
  await openDispute(id, "40.00");
  const answer = await act(one, "settle-chargeback", { transaction_id: id });
  assert.equal(answer.status, 400);
  assert.match(answer.text, /Exactly one of “Processed” and “Released” is needed\./);
  const { open } = await db.one<{ open: number }>(sql`
    select count(*)::int as open from disputes where transaction_id = ${id} and state = 'open'`);
  assert.equal(open, 1);
  const search = await one.get("/operator/payments?order=order-1&email=a%40example.com");
  assert.equal(search.status, 400);
  assert.match(search.text, /Exactly one of .* is needed\./);
});

test("what waits is listed, however many have lapsed before", async () => {
  await db.run(sql`
    insert into approvals (command, input, account_number, currency, amount_minor, asked_by, why,
      asked_from, asked_at, expires_at)
    select 'release-withdrawal', jsonb_build_object('transaction_id', n), ${shop.accountNumber},
      'TTD', 1000000 + n, ${first.personId}, 'long ago', '{}', now() - interval '2 days',
      now() - interval '1 day'
    from generate_series(1, 60) as n`);
  const { approvalId } = await askForFraud();
  const { text } = await two.get("/operator/approvals");
  assert.ok(text.includes(approvalId), "the new one is there");
  assert.ok(text.indexOf(approvalId) < text.indexOf("long ago"), "and comes first");
  assert.match((await two.get("/operator")).text, /Approvals<\/span> <span class="waits">1</);
  await act(one, "reject", { approval_id: approvalId });
});

test("the same in other words waits once", async () => {
  const transaction_id = await paid();
  const ask = (amount: string) => act(one, "refund-payment", { transaction_id, amount });
  await saidAfter(one, await ask("6000"));
  for (const amount of ["6000.00", "06000"]) assert.notEqual((await ask(amount)).status, 303);
  const { approval_id } = await lastAsked();
  await act(one, "reject", { approval_id });
});

test("whom another operator made or changed is no second person for a day, nor is who asked", async () => {
  for (const change of ["change-operator", "add-operator"]) {
    const other = await makeOperator(service, "finance");
    const tab = await signInOperator(service, other);
    const { approvalId } = await askForFraud();
    const fields = { email: other.email, ...(change === "change-operator" && { role: "admin" }) };
    if (change === "add-operator") {
      await operatorJson(service, ["remove-operator", other.email, ...SIGNED]);
      const again = { ...fields, name: "Again", role: "admin" };
      assert.equal((await act(one, change, again)).status, 200);
      await db.run(sql`update approvals set asked_by = ${other.personId}
        where approval_id = ${approvalId}`);
      const refused = await approve(approvalId);
      assert.equal(refused.status, 409);
      assert.match(refused.text, /counts as one of two people from/);
    } else {
      await saidAfter(one, await act(one, change, fields));
      const back = await signInOperator(service, other);
      const refused = await act(back, "approve", { approval_id: approvalId });
      assert.equal(refused.status, 409);
      assert.match(refused.text, /counts as one of two people from/);
      assert.equal((await tab.get("/operator")).status, 303, "signed out by the change");
    }
    assert.equal((await lastAsked()).state, "waiting");
    await act(two, "reject", { approval_id: approvalId });
  }
});

test("who decides sees above the form what was asked for", async () => {
  const { id, approvalId } = await askForFraud();
  const { text } = await two.get(`/operator/actions/approve?approval_id=${approvalId}`);
  for (const shown of [id, shop.accountNumber, first.email, "10,000.00", "ticket 4711"])
    assert.ok(text.includes(shown), shown);
  await act(one, "reject", { approval_id: approvalId });
});

test("what is not possible at this moment waits on", async () => {
  const refundId = await refundOf(await paid());
  const asked = await act(one, "reject-refund", { refund_id: refundId });
  assert.match(await saidAfter(one, asked), WAITING);
  const { approval_id: approvalId } = await lastAsked();
  await db.run(sql`
    update refunds set state = 'submitted', attempt_count = 1, leased_until = 'infinity'
    where refund_id = ${refundId}`);
  const early = await approve(approvalId);
  assert.equal(early.status, 409);
  assert.match(early.text, /The refund cannot be rejected: /);
  assert.equal((await lastAsked()).state, "waiting");
});

describe("who asked for it, and who decided", () => {
  test("what somebody asked for who was removed since is not carried out", async () => {
    const leaver = await makeOperator(service, "risk");
    const tab = await signInOperator(service, leaver);
    const id = await paid();
    await act(tab, "confirm-fraud", { transaction_id: id });
    const { approval_id: approvalId } = await lastAsked();
    await operatorJson(service, ["remove-operator", leaver.email, ...SIGNED]);
    const said = await saidAfter(two, await approve(approvalId));
    assert.match(said, /its request has ended\. Who asked for it may not do it any more\./);
    assert.equal((await lastAsked()).state, "refused");
  });

  test("is on the page of the request, and in the terminal's list", async () => {
    const { approvalId } = await askForFraud();
    await act(one, "reject", { approval_id: approvalId });
    const page = await two.get(`/operator/approvals/${approvalId}`);
    assert.match(page.text, new RegExp(`Decided by</dt>\\s*<dd[^>]*>${first.email}`));
    const { approvals } = await operatorJson(service, ["approvals"]);
    const told = approvals.find((each: { approval_id: string }) => each.approval_id === approvalId);
    assert.equal(told.decided_by, first.email);
  });
});
