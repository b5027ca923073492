/**
 * The guarantee: limits that an operator sets for one account hold for it alone, wherever a payment
 * is judged, and the same request again is the same payment, whatever they are by then (Decision
 * 0129). Fees: `own-terms.test.ts`.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { CARDS, expectAllToAddUp, submit } from "../../testkit/checkout-sessions.ts";
import { signInTo } from "../../testkit/console.ts";
import { askForLink, makeLink, openForm } from "../../testkit/payment-links.ts";
import { ask, ENCODINGS, expectRefused } from "../../testkit/payment-requests.ts";
import { startService } from "../../testkit/service.ts";
import { openShop, type Shop } from "../../testkit/transactions.ts";
import { charge, verifiedCard } from "../../testkit/trusted-cards.ts";
import { ownTermsOn, request } from "./own-terms-support.ts";

const service = await startService();
const { db } = service.ctx;
after(async () => {
  await expectAllToAddUp(service);
  await service.stop();
});

const { setLimits, setFees, meta, fees } = ownTermsOn(service);

const USUAL = { TTD: { minimum: 5, maximum: 20_400 }, USD: { minimum: 0.74, maximum: 3_000 } };

describe("limits of one account", () => {
  let wide: Shop;
  let narrow: Shop;
  before(async () => {
    [wide, narrow] = [await openShop(service), await openShop(service)];
    await setLimits(wide, "--currency", "TTD", "--minimum", "4", "--maximum", "50000");
    await setLimits(narrow, "--currency", "TTD", "--maximum", "200");
  });

  test("are in its metadata, and in nobody else's", async () => {
    assert.deepEqual(await meta(wide), { ...USUAL, TTD: { minimum: 4, maximum: 50_000 } });
    assert.deepEqual(await meta(narrow), { ...USUAL, TTD: { minimum: 5, maximum: 200 } });
    assert.deepEqual(await meta(await openShop(service)), USUAL);
  });

  test("hold for a payment request, in every encoding, with the sentence that names them", async () => {
    const range = "The total must be from 4.00 to 50000.00 TTD.";
    for (const encoding of ENCODINGS) {
      for (const total of ["4.00", "50000.00"])
        assert.ok((await ask(service, request(wide, { total }), encoding)).status < 400, total);
      for (const total of ["3.99", "50000.01"])
        await expectRefused(service, request(wide, { total }), encoding, { message: range });
      await expectRefused(service, request(narrow, { total: "200.01" }), encoding, {
        message: "The total must be from 5.00 to 200.00 TTD.",
      });
    }
    const { status } = await ask(service, request(wide, { total: "3000.01", currency: "USD" }));
    assert.equal(status, 400);
  });

  test("and for one with an Idempotency-Key, which leaves nothing behind when it is refused", async () => {
    const headers = { "idempotency-key": "wide-1" };
    const fields = request(wide, { total: "30000" });
    const first = await ask(service, fields, "json", { headers });
    const again = await ask(service, fields, "json", { headers });
    assert.deepEqual([first.status, again.status], [200, 200]);
    assert.equal(again.headers.get("idempotent-replayed"), "true");
    assert.equal(again.body.transaction_id, first.body.transaction_id);
    const beyond = request(narrow, { total: "300" });
    const key = { headers: { "idempotency-key": "narrow-1" } };
    const refused = await ask(service, beyond, "json", key);
    assert.equal(refused.body.message, "The total must be from 5.00 to 200.00 TTD.");
    await setLimits(narrow, "--currency", "TTD", "--maximum", "300");
    assert.equal((await ask(service, beyond, "json", key)).status, 200);
    await setLimits(narrow, "--currency", "TTD", "--maximum", "200");
  });

  test("are judged after all fields and after what is wrong with the account", async () => {
    const total = "300";
    const said = async (shop: Shop, fields: Record<string, unknown>) =>
      (await ask(service, request(shop, fields))).body.message;
    const email = "The email must be a valid email address.";
    // An amount that no account of the platform may ask for is a field's matter, in its place.
    const usual = await openShop(service);
    const beyond = "The total must be from 5.00 to 20400.00 TTD.";
    assert.equal(await said(usual, { total: "30000", email: "x" }), beyond);
    assert.equal(await said(wide, { total: "30000", email: "x" }), email);
    assert.equal(await said(wide, { total: "50000.01", email: "x" }), email);
    assert.equal(await said(wide, { total: "1.005" }), TWO_DECIMALS);
    for (const total of ["0", "-3", "9".repeat(60)])
      assert.equal(await said(wide, { total }), "The total must be from 4.00 to 50000.00 TTD.");
    assert.equal(await said(narrow, { total, email: "x" }), email);
    const own = "The email must not be the merchant's own.";
    assert.equal(await said(narrow, { total, email: narrow.email }), own);
    await db.run(sql`
      update accounts set status = 'frozen' where account_number = ${narrow.accountNumber}`);
    const nobody = "The account number cannot take this payment.";
    assert.equal(await said(narrow, { total }), nobody);
    await db.run(sql`
      update accounts set status = 'active' where account_number = ${narrow.accountNumber}`);
  });

  test("do not touch an open payment: the same request again is the same payment", async () => {
    const shop = await openShop(service);
    await setLimits(shop, "--currency", "TTD", "--maximum", "50000");
    const fields = request(shop, { total: "40000" });
    const open = await ask(service, fields);
    assert.equal(open.status, 200, open.text);
    await setLimits(shop, "--currency", "TTD", "--standard");
    const again = await ask(service, fields);
    assert.deepEqual(again.body, open.body);
    const changed = await ask(service, { ...fields, total: "40001" });
    assert.equal(changed.body.message, "The total must be from 5.00 to 20400.00 TTD.");
    const order = { id: open.body.transaction_id, token: open.body.url.split("/").at(-1), shop };
    await submit(service, order, CARDS.approved);
    const { status } = await db.one<{ status: string }>(sql`
      select status from transactions where transaction_id = ${order.id}`);
    assert.equal(status, "success");
  });

  test("hold for fees, for a charge of a saved card, and for payment links", async () => {
    assert.equal((await fees(wide, "50000")).status, 200);
    const beyond = await fees(narrow, "200.01");
    assert.equal(beyond.body.message, "The amount must be from 5.00 to 200.00 TTD.");
    for (const [shop, good, bad] of [
      [wide, "50000", "50000.01"],
      [narrow, "200", "200.01"],
    ] as const) {
      const card = await verifiedCard(service, { shop });
      assert.equal((await charge(service, card, { total: good })).status, 200);
      const refused = await charge(service, card, { total: bad });
      assert.equal(refused.status, 400);
      assert.match(refused.body.message, /^The total must be from/);
      assert.equal((await askForLink(service, shop, { amount: good })).status, 201);
      const link = await askForLink(service, shop, { amount: bad });
      assert.match(link.body.message, /^The amount must be from/);
      const bounds = { amount: undefined, amount_min: "10", amount_max: bad };
      const range = await askForLink(service, shop, bounds);
      assert.match(range.body.message, /^The amount max must be from/);
    }
  });

  test("close a link that asks for more by now, and narrow one where the customer chooses", async () => {
    const shop = await openShop(service);
    const fixed = await makeLink(service, shop, { amount: "120.00" });
    const bounds = { amount: undefined, amount_min: "10", amount_max: "500" };
    const chosen = await makeLink(service, shop, bounds);
    await setLimits(shop, "--currency", "TTD", "--minimum", "20", "--maximum", "100");
    const { pathname } = new URL(fixed.url);
    assert.equal((await service.request(pathname)).status, 410);
    const { page, path, hidden } = await openForm(service, chosen);
    assert.match(page.text, /20\.00[^<]*100\.00/);
    const send = (amount: string) =>
      service.request(path, { method: "POST", form: { ...hidden, amount } });
    assert.equal((await send("100.01")).status, 422);
    assert.equal((await send("100")).status, 303);
  });

  test("are told in the form of a link at the console", async () => {
    await setFees(wide, "--percentage", "1.00", "--fixed", "0");
    const tab = await signInTo(service, wide);
    const { text } = await tab.get("/console/links/new");
    assert.match(text, /On TTD.100\.00 the fee is TTD.1\.00\./);
    const form = {
      title: "Whole hotel",
      currency: "TTD",
      amount: "45,000.00",
      fee_structure: "customer_pay",
    };
    const made = await tab.post("/console/links/new", form, { from: "/console/links/new" });
    assert.equal(made.status, 303, made.text);
    await setFees(wide, "--standard");
  });
});

const TWO_DECIMALS = "The total must be a number with at most 2 decimal places.";
