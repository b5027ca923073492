/**
 * The guarantee: a merchant sends the receipt of its own paid payment again, to the customer or to
 * an address that it gives, five times an hour for each payment however many ask at once, each as a
 * mail of its own (Decision 0098).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { expectBooksToBalance } from "../../../testkit/books.ts";
import { makeMember } from "../../../testkit/console.ts";
import { mintKey, mintToken } from "../../../testkit/credentials.ts";
import { PRODUCTION_SETTINGS, sendMails, startSmtpServer } from "../../../testkit/mails.ts";
import { deliverReceipts, mailReasons, paidBy } from "../../../testkit/receipts.ts";
import { startService, type TestAnswer } from "../../../testkit/service.ts";
import { DECLINED, newPayment, openShop, pay } from "../../../testkit/transactions.ts";

const smtp = await startSmtpServer();
const service = await startService({ settings: { ...PRODUCTION_SETTINGS, SMTP_URL: smtp.url } });
const { ctx } = service;
after(async () => {
  await smtp.stop();
  await expectBooksToBalance(ctx.db);
  await service.stop();
});

function send(
  id: string,
  { token, key }: { token?: string; key?: string },
  json: object = {},
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const credential = { ...(token && { token }), ...(key && { key }) };
  const path = `/transactions/${id}/receipt`;
  return service.request(path, { method: "POST", json, headers, ...credential });
}

describe("sending a receipt again", () => {
  test("reaches the customer, or the address that is given, each time as a new mail", async () => {
    const shop = await openShop(service);
    const id = await paidBy(service, shop);
    await deliverReceipts(service);
    const before = smtp.received.length;
    const first = await send(id, shop);
    assert.equal(first.status, 202, first.text);
    assert.equal(first.body.message, "Accepted");
    assert.equal(first.body.data.email, "anika@example.com");
    const page = await service.request(new URL(first.body.data.url).pathname);
    assert.equal(page.status, 200);
    assert.match(page.text, new RegExp(id));
    const second = await send(id, shop, { email: "Office@Example.com" });
    assert.equal(second.body.data.email, "office@example.com");
    await sendMails(ctx);
    const mails = smtp.received.slice(before);
    assert.deepEqual(mails.map(({ envelope }) => envelope.to).sort(), [
      ["anika@example.com"],
      ["office@example.com"],
    ]);
    assert.equal(new Set(smtp.received.map(({ messageId }) => messageId)).size, before + 2);
    assert(mails.every(({ text }) => text?.includes(`Reference: ${id}`)));
    const audited = await ctx.db.rows<{ detail: object }>(sql`
      select detail from audit_entries where action = 'receipt_sent'
        and account_number = ${shop.accountNumber}`);
    assert.equal(audited.length, 2);
    assert(!JSON.stringify(audited).includes("@"), "the audit trail has no address");
  });

  test("a retry under the same Idempotency-Key sends nothing more", async () => {
    const shop = await openShop(service);
    const id = await paidBy(service, shop);
    await deliverReceipts(service);
    const key = { "idempotency-key": "receipt-once" };
    const answers = [await send(id, shop, {}, key), await send(id, shop, {}, key)];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 202],
    );
    assert.equal((await mailReasons(service, `${id} again`)).length, 1);
    assert.equal((await send(id, shop, { email: "x@example.com" }, key)).status, 422);
  });

  test("twenty at once are five mails and fifteen refusals, and five more an hour later", async () => {
    const shop = await openShop(service);
    const id = await paidBy(service, shop);
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(id, shop)));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(5).fill(202), ...Array(15).fill(429)]);
    const refused = answers.find(({ status }) => status === 429);
    assert.equal(refused?.body.message, "Too Many Attempts.");
    const wait = Number(refused?.headers.get("retry-after"));
    assert(wait > 3_000 && wait <= 3_660, String(wait));
    assert.equal((await mailReasons(service, `${id} again`)).length, 5);
    assert.equal((await send(await paidBy(service, shop), shop)).status, 202, "another payment");
    await service.clock.advance({ minutes: 62 });
    assert.equal((await send(id, shop)).status, 202);
  });

  test("twenty an hour reach one address, of however many payments", async () => {
    const shop = await openShop(service);
    const email = { email: `office-${shop.accountNumber}@example.com` };
    for (let payment = 0; payment < 4; payment += 1) {
      const id = await paidBy(service, shop);
      for (let time = 0; time < 5; time += 1)
        assert.equal((await send(id, shop, email)).status, 202);
    }
    const next = await paidBy(service, shop);
    assert.equal((await send(next, shop, email)).status, 429);
    assert.equal((await send(next, shop)).status, 202, "another address");
  });

  test("is kept in the request log without the address of the receipt", async () => {
    const shop = await openShop(service);
    const answer = await send(await paidBy(service, shop), shop);
    const [proof = ""] = /[^.]+$/.exec(answer.body.data.url) ?? [];
    const id = answer.headers.get("x-request-id");
    await ctx.requestLog.flush();
    const line = await service.request(`/requests/${id}`, shop);
    assert.match(line.text, /receipts\/\[masked\]/);
    assert(!line.text.includes(proof), "the token is shown");
  });

  test("is refused without an e-mail, with a wrong one, and for what was not paid", async () => {
    const shop = await openShop(service);
    const nameless = await paidBy(service, shop, { customer: { fname: "Anika" } });
    const none = await send(nameless, shop);
    assert.equal(none.status, 400);
    assert.equal(none.body.message, "The email field is required: the payment has none.");
    const wrong = await send(nameless, shop, { email: "nobody" });
    assert.deepEqual(
      [wrong.status, wrong.body.message],
      [400, "The email must be a valid email address."],
    );
    assert.equal((await send(nameless, shop, { email: "a@example.com" })).status, 202);
    const failed = await pay(service, newPayment(shop), DECLINED);
    const open = await pay(service, newPayment(shop));
    for (const [{ transaction_id }, status] of [
      [failed, "failed"] as const,
      [open, "incomplete"] as const,
    ]) {
      const answer = await send(transaction_id, shop);
      assert.equal(answer.status, 409);
      assert.equal(
        answer.body.message,
        `The transaction has no receipt: its status is ${status}, not success.`,
      );
    }
  });

  test("is 404 for another account, another environment's key, and an unknown id", async () => {
    const [shop, other] = [await openShop(service), await openShop(service)];
    const id = await paidBy(service, shop);
    const { key } = await mintKey(ctx, shop, ["svc-transactions-all"], { prefix: "test" });
    const answers = [
      await send(id, other),
      await send(id, { key }),
      await send(`${id.slice(0, -4)}ZZZZ`, shop),
      await send("nonsense", shop),
    ];
    for (const { status, body } of answers)
      assert.deepEqual([status, body.message], [404, answers[0]?.body.message]);
    assert.equal((await mailReasons(service, `${id} again`)).length, 0);
  });

  test("needs svc-transactions-all", async () => {
    const shop = await openShop(service);
    const id = await paidBy(service, shop);
    const { token } = await mintToken(ctx, shop, [
      "svc-transactions-retrieve",
      "svc-transactions-refund-request",
    ]);
    assert.equal((await send(id, { token })).status, 403);
  });
});

describe("a sandbox payment, where mail leaves the service", () => {
  test("goes to members of the account only", async () => {
    const shop = await openShop(service);
    const id = await paidBy(service, shop, { environment: "sandbox" });
    const stranger = await send(id, shop);
    assert.equal(stranger.status, 400);
    assert.equal(
      stranger.body.message,
      "The email must be that of a member of the account: the payment is of the sandbox.",
    );
    const member = await makeMember(service, shop.accountNumber, "developer");
    const sent = await send(id, shop, { email: member.email.toUpperCase() });
    assert.equal(sent.status, 202, sent.text);
    await sendMails(ctx);
    const mail = smtp.received.at(-1);
    assert.match(mail?.subject ?? "", /^\[Test\] Receipt from /);
    assert.match(mail?.text ?? "", /This is a test payment\. No money was moved\./);
  });
});

test("where nobody sends mail it says so, and notes nothing", async () => {
  const silent = await startService({ settings: PRODUCTION_SETTINGS });
  const shop = await openShop(silent);
  const id = await paidBy(silent, shop);
  await deliverReceipts(silent);
  const answer = await silent.request(`/transactions/${id}/receipt`, {
    method: "POST",
    token: shop.token,
    json: {},
  });
  assert.deepEqual([answer.status, answer.body.message], [409, "This service sends no mail."]);
  const { count } = await silent.ctx.db.one<{ count: number }>(sql`
    select (select count(*) from mails)::int + (select count(*) from receipts_due)::int as count`);
  assert.equal(count, 0);
  await silent.stop();
});
