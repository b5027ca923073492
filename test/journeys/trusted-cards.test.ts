/**
 * A customer leaves a card with a shop and pays with it again: every journey in a real browser,
 * from the page to the shop, with the money where it belongs at the end (Decisions 0042 and 0043).
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { sql } from "../../src/infra/db/query.ts";
import type { Scope } from "../../src/kit/scopes.ts";
import { forgetCards } from "../../src/modules/trusted-cards/forget-cards.ts";
import { reconcileChecks } from "../../src/modules/trusted-cards/reconcile-checks.ts";
import { axeViolations } from "../../testkit/browser.ts";
import { mintToken } from "../../testkit/credentials.ts";
import type { RequestOptions } from "../../testkit/service.ts";
import { atShop, CARD, openShop, pay, WAYS } from "../../testkit/shop.ts";
import { returnChecks } from "../../testkit/sweeps.ts";

const shop = await openShop();
const { service } = shop;
const { db } = service.ctx;
let token = "";
before(async () => {
  const scopes: Scope[] = ["svc-trusted-cards-all", "svc-transactions-all"];
  ({ token } = await mintToken(service.ctx, shop.merchant, scopes));
});
after(async () => {
  const { differences } = await reconcileChecks(db);
  await shop.close();
  assert.deepEqual(differences, []);
});

const ask = (path: string, options: RequestOptions = {}) =>
  service.request(`/trusted-cards/${path}`, { token, ...options });
const post = (path: string, json: Record<string, unknown>) => ask(path, { method: "POST", json });

/** The page at which a card is saved. */
async function openSaving(page: Page, environment = "sandbox"): Promise<string> {
  const json = { environment, response_url: `${shop.url}/saved` };
  const { status, body } = await post("", json);
  assert.equal(status, 200);
  // Of the amounts of chance those are left out that the simulator does not return at once.
  await db.transaction(async (tx) => {
    await tx.run(sql`set local session_replication_role = replica`);
    await tx.run(sql`
      update card_checks set amount_minor = 67 where transaction_id = ${body.transaction_id}`);
  });
  await page.goto(body.url);
  return body.transaction_id;
}

async function saveCard(page: Page, number: string = CARD.approved): Promise<string> {
  await openSaving(page);
  await pay(page, { number });
  if (number === CARD.challenged) await confirm(page);
  const result = await atShop(page, shop);
  assert.deepEqual([result.get("status"), result.get("total")], ["success", "0.67"]);
  return result.get("uuid") ?? "";
}

/** Where scripts run; without them the way is that of every payment. */
async function confirm(page: Page): Promise<void> {
  const bank = page.frameLocator("#bank");
  await bank.getByRole("button", { name: "Confirm the payment" }).click();
}

async function refunds(uuid: string): Promise<string[]> {
  await forgetCards(service.ctx);
  await returnChecks(service.ctx);
  const rows = await db.rows<{ outcome: string }>(sql`
    select outcome from simulator_refunds
    where transaction_id = (select transaction_id from trusted_cards where card_uuid = ${uuid})`);
  return rows.map(({ outcome }) => outcome);
}

let orders = 0;
async function openCharge(page: Page, uuid: string): Promise<string> {
  orders += 1;
  const { status, body } = await post(`${uuid}/charge`, {
    currency: "TTD",
    fee_structure: "customer_pay",
    order_id: `charge-${orders}`,
    response_url: `${shop.url}/paid`,
    total: "100.00",
  });
  assert.equal(status, 200);
  await page.goto(body.url);
  return body.transaction_id;
}

