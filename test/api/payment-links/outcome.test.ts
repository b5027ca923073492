/**
 * What a customer of a payment link reads afterwards: what became of the payment, to be believed
 * because it is signed, and kind words where nothing can be paid (Decision 0100).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { verifyRedirect } from "../../../sdk/src/verify/verify-redirect.ts";
import { sql } from "../../../src/infra/db/query.ts";
import { LANGUAGES, type Language } from "../../../src/kit/vocabulary.ts";
import { findOffer } from "../../../src/modules/payment-links/offer.ts";
import { newOrder, openLinkPayment } from "../../../src/modules/payment-links/open-payment.ts";
import { linkPageRoutes } from "../../../src/modules/payment-links/page-routes.ts";
import { linkWords } from "../../../src/words/link/link-words.ts";
import {
  CARDS,
  expectAllToAddUp,
  payment,
  submit,
  sweep,
} from "../../../testkit/checkout-sessions.ts";
import {
  askForLink,
  expectSlotsToAddUp,
  makeLink,
  openForm,
  openLinkOrder,
  openNamedShop,
  sendForm,
  WITH_EMAIL,
} from "../../../testkit/payment-links.ts";
import { startService, type TestAnswer } from "../../../testkit/service.ts";
import { openShop } from "../../../testkit/transactions.ts";

const service = await startService();
const { db } = service.ctx;
after(async () => {
  await expectAllToAddUp(service);
  await expectSlotsToAddUp(service);
  await service.stop();
});
const shop = await openNamedShop(service);
const { token } = shop;

const nextOf = async (order: { token: string }) =>
  (await service.request(`/checkout/${order.token}/status`)).body.next as string;
const locationOf = ({ headers }: TestAnswer) => headers.get("location") ?? "";

describe("after paying", () => {
  const payLinkWith = async (fields: Readonly<Record<string, string>>) => {
    const link = await makeLink(service, { token }, fields);
    const order = await openLinkOrder(service, link, shop);
    await submit(service, order, CARDS.approved, WITH_EMAIL);
    await service.request(`/checkout/${order.token}?waiting=1`);
    return { link, order };
  };

  test("the message is shown, only with the signed result", async () => {
    const { link, order } = await payLinkWith({
      success_message: "See you <there>!\nBring a mat.",
    });
    const next = new URL(await nextOf(order));
    assert.equal(next.pathname, `${new URL(link.url).pathname}/done`);
    const done = await service.request(next.pathname + next.search);
    assert.equal(done.status, 200);
    for (const shown of ["Thank you", "See you &lt;there&gt;!", "Bring a mat.", order.id])
      assert(done.text.includes(shown), shown);
    for (const [name, value] of [
      ["status", "failed"],
      ["signature", "00"],
      ["total", "1.00"],
    ] as const) {
      const forged = new URL(next);
      forged.searchParams.set(name, value);
      const answer = await service.request(forged.pathname + forged.search);
      assert.deepEqual([answer.status, locationOf(answer)], [303, new URL(link.url).pathname]);
    }
  });

  test("nothing is said of it at another link of the merchant, signed as it is", async () => {
    const { order } = await payLinkWith({});
    const { search } = new URL(await nextOf(order));
    const other = new URL((await makeLink(service, { token })).url).pathname;
    const answer = await service.request(`${other}/done${search}`);
    assert.deepEqual([answer.status, locationOf(answer)], [303, other]);
  });

  test("the success_url gets what a response_url would", async () => {
    const { order } = await payLinkWith({ success_url: "https://shop.example/ok?a=1" });
    const next = new URL(await nextOf(order));
    assert.equal(next.origin + next.pathname, "https://shop.example/ok");
    assert.equal(next.searchParams.get("a"), "1");
    next.searchParams.delete("a");
    const keys = await service.request("/user/payment-key?environment=sandbox", { token });
    const { signing_secret: signingSecret, hash_key: hashKey } = keys.body.data;
    const checks = { signingSecret, hashKey, requestedTotal: "120.00", transactionId: order.id };
    const { status, total } = await verifyRedirect(next.href, checks);
    assert.deepEqual([status, total], ["success", "120.00"]);
  });

  test("what was not paid comes back to the link", async () => {
    const link = await makeLink(service, { token }, { success_url: "https://shop.example/ok" });
    const order = await openLinkOrder(service, link, shop);
    await service.clock.advance({ minutes: 4 });
    await service.request(`/checkout/${order.token}?waiting=1`);
    await submit(service, order, CARDS.approved, WITH_EMAIL);
    const next = new URL(await nextOf(order));
    assert.equal(next.pathname, `${new URL(link.url).pathname}/done`);
    const done = await service.request(next.pathname + next.search);
    assert.match(done.text, /The payment was not made[\s\S]*Try again/);
    assert.equal((await payment(service, order)).status, "failed");
  });
});

describe("where something goes wrong", () => {
  const errorPageOf = (path: string, language: Language) => {
    const { errorPage } = linkPageRoutes.find((route) => route.path === path) ?? {};
    const call = { refusal: { message: "Service Unavailable" }, body: undefined };
    const params = { slug: "abcdefgh234567" };
    const answer = errorPage?.(503, { ...call, params, header: () => language });
    return String(answer?.body).replaceAll("&#39;", "'");
  };

  test("nothing is said of a charge, and who may have paid is not led back to pay", () => {
    for (const language of LANGUAGES) {
      const { trouble, done } = linkWords(language);
      const [link, end] = ["/pay/{slug}", "/pay/{slug}/done"].map((path) =>
        errorPageOf(path, language),
      );
      for (const page of [link, end]) {
        for (const words of [trouble.heading, trouble.text]) assert(page?.includes(words), words);
        assert(!page?.includes(done.notPaidText));
      }
      assert(link?.includes(trouble.again));
      assert.doesNotMatch(end ?? "", /<a /);
    }
  });

  test("an outcome that is not known promises the money back", async () => {
    const link = await makeLink(service, { token });
    const order = await openLinkOrder(service, link, shop);
    await submit(service, order, CARDS.late, WITH_EMAIL);
    for (let round = 0; round < 6; round += 1) {
      await service.clock.advance({ minutes: 1 });
      await sweep(service);
    }
    assert.equal((await payment(service, order)).status, "error");
    const next = new URL(await nextOf(order));
    for (const language of LANGUAGES) {
      const headers = { "accept-language": language };
      const { text } = await service.request(next.pathname + next.search, { headers });
      const { notKnown, notKnownText } = linkWords(language).done;
      for (const words of [notKnown, notKnownText]) assert(text.includes(words), words);
    }
  });
});

describe("a link that cannot be paid says so with the shop's name and contact", () => {
  const expectClosed = async (url: string, heading: string) => {
    const { pathname } = new URL(url);
    const shown = await service.request(pathname, { headers: { accept: "text/html" } });
    const sent = await service.request(pathname, { method: "POST", form: {} });
    for (const answer of [shown, sent]) {
      assert.equal(answer.status, 410);
      assert(answer.text.includes(heading), answer.text);
      assert.match(answer.text, /Nothing was charged/);
    }
    return shown;
  };

  test("switched off", async () => {
    const link = await makeLink(service, { token });
    const off = { method: "PATCH", token, json: { active: false } };
    await service.request(`/payment-links/${link.id}`, off);
    const page = await expectClosed(link.url, "This link is closed");
    assert(page.text.includes("Sea Grape &lt;Books&gt;"));
    assert(page.text.includes("mailto:help@seagrape.example.com"));
  });

  test("expired, while a payment page that was open may be finished", async () => {
    const { at } = await db.one<{ at: Date }>(sql`select app_now() + interval '6 minutes' as at`);
    const link = await makeLink(service, { token }, { expires_at: at.toISOString() });
    const form = await openForm(service, link);
    await service.clock.advance({ minutes: 5 });
    const order = await openLinkOrder(service, link, shop);
    await service.clock.advance({ minutes: 2 });
    await expectClosed(link.url, "This link has expired");
    assert.equal((await sendForm(service, form)).status, 410);
    await submit(service, order, CARDS.approved, WITH_EMAIL);
    assert.equal((await payment(service, order)).status, "success");
  });

  test("expired while its form was being read: no order is opened", async () => {
    const { at } = await db.one<{ at: Date }>(sql`select app_now() + interval '6 minutes' as at`);
    const link = await makeLink(service, { token }, { expires_at: at.toISOString() });
    const offer = await findOffer(db, new URL(link.url).pathname.split("/").at(-1) ?? "");
    assert(offer !== undefined);
    await service.clock.advance({ minutes: 7 });
    const orderId = newOrder();
    const asked = {
      orderId,
      minor: 12000n,
      reference: null,
      isFramed: false,
      language: "en",
    } as const;
    assert.equal(await openLinkPayment(service.ctx, offer, asked), undefined);
    const found = await db.rows(sql`select from transactions where order_id = ${orderId}`);
    assert.deepEqual(found, []);
  });

  const FULL: readonly [max: number, heading: string][] = [
    [1, "Already paid"],
    [2, "Sold out"],
  ];
  for (const [max, heading] of FULL)
    test(`paid ${max} of ${max} times, also where the card was refused for it`, async () => {
      const link = await makeLink(service, { token }, { max_payments: max });
      const late = await openLinkOrder(service, link, shop);
      const orders = Array.from({ length: max }, () => openLinkOrder(service, link, shop));
      for (const order of await Promise.all(orders))
        await submit(service, order, CARDS.approved, WITH_EMAIL);
      await expectClosed(link.url, heading);
      await submit(service, late, CARDS.approved, WITH_EMAIL);
      const next = new URL(await nextOf(late));
      assert.equal(next.pathname, `${new URL(link.url).pathname}/done`);
      const done = await service.request(next.pathname + next.search);
      assert(done.text.includes(heading), done.text);
      assert.doesNotMatch(done.text, /Try again/);
    });

  test("of a closed account, and live of one that is not verified", async () => {
    const closing = await openShop(service);
    const link = await makeLink(service, { token: closing.token });
    await db.run(sql`
      update accounts set status = 'closed', closed_at = app_now()
      where account_number = ${closing.accountNumber}`);
    await expectClosed(link.url, "This link cannot be paid now");
    const young = await openShop(service);
    await db.run(sql`
      update accounts set verified_at = null where account_number = ${young.accountNumber}`);
    const live = await askForLink(service, { token: young.token }, { environment: "live" });
    await expectClosed(live.body.data.url, "This link cannot be paid now");
  });

  test("that never was is 404", async () => {
    for (const slug of ["22222222222222", "no-such-link", "%00", "a".repeat(65)]) {
      const headers = { accept: "text/html" };
      assert.equal((await service.request(`/pay/${slug}`, { headers })).status, 404, slug);
    }
  });
});
