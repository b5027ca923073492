/**
 * In a real browser a page of the console shows what changes without being loaded again, also after
 * its stream was refused, as it is while the service pauses for a snapshot (Decision 0105).
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DESKTOP, startBrowser, type TestBrowser } from "../../testkit/browser.ts";
import { startService } from "../../testkit/service.ts";
import { openShop } from "../../testkit/transactions.ts";
import { PASSWORD } from "../../testkit/world.ts";
import { paidOrder } from "../api/transactions/refund-support.ts";

const REFUSED = 2;
const service = await startService();
let browser: TestBrowser;
before(async () => {
  browser = await startBrowser();
});
after(async () => {
  await browser.close();
  await service.stop();
});

test("a page whose stream was refused follows again by itself", async () => {
  const shop = await openShop(service);
  const page = await browser.page(DESKTOP);
  let asked = 0;
  await page.route("**/console/live?*", (route) => {
    asked += 1;
    return asked > REFUSED ? route.continue() : route.fulfill({ status: 503 });
  });
  await page.goto(`${service.url}/sign-in`);
  await page.getByLabel("E-mail").fill(shop.email);
  await page.getByLabel("Password").fill(PASSWORD);
  const isFollowing = page.waitForResponse(
    (answer) => new URL(answer.url()).pathname === "/console/live" && answer.ok(),
  );
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/console");
  await page.evaluate("document.querySelector('h1').textContent = 'Not loaded again'");
  await isFollowing;
  assert.equal(asked, REFUSED + 1);
  const { row } = await paidOrder(service, { shop, environment: "sandbox" });
  await service.numberEvents();
  await page.getByRole("link", { name: row.order_id }).waitFor();
  assert.equal(await page.locator("h1").textContent(), "Not loaded again");
  await page.context().close();
});
