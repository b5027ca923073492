/**
 * A payment link's page: what it offers, one payment for each form however often it is sent, the
 * way to the payment page and back, and kind words where nothing can be paid (Decision 0100).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../../src/infra/db/query.ts";
import { CARDS, expectAllToAddUp, payment, submit } from "../../../testkit/checkout-sessions.ts";
import {
  askForLink,
  expectPlacesToAddUp,
  makeLink,
  openForm,
  openLinkOrder,
  readLink,
  sendForm,
  WITH_EMAIL,
} from "../../../testkit/payment-links.ts";
import { startService, type TestAnswer } from "../../../testkit/service.ts";
import { openShop } from "../../../testkit/transactions.ts";

const service = await startService();
const { db } = service.ctx;
after(async () => {
  await expectAllToAddUp(service);
  await expectPlacesToAddUp(service);
  await service.stop();
});
const shop = await openShop(service);
const { token } = shop;
await service.request("/user/business", {
  method: "PATCH",
  token,
  json: { business_name: "Sea Grape <Books>", support_email: "help@seagrape.example.com" },
});

const BOUNDS = { amount: undefined, amount_min: "10.00", amount_max: "500.00" };
const locationOf = ({ headers }: TestAnswer) => headers.get("location") ?? "";
const paymentsOf = async (id: string) =>
  (await service.request(`/transactions/?environment=sandbox&payment_link=${id}`, { token })).body;

describe("the page", () => {
  test("shows the business, what is paid for and how much, and is not kept", async () => {
    const items = [
      { name: "Mat", quantity: 2, unit_price: "70.00" },
      { name: "Voucher", quantity: 1, unit_price: "-20.00" },
    ];
    const said = { description: "By the <jetty>", items, reference_label: "Your name" };
    const { page } = await openForm(service, await makeLink(service, { token }, said));
    for (const shown of [
      "Sea Grape &lt;Books&gt;",
      "Yoga class",
      "By the &lt;jetty&gt;",
      "2 × <bdi>Mat</bdi>",
      "TTD\u00a0120.00",
      "Your name",
      "Continue to payment",
    ])
      assert(page.text.includes(shown), shown);
    assert(!page.text.includes("<jetty>"));
    assert.equal(page.headers.get("cache-control"), "no-store");
    assert.match(page.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  });

  test("speaks the link's language, else the browser's", async () => {
    const spanish = await makeLink(service, { token }, { language: "es" });
    assert.match((await openForm(service, spanish)).page.text, /lang="es"[\s\S]*Continuar al pago/);
    const plain = new URL((await makeLink(service, { token })).url).pathname;
    const headers = { accept: "text/html", "accept-language": "nl-SR,nl;q=0.9,en;q=0.1" };
    assert.match((await service.request(plain, { headers })).text, /Verder naar betalen/);
  });

  test("framed, it is the simple one and may be framed; elsewhere nobody frames it", async () => {
    const link = await makeLink(service, { token });
    const { pathname } = new URL(link.url);
    const asked = await service.request(`${pathname}?frame=1`);
    const byBrowser = await service.request(pathname, { headers: { "sec-fetch-dest": "iframe" } });
    for (const { text, headers } of [asked, byBrowser]) {
      assert.match(text, /<html[^>]* class="simple"/);
      assert.doesNotMatch(headers.get("content-security-policy") ?? "", /frame-ancestors/);
      assert.equal(headers.get("x-frame-options"), null);
    }
    const answer = await sendForm(service, await openForm(service, link, "?frame=1"));
    const page = await service.request(locationOf(answer));
    assert.match(page.text, /<html[^>]* class="simple"/);
  });
});

describe("continuing", () => {
  test("makes an ordinary payment, which names its link", async () => {
    const said = { description: "By the jetty", reference_label: "Your name", language: "fr" };
    const link = await makeLink(service, { token }, said);
    const order = await openLinkOrder(service, link, shop, { reference: " Anika " });
    const { body } = await service.request(`/transactions/${order.id}`, { token });
    assert.match(body.data.order_id, /^L[0-9A-Z]{15}$/);
    const { payment_link, link_reference, description, language, total, origin } = body.data;
    assert.deepEqual(
      { payment_link, link_reference, description, language, total, origin },
      {
        payment_link: link.id,
        link_reference: "Anika",
        description: "By the jetty",
        language: "fr",
        total: "120.00",
        origin: "payment-link",
      },
    );
    await service.numberEvents();
    const { body: feed } = await service.request("/events?environment=sandbox", { token });
    const event = feed.data.find(
      (one: { transaction_id: string }) => one.transaction_id === order.id,
    );
    assert.equal(event.data.payment_link, link.id);
  });

  test("twice with one form is one payment, and reading the page again makes another", async () => {
    const link = await makeLink(service, { token });
    const form = await openForm(service, link);
    const answers = await Promise.all([1, 2, 3].map(() => sendForm(service, form)));
    assert.equal(new Set(answers.map(locationOf)).size, 1);
    assert.equal((await paymentsOf(link.id)).meta.total, 1);
    const other = await sendForm(service, await openForm(service, link));
    assert.notEqual(locationOf(other), locationOf(answers[0] as TestAnswer));
  });

  test("again once it is paid leads to that payment, not to a second one", async () => {
    const link = await makeLink(service, { token });
    const form = await openForm(service, link);
    const first = await sendForm(service, form);
    const order = { id: "", token: locationOf(first).split("/").at(-1) ?? "", shop };
    await submit(service, order, CARDS.approved, WITH_EMAIL);
    const again = await sendForm(service, form);
    assert.deepEqual([again.status, locationOf(again)], [303, locationOf(first)]);
    assert.equal((await readLink(service, { token }, link.id)).paid_count, 1);
  });

  test("with another amount replaces what was opened", async () => {
    const link = await makeLink(service, { token }, BOUNDS);
    const form = await openForm(service, link);
    for (const [amount, total] of [
      ["25", "25.00"],
      ["1 00,50", "100.50"],
      ["$", undefined],
      ["9.99", undefined],
      ["500.01", undefined],
    ] as const) {
      const answer = await sendForm(service, form, { amount });
      if (total === undefined) {
        assert.equal(answer.status, 422);
        assert.match(answer.text, /From TTD\u00a010\.00 to TTD\u00a0500\.00/);
        continue;
      }
      const [open] = (await paymentsOf(link.id)).data;
      assert.deepEqual([answer.status, open.total, open.status], [303, total, "incomplete"]);
    }
  });

  test("with a form that is not ours shows the form again and opens nothing", async () => {
    const link = await makeLink(service, { token });
    const other = await makeLink(service, { token });
    const { path, hidden } = await openForm(service, link);
    const theirs = (await openForm(service, other)).hidden;
    for (const forged of [
      {},
      theirs,
      { ...hidden, order: "order-1" },
      { ...hidden, order: "LABCDEFGHJKMNPQR" },
    ])
      assert.equal((await sendForm(service, { path, hidden: forged })).status, 422);
    assert.equal((await paymentsOf(link.id)).meta.total, 0);
  });

  test("asks for the reference, and takes no card number in it", async () => {
    const link = await makeLink(service, { token }, { reference_label: "Your name" });
    const form = await openForm(service, link);
    for (const reference of ["", "  ", "x".repeat(101), "4111 1111 1111 1111", "\u202e"])
      assert.equal((await sendForm(service, form, { reference })).status, 422, reference);
  });

  test("needs no signature where the account's requests need one", async () => {
    const strict = await openShop(service);
    const json = { environment: "sandbox", require_signature: true };
    const keys = { method: "PATCH", token: strict.token, json };
    assert.equal((await service.request("/user/payment-key", keys)).status, 200);
    const link = await makeLink(service, { token: strict.token });
    assert.equal((await sendForm(service, await openForm(service, link))).status, 303);
  });
});

describe("after paying", () => {
  const backFrom = async (fields: object, card: string) => {
    const link = await makeLink(service, { token }, { ...fields });
    const order = await openLinkOrder(service, link, shop);
    await submit(service, order, card, WITH_EMAIL);
    if (card !== CARDS.approved) await service.request(`/checkout/${order.token}`);
    const page = await service.request(`/checkout/${order.token}?waiting=1`);
    return { link, order, page };
  };
  const nextOf = async (order: { token: string }) =>
    (await service.request(`/checkout/${order.token}/status`)).body.next as string;

  test("the message is shown, to whoever brings the signed result", async () => {
    const { link, order } = await backFrom(
      { success_message: "See you <there>!\nBring a mat." },
      CARDS.approved,
    );
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

  test("the success_url gets what a response_url would", async () => {
    const { order } = await backFrom(
      { success_url: "https://shop.example/ok?a=1" },
      CARDS.approved,
    );
    const next = new URL(await nextOf(order));
    assert.equal(next.origin + next.pathname, "https://shop.example/ok");
    const { searchParams: told } = next;
    assert.deepEqual(
      [told.get("a"), told.get("status"), told.get("transaction_id"), told.has("hash")],
      ["1", "success", order.id, true],
    );
    assert.match(told.get("signature") ?? "", /^[0-9a-f]{64}$/);
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
    assert.match(done.text, /It was not paid[\s\S]*Try again/);
    assert.equal((await payment(service, order)).status, "failed");
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

  test("full", async () => {
    const link = await makeLink(service, { token }, { max_payments: 1 });
    const order = await openLinkOrder(service, link, shop);
    await submit(service, order, CARDS.approved, WITH_EMAIL);
    await expectClosed(link.url, "All places are taken");
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
      const { status } = await service.request(`/pay/${slug}`, {
        headers: { accept: "text/html" },
      });
      assert([400, 404].includes(status), slug);
    }
  });
});
