/**
 * In a real browser, on a phone and on a desktop, with and without scripts: a payment is found by
 * the last four digits of its card, part of it is refunded, and the page tells how that ends.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { sweepRefunds } from "../../src/modules/transactions/settle-refunds.ts";
import { expectBooksToBalance, fund } from "../../testkit/books.ts";
import {
  axeViolations,
  complaintsAbout,
  startBrowser,
  type TestBrowser,
} from "../../testkit/browser.ts";
import { startService, type TestService } from "../../testkit/service.ts";
import { WAYS } from "../../testkit/shop.ts";
import { APPROVED, newPayment, openShop, pay, type Shop } from "../../testkit/transactions.ts";

let service: TestService;
let browser: TestBrowser;

before(async () => {
  service = await startService();
  browser = await startBrowser();
});
after(async () => {
  await browser.close();
  await expectBooksToBalance(service.ctx.db);
  await service.stop();
});

async function shopWithPayments(): Promise<Shop> {
  const shop = await openShop(service);
  await fund(service.ctx.db, shop.accountNumber, "500.00 TTD", "sandbox");
  for (const [orderId, lastFour] of [
    ["blue-1", "1111"],
    ["blue-2", "4242"],
  ] as const) {
    const payment = newPayment(shop, { environment: "sandbox", orderId });
    await pay(service, payment, { ...APPROVED, card: { brand: "visa", lastFour } });
  }
  return shop;
}

async function signIn(page: Page, { email, password }: Shop): Promise<void> {
  await page.goto(`${service.url}/sign-in`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
}

for (const [way, options] of WAYS)
  test(`found by its last four, refunded in part, followed to the end: ${way}`, async () => {
    const page = await browser.page(options);
    const complaints = complaintsAbout(page);
    const hasScripts = options.javaScriptEnabled !== false;
    const violations = async () => (hasScripts ? axeViolations(page) : []);
    await signIn(page, await shopWithPayments());
    assert.deepEqual(await violations(), []);

    await page.getByRole("link", { name: "Payments", exact: true }).click();
    const search = page.getByRole("searchbox", { name: "Search payments" });
    await search.fill("4242");
    await search.press("Enter");
    await page.waitForURL(/\/console\/payments\?q=4242/);
    await page.getByRole("navigation", { name: "Pages" }).getByText("1 payment").waitFor();
    assert.deepEqual(await violations(), []);
    await page.getByRole("link", { name: "blue-2" }).click();
    await page.getByRole("heading", { name: "TTD 105.20" }).waitFor();

    await page.getByRole("button", { name: "Refund", exact: true }).click();
    await page.getByLabel("Amount").fill("25");
    await page.getByLabel("Reason").fill("Returned in its box.");
    assert.deepEqual(await violations(), []);
    const send = hasScripts ? "Refund TTD 25.00" : "Refund";
    await page.getByRole("button", { name: send, exact: true }).click();
    await page.getByText("The refund has been asked for.").waitFor();
    await page.getByText("Under way").waitFor();

    await sweepRefunds(service.ctx);
    await service.numberEvents();
    if (!hasScripts) await page.reload();
    await page.getByText("Partly refunded").first().waitFor();
    await page.getByText("TTD 25.00 refunded").waitFor();
    assert.equal(await page.getByText("Under way").count(), 0);
    assert.deepEqual(await violations(), []);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

test("another tab in the other environment never mixes its figures into this one", async () => {
  const page = await browser.page();
  await signIn(page, await shopWithPayments());
  await page.goto(`${service.url}/console/payments`);
  const other = await page.context().newPage();
  await other.goto(`${service.url}/console`);
  await other.getByRole("button", { name: "Live", exact: true }).click();
  await other.getByRole("button", { name: "Live", exact: true }).waitFor();
  await page.getByRole("searchbox", { name: "Search payments" }).fill("blue");
  await page.getByRole("searchbox", { name: "Search payments" }).press("Enter");
  // All of the page is of one environment, the band included.
  await page.getByText("Nothing found").waitFor();
  assert.equal(await page.getByText("Sandbox: no real money moves here").count(), 0);
  await page.context().close();
});
