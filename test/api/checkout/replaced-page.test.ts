/**
 * The page of a payment that was replaced: it says so, takes no card, leads to the page where the
 * order can be paid now and never to the shop by itself (Decision 0065).
 */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, afterEach, describe, test } from "node:test";
import { formToken } from "../../../src/modules/checkout/page/form-token.ts";
import { paymentKeysOf } from "../../../src/modules/checkout/result/payment-keys.ts";
import { returnUrl } from "../../../src/modules/checkout/session/end-sessions.ts";
import {
  CARDS,
  expectAllToAddUp,
  journal,
  look,
  type Order,
  openByRequest,
  payment,
  states,
  submit,
  told,
} from "../../../testkit/checkout-sessions.ts";
import { type Fields, minimal } from "../../../testkit/payment-requests.ts";
import { startService } from "../../../testkit/service.ts";
import { openShop } from "../../../testkit/transactions.ts";

const service = await startService();
const { db, config } = service.ctx;
afterEach(() => expectAllToAddUp(service));
after(() => service.stop());

const merchant = await openShop(service);
const here = (fields: Fields = {}) => minimal(merchant.accountNumber, fields);
const open = (fields: Fields) => openByRequest(service, merchant, fields);
const CARD = { number: CARDS.approved, expiry: "09/35", cvv: "987", holder: "Maya Joseph" };

/** An open payment, and the one that replaced it. */
async function replace(
  fields: Fields = here(),
  change: Fields = { total: "80.00" },
): Promise<{ older: Order; newer: Order }> {
  const older = await open(fields);
  return { older, newer: await open({ ...fields, ...change }) };
}

const urlOf = ({ token }: Order) => `${config.http.paymentsPublicUrl}/checkout/${token}`;
const page = ({ token }: Order, more = "") => service.request(`/checkout/${token}${more}`);

function post({ token }: Order, form: Record<string, string>, way = "") {
  const origin = new URL(config.http.paymentsPublicUrl).origin;
  return service.request(`/checkout/${token}${way}`, {
    method: "POST",
    headers: { origin, "sec-fetch-site": "same-origin" },
    form: { attempts: "0", form_token: formToken(config, token), ...form },
  });
}

describe("the older page", () => {
  for (const method of ["credit_card_co", "3co_simple"])
    test(`of ${method} says so and leads to the newest, whatever is asked of it`, async () => {
      const fields = here({ method });
      const { older, newer } = await replace(fields);
      const newest = await open({ ...fields, total: "70.00" });
      for (const one of [older, newer])
        for (const more of ["", "?waiting=1"]) {
          const { status, text } = await page(one, more);
          assert.equal(status, 410);
          assert.match(text, /<h1>This payment was replaced<\/h1>/);
          assert.match(text, /No money was taken on this page/);
          assert(text.includes(`href="${urlOf(newest)}"`), text);
          assert.match(text, /Continue to the new payment page/);
          assert.doesNotMatch(text, /shop\.example|http-equiv="refresh"|data-goes-on/);
        }
      assert.deepEqual((await page(older, "/status")).body, { step: "replaced", attempts: 0 });
    });

  test("leaves the frame for a page that cannot stand in one", async () => {
    for (const [from, to, leaves] of [
      ["3co_simple", "credit_card_co", true],
      ["3co_simple", "3co_simple", false],
      ["credit_card_co", "3co_simple", false],
    ] as const) {
      const { older } = await replace(here({ method: from }), { method: to, total: "80.00" });
      const { text } = await page(older);
      assert.equal(text.includes('target="_top"'), leaves, `${from} to ${to}`);
    }
  });

  test("a card that is sent there is not charged and not shown, and leads to no shop", async () => {
    const { older, newer } = await replace();
    for (const [form, way] of [
      [CARD, ""],
      [{ ...CARD, number: "1234" }, ""],
      [{ do: "states", country: "US" }, ""],
      [{}, "/back"],
    ] as const) {
      const answer = await post(older, form, way);
      const isPage = answer.status === 410;
      if (!isPage) {
        assert.equal(answer.status, 303, answer.text);
        assert.equal(answer.headers.get("location"), `/checkout/${older.token}`);
      }
      const { text } = isPage ? answer : await page(older);
      assert.match(text, /This payment was replaced/);
      assert.doesNotMatch(text, /4111|987|Maya/);
    }
    assert.deepEqual([await states(service, older), await journal(service, older)], [[], []]);
    assert.equal(await told(service, newer), "incomplete, null");
  });

  test("offers the way back once there is nothing to pay, signed like any other", async () => {
    const { older, newer } = await replace();
    await post(newer, {}, "/back");
    const { status, text } = await page(older);
    assert.equal(status, 410);
    assert.doesNotMatch(text, /Continue to the new payment page|data-goes-on/);
    const [, href = ""] = /id="return-url" href="([^"]+)"/.exec(text) ?? [];
    const back = await returnUrl(service.ctx, await look(service, older));
    assert.equal(href.replaceAll("&amp;", "&"), back);
    const query = new URL(back ?? "").searchParams;
    assert.equal(query.get("status"), "failed");
    assert.equal(query.get("message"), "[3-R97]: Replaced by a newer request.");
    assert.equal(query.get("hash"), null);
    const { accountNumber } = merchant;
    const keys = await paymentKeysOf(db, config, { accountNumber, environment: "sandbox" });
    const signature = query.get("signature");
    for (const name of ["signature", "cart"]) query.delete(name);
    query.sort();
    const hmac = createHmac("sha256", keys.signingSecret).update(query.toString());
    assert.equal(signature, hmac.digest("hex"));
  });

  test("leads nowhere when the newer one is paid or its time is over", async () => {
    const paid = await replace();
    await submit(service, paid.newer, CARDS.approved);
    const late = await replace();
    await service.clock.advance({ seconds: 181 });
    for (const { older } of [paid, late]) {
      const { text } = await page(older);
      assert.match(text, /This payment was replaced/);
      // Nor to the shop, which would take this failure for that of the order.
      assert.doesNotMatch(text, /Continue to the new payment page|id="return-url"/);
    }
    // The same order again: the page of the first leads there.
    const { order_id } = await payment(service, late.older);
    const again = await open(here({ order_id, total: "60.00" }));
    assert((await page(late.older)).text.includes(urlOf(again)));
  });

  test("gives nobody the page of a customer whom it does not name, or of another shop", async () => {
    const known = { fname: "Maya", lname: "Joseph", addr1: "1 Main Street" };
    const strangers: [Fields, Fields][] = [
      [{ email: "stranger@example.com" }, { email: "maya@example.com" }],
      [{}, known],
      [known, { ...known, addr1: "2 Main Street" }],
    ];
    for (const [before, after] of strangers) {
      const { older } = await replace(here(before), after);
      const { text } = await page(older);
      assert.match(text, /This payment was replaced/);
      assert.doesNotMatch(text, /Continue to the new payment page/);
    }
    const elsewhere = await replace(here(), { response_url: "https://evil.example/paid?cart=7" });
    const { text } = await page(elsewhere.older);
    assert.doesNotMatch(text, /Continue to the new payment page|id="return-url"|evil/);
    const otherCart = await replace(here(), { response_url: "https://shop.example/paid?cart=8" });
    assert((await page(otherCart.older)).text.includes(urlOf(otherCart.newer)));
    const fewer = await replace(here(known), { addr1: undefined, total: "80.00" });
    assert((await page(fewer.older)).text.includes(urlOf(fewer.newer)));
  });
});
