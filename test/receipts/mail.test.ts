/**
 * The guarantee: a customer with an e-mail gets one receipt of a payment and one of each refund, in
 * text and HTML, to the cent as the record says, in the business's name and time zone; somebody's
 * words in it stay words (Decision 0098).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { workOffNotes } from "../../src/infra/jobs/due-notes.ts";
import { receiptsDue } from "../../src/modules/receipts/mail-receipts.ts";
import { endRefund } from "../../src/modules/transactions/refund.ts";
import { expectBooksToBalance, fund } from "../../testkit/books.ts";
import { PRODUCTION_SETTINGS, startSmtpServer } from "../../testkit/mails.ts";
import {
  deliverReceipts,
  dueReceipts,
  mailReasons,
  paidBy,
  receiptPage,
  setBusiness,
} from "../../testkit/receipts.ts";
import { startService } from "../../testkit/service.ts";
import { DECLINED, newPayment, openShop, pay } from "../../testkit/transactions.ts";

const smtp = await startSmtpServer();
const service = await startService({
  settings: { ...PRODUCTION_SETTINGS, SMTP_URL: smtp.url },
});
const { ctx } = service;
// Production refuses to simulate live money; here nobody is charged.
Object.assign(ctx.gateways, { live: ctx.gateways.sandbox });
after(async () => {
  await smtp.stop();
  await expectBooksToBalance(ctx.db);
  await service.stop();
});

const plain = (text = "") => text.replaceAll("\u00a0", " ").replaceAll("\u202f", " ");
const last = () => smtp.received.at(-1);

describe("the receipt of a payment", () => {
  test("says who was paid, how much, with which card, when, and whom to ask", async () => {
    const shop = await openShop(service);
    await setBusiness(service, shop, {
      support_email: "help@seagrape.example.com",
      support_phone: "+18686221234",
      website: "https://seagrape.example.com/",
      time_zone: "Asia/Tokyo",
    });
    const id = await paidBy(service, shop, { orderId: "order-R1" });
    assert.deepEqual(await dueReceipts(service), [id]);
    assert.equal(await deliverReceipts(service), 1);
    const mail = last();
    assert.deepEqual(mail?.from, { name: "Windward", address: "no-reply@pay.example.com" });
    assert.deepEqual(mail?.envelope.to, ["anika@example.com"]);
    assert.equal(mail?.subject, "Receipt from Sea Grape Books");
    assert.match(mail?.messageId ?? "", /^<[0-9a-f-]{36}@pay\.example\.com>$/);
    const text = plain(mail?.text);
    for (const line of [
      "Receipt from Sea Grape Books",
      "You paid TTD 105.20 to Sea Grape Books.",
      "Price: TTD 100.00",
      "Processing fee: TTD 5.20",
      "Total paid: TTD 105.20",
      "Card: Visa ending in 1111",
      "Order: order-R1",
      `Reference: ${id}`,
      "E-mail: help@seagrape.example.com",
      "Phone: +18686221234",
      "Website: https://seagrape.example.com/",
    ])
      assert(text.includes(line), `${line} in ${text}`);
    assert.doesNotMatch(text, /test payment/i);
    const html = plain(mail?.html);
    for (const value of ["TTD 105.20", "Visa ending in 1111", id, "help@seagrape.example.com"])
      assert(html.includes(value), value);
    assert.match(html, /<html lang="en">/);
    assert.doesNotMatch(html, /<img|<script|<link|https?:\/\/(?!pay\.example|seagrape\.example)/);
    const { finalised_at } = await ctx.db.one<{ finalised_at: Date }>(sql`
      select finalised_at from transactions where transaction_id = ${id}`);
    const hour = new Intl.DateTimeFormat("en-GB", {
      timeZone: "Asia/Tokyo",
      timeStyle: "short",
    }).format(finalised_at);
    assert(text.includes(hour), `${hour} in ${text}`);
  });

  test("is in the holder's name where the business has none, and has no fee that it pays", async () => {
    const shop = await openShop(service);
    await paidBy(service, shop, { feeStructure: "merchant_absorb" });
    await deliverReceipts(service);
    const text = plain(last()?.text);
    const { name } = await ctx.db.one<{ name: string }>(sql`
      select first_name || ' ' || last_name as name from accounts
      where account_number = ${shop.accountNumber}`);
    assert(text.startsWith(`Receipt from ${name}\n`), text);
    assert.match(text, /Total paid: TTD 100\.00/);
    assert.doesNotMatch(text, /Processing fee|Price:|Questions/);
  });

  test("is queued once, however often the work is done", async () => {
    const id = await paidBy(service, await openShop(service));
    await Promise.all([1, 2, 3, 4].map(() => deliverReceipts(service)));
    await deliverReceipts(service);
    assert.deepEqual(await mailReasons(service, id), [`receipt ${id}`]);
    const about = smtp.received.filter(({ text }) => text?.includes(id));
    assert.equal(about.length, 1);
  });

  test("is not sent for what failed, nor without an e-mail, nor by the sandbox", async () => {
    const shop = await openShop(service);
    const before = smtp.received.length;
    await pay(service, newPayment(shop), DECLINED);
    await paidBy(service, shop, { customer: { fname: "Anika" } });
    await paidBy(service, shop, { environment: "sandbox" });
    await deliverReceipts(service);
    assert.equal(smtp.received.length, before);
    assert.deepEqual(await dueReceipts(service), []);
  });

  test("that cannot be made waits longer each time, and holds up no other", async () => {
    const recordId = "00000000-0000-4000-8000-000000000000";
    await ctx.db.run(
      sql`insert into receipts_due (record_id, kind) values (${recordId}, 'refund')`,
    );
    const queue = () => workOffNotes(ctx.db, receiptsDue(ctx));
    for (const minutes of [1, 2]) {
      assert.equal(await queue(), 1);
      assert.equal(await queue(), 0, "it waits");
      await service.clock.advance({ seconds: 60 * minutes - 20 });
      assert.equal(await queue(), 0, `it waits ${minutes} min`);
      await service.clock.advance({ seconds: 20 });
    }
    await ctx.db.run(sql`delete from receipts_due where record_id = ${recordId}`);
  });
});

describe("the receipt of a refund", () => {
  test("says how much, of which payment, when; each refund has its own", async () => {
    const shop = await openShop(service);
    await fund(ctx.db, shop.accountNumber, "1000.00 TTD");
    const id = await paidBy(service, shop, { orderId: "order-R2" });
    await deliverReceipts(service);
    for (const amount of ["25.00", "5.20"]) {
      const asked = await service.request(`/transactions/${id}/refund`, {
        method: "POST",
        token: shop.token,
        json: { amount },
      });
      assert.equal(asked.status, 201, asked.text);
      const { refund_id } = asked.body.data.refund;
      await ctx.db.run(sql`
        update refunds set state = 'submitted', attempt_count = 1 where refund_id = ${refund_id}`);
      const end = { refund_id, transaction_id: id };
      await ctx.db.transaction((tx) => endRefund(tx, end, { outcome: "refunded" }));
      assert.equal(await deliverReceipts(service), 1);
      assert.deepEqual(await mailReasons(service, refund_id), [`refund receipt ${refund_id}`]);
      const text = plain(last()?.text);
      assert.match(text, new RegExp(`has refunded TTD ${amount} to your card`));
      assert.match(text, new RegExp(`Refunded: TTD ${amount}`));
      assert.match(text, /Amount of the payment: TTD 105\.20/);
      assert(text.includes(`Reference: ${id}`));
      assert.match(text, /Order: order-R2/);
      assert.match(text, /Refunded on: /);
    }
    const page = plain((await receiptPage(service, id)).text);
    assert.match(page, /Paid after refunds/);
    assert.match(page, /TTD 75\.00/);
  });

  test("is not sent when the refund was rejected, nor told of on the page", async () => {
    const shop = await openShop(service);
    await fund(ctx.db, shop.accountNumber, "1000.00 TTD");
    const id = await paidBy(service, shop);
    await deliverReceipts(service);
    const asked = await service.request(`/transactions/${id}/refund`, {
      method: "POST",
      token: shop.token,
      json: { amount: "1.00" },
    });
    const { refund_id } = asked.body.data.refund;
    const answer = { outcome: "rejected", reason: "No." } as const;
    await ctx.db.transaction((tx) => endRefund(tx, { refund_id, transaction_id: id }, answer));
    assert.equal(await deliverReceipts(service), 0);
    const page = plain((await receiptPage(service, id)).text);
    assert.match(page, /TTD 105\.20/);
    assert.doesNotMatch(page, /refund|TTD 1\.00/i);
  });
});

describe("somebody's words", () => {
  test("add no header, no markup and no line", async () => {
    const shop = await openShop(service);
    const evil = `Eve\r\nBcc: thief@example.com\u2028<img src=x onerror=alert(1)>`;
    await ctx.db.run(sql`
      update accounts set first_name = ${evil} where account_number = ${shop.accountNumber}`);
    const id = await paidBy(service, shop, { orderId: `"><script>alert(1)</script>` });
    await deliverReceipts(service);
    const mail = last();
    assert.equal(mail?.bcc, undefined);
    assert.deepEqual(mail?.envelope.to, ["anika@example.com"]);
    assert.match(mail?.subject ?? "", /^Receipt from Eve Bcc: thief@example\.com </);
    assert.doesNotMatch(mail?.html ?? "", /<img|<script/);
    assert.doesNotMatch(mail?.text ?? "", /^Bcc/m);
    const page = await receiptPage(service, id);
    assert.doesNotMatch(page.text, /<img|<script/);
  });

  test("that are no address are written to nobody, and hold up nobody else", async () => {
    const shop = await openShop(service);
    const before = smtp.received.length;
    await paidBy(service, shop, { customer: { email: "a@b.example\r\nBcc: c@d.example" } });
    await paidBy(service, shop);
    await deliverReceipts(service);
    assert.equal(smtp.received.length, before + 1);
    assert.deepEqual(await dueReceipts(service), []);
  });
});

test("no mail has more of a card than its last four", () => {
  for (const { raw } of smtp.received) assert.doesNotMatch(raw, /4111 ?1111|\d{13,19}\b(?!@)/);
});