for (const [way, options] of WAYS)
  describe(`a customer ${way}`, () => {
    test("saves a card, it is verified, and pays with its security code alone", async () => {
      const page = await shop.browser.page(options);
      const uuid = await saveCard(page);
      assert.equal((await post(`${uuid}/verify`, { amount: "0.67" })).status, 200);
      assert.deepEqual(await refunds(uuid), ["refunded"]);
      const id = await openCharge(page, uuid);
      assert.match(await page.locator("main").innerText(), /Visa ending in 1111/);
      assert.equal(await page.locator("#number").count(), 0);
      await page.locator("#cvv").fill("123");
      await page.getByRole("button", { name: "Pay TTD\u00a0105.20" }).click();
      const result = await atShop(page, shop);
      assert.deepEqual([result.get("status"), result.get("total")], ["success", "105.20"]);
      assert.match(result.get("hash") ?? "", /^[0-9a-f]{32}$/);
      assert.equal(await shop.statusOf(id), "success");
      assert.deepEqual(await shop.sales(id), [{ outcome: "approved" }]);
      await page.context().close();
    });

    test("is declined while saving, and no card is left behind", async () => {
      const page = await shop.browser.page(options);
      const id = await openSaving(page);
      await pay(page, { number: CARD.declined });
      await page.locator("#notice").waitFor();
      assert.match(await page.locator("#notice").innerText(), /Your card was declined/);
      await page.getByRole("button", { name: /without saving/ }).click();
      const result = await atShop(page, shop);
      assert.deepEqual([result.get("status"), result.get("uuid")], ["failed", null]);
      assert.deepEqual(await shop.sales(id), [{ outcome: "declined" }]);
      const rows = await db.rows(sql`select from trusted_cards where transaction_id = ${id}`);
      assert.equal(rows.length, 0);
      await page.context().close();
    });
  });

test("a saved card whose bank asks is paid with after the answer", async () => {
  const page = await shop.browser.page();
  const uuid = await saveCard(page, CARD.challenged);
  assert.equal((await post(`${uuid}/verify`, { amount: "0.67" })).status, 200);
  const id = await openCharge(page, uuid);
  await page.locator("#cvv").fill("123");
  await page.locator("#pay").click();
  await confirm(page);
  assert.equal((await atShop(page, shop)).get("status"), "success");
  assert.equal(await shop.statusOf(id), "success");
  await page.context().close();
});

test("a wrong amount three times: the card is gone and its amount returned", async () => {
  const page = await shop.browser.page();
  const uuid = await saveCard(page);
  for (const amount of ["0.51", "0.52", "0.53"]) {
    const { status, body } = await post(`${uuid}/verify`, { amount });
    assert.deepEqual([status, body], [400, { message: "The amount is incorrect." }]);
  }
  assert.equal((await ask(uuid)).status, 404);
  assert.deepEqual(await refunds(uuid), ["refunded"]);
  await page.context().close();
});

test("a card that is deleted unverified is gone and its amount returned", async () => {
  const page = await shop.browser.page();
  const uuid = await saveCard(page);
  assert.equal((await ask(uuid, { method: "DELETE" })).status, 200);
  assert.equal((await ask(uuid)).status, 404);
  assert.deepEqual(await refunds(uuid), ["refunded"]);
  await page.context().close();
});

test("a live page hides the amount in every state, and the shop is not told", async () => {
  const page = await shop.browser.page();
  const seen: string[] = [];
  page.on("response", async (response) => {
    seen.push(response.url(), await response.text().catch(() => ""));
  });
  await openSaving(page, "live");
  assert.match(await page.locator("aside").innerText(), /USD\s0\.50–0\.99/);
  seen.push(await page.content());
  await pay(page, { number: CARD.challenged });
  await confirm(page);
  const result = await atShop(page, shop);
  assert.deepEqual([result.get("status"), result.get("total")], ["success", null]);
  await page.goBack().catch(() => {});
  seen.push(await page.content());
  for (const text of seen) assert.doesNotMatch(text, /0[.,]67\b/);
  await page.context().close();
});

test("both pages can be used by everybody, on every screen", async () => {
  for (const [, options] of WAYS) {
    if (options.javaScriptEnabled === false) continue;
    const page = await shop.browser.page(options);
    await openSaving(page);
    assert.deepEqual(await axeViolations(page), []);
    const uuid = await saveCard(page);
    assert.equal((await post(`${uuid}/verify`, { amount: "0.67" })).status, 200);
    await openCharge(page, uuid);
    assert.deepEqual(await axeViolations(page), []);
    await page.locator("#pay").click();
    await page.locator("#cvv-wrong").filter({ hasText: "Enter the security code." }).waitFor();
    await page.context().close();
  }
});
