/**
 * A payment link's page: what it offers, and one payment for each form however often it is sent
 * (Decision 0100).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { CARDS, expectAllToAddUp, submit } from "../../../testkit/checkout-sessions.ts";
import {
  expectSlotsToAddUp,
  makeLink,
  openForm,
  openLinkOrder,
  openNamedShop,
  readLink,
  sendForm,
  WITH_EMAIL,
} from "../../../testkit/payment-links.ts";
import { startService, type TestAnswer } from "../../../testkit/service.ts";
import { openShop } from "../../../testkit/transactions.ts";

const service = await startService();
after(async () => {
  await expectAllToAddUp(service);
  await expectSlotsToAddUp(service);
  await service.stop();
});
const shop = await openNamedShop(service);
const { token } = shop;

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
        description: "Yoga class: By the jetty",
        language: "fr",
        total: "120.00",
        origin: "payment-link",
      },
    );
    await service.numberEvents();
    const { body: feed } = await service.request("/events?environment=sandbox", { token });
    const event = feed.data.find(
      ({ meta }: { meta: { transaction_id: string } }) => meta.transaction_id === order.id,
    );
    assert.deepEqual([event.data.payment_link, event.data.link_reference], [link.id, "Anika"]);
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
