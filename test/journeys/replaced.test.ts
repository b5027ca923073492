/**
 * A customer has a payment page open while the shop requests the order anew: the page takes no card
 * any more, says why, and leads to the page where the order can be paid (Decision 0065).
 */

import assert from "node:assert/strict";
import path from "node:path";
import { after, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { axeViolations, complaintsAbout, DESKTOP, PHONE } from "../../testkit/browser.ts";
import { atShop, CARD, fillCard, openShop, pay, payButton, WAYS } from "../../testkit/shop.ts";

const shop = await openShop();
after(() => shop.close());

const HEADING = "This payment was replaced";
const NEXT = "Continue to the new payment page";
/** Where somebody who wants to look at them gets pictures. */
const { SCREENSHOTS } = process.env;

let orders = 0;
const newOrder = () => {
  orders += 1;
  return { order_id: `changed-${orders}` };
};

async function keepPicture(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS === undefined) return;
  await page.screenshot({ path: path.join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

for (const [way, options] of WAYS) {
  const hasScripts = options.javaScriptEnabled !== false;

  describe(`a customer ${way}`, () => {
    test("presses Pay on the older page, is told, and pays the newer one", async () => {
      const fields = newOrder();
      const older = await shop.order(fields);
      const page = await shop.browser.page(options);
      await page.goto(older.url);
      await fillCard(page, { number: CARD.approved });
      const newer = await shop.order({ ...fields, total: "80.00" });
      await payButton(page).click();
      await page.getByRole("heading", { name: HEADING }).waitFor();
      assert.equal(page.url(), older.url);
      assert.doesNotMatch(await page.content(), /4111|Maya/);
      if (hasScripts) assert.deepEqual(await axeViolations(page), []);
      assert.deepEqual(await shop.sales(older.transactionId), []);
      await page.getByRole("link", { name: NEXT }).click();
      await page.waitForURL(newer.url);
      await pay(page, { number: CARD.approved });
      const result = await atShop(page, shop);
      assert.equal(result.get("status"), "success");
      assert.equal(result.get("transaction_id"), newer.transactionId);
      assert.equal(await shop.statusOf(older.transactionId), "failed");
      await page.context().close();
    });

    test("wants to go back from the older page, and reads about the newer one", async () => {
      const fields = newOrder();
      const older = await shop.order(fields);
      const page = await shop.browser.page(options);
      await page.goto(older.url);
      await shop.order({ ...fields, total: "80.00" });
      await page.getByRole("button", { name: /without paying/ }).click();
      await page.getByRole("heading", { name: HEADING }).waitFor();
      assert.equal(page.url(), older.url);
      await page.context().close();
    });
  });
}

test("a customer who comes back to the tab sees it without sending a card", async () => {
  const fields = newOrder();
  const older = await shop.order(fields);
  const page = await shop.browser.page(DESKTOP);
  await page.goto(older.url);
  await fillCard(page, { number: CARD.approved });
  const look = () => page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
  await look();
  const asked = page.waitForResponse((answer) => answer.url().endsWith("/status"));
  await look();
  await asked;
  assert.equal(await page.locator("#number").inputValue(), "4111 1111 1111 1111");
  await shop.order({ ...fields, total: "80.00" });
  await look();
  await page.getByRole("heading", { name: HEADING }).waitFor();
  await page.context().close();
});

test("in a frame of the shop the newer page opens in it, or around it where it must", async () => {
  for (const method of ["3co_simple", "credit_card_co"]) {
    const fields = { ...newOrder(), method: "3co_simple" };
    const older = await shop.order(fields);
    const page = await shop.browser.page(DESKTOP);
    const complaints = complaintsAbout(page);
    await page.goto(`${shop.url}/frame?page=${encodeURIComponent(older.url)}`);
    const frame = page.frameLocator("iframe");
    await fillCard(frame, { number: CARD.approved });
    const newer = await shop.order({ ...fields, method, total: "80.00" });
    await payButton(frame).click();
    await frame.getByRole("link", { name: NEXT }).click();
    if (method === "credit_card_co") await page.waitForURL(newer.url);
    const place = method === "credit_card_co" ? page : frame;
    await place.locator("#card").waitFor();
    await pay(place, { number: CARD.approved });
    await place.locator("#status").waitFor();
    assert.equal(await place.locator("#status").innerText(), "success");
    assert.equal(await shop.statusOf(newer.transactionId), "success");
    assert.deepEqual(
      complaints.filter((line) => !line.includes("410")),
      [],
    );
    await page.context().close();
  }
});

for (const [screen, options] of [
  ["phone", PHONE],
  ["desktop", DESKTOP],
  ["dark", { ...PHONE, colorScheme: "dark" as const }],
] as const)
  test(`the page on a ${screen} has no barrier, with and without a newer one`, async () => {
    const fields = newOrder();
    const older = await shop.order(fields);
    const newer = await shop.order({ ...fields, total: "80.00" });
    const page = await shop.browser.page(options);
    await page.goto(older.url);
    assert.deepEqual(await axeViolations(page), []);
    await keepPicture(page, `replaced-${screen}`);
    await shop.service.clock.advance({ minutes: 4 });
    await shop.sweep();
    assert.equal(await shop.statusOf(newer.transactionId), "failed");
    await page.reload();
    assert.equal(await page.getByRole("link", { name: NEXT }).count(), 0);
    assert.deepEqual(await axeViolations(page), []);
    await keepPicture(page, `replaced-alone-${screen}`);
    await page.getByRole("link", { name: /Continue to/ }).click();
    const result = await atShop(page, shop);
    assert.equal(result.get("message"), "[3-R97]: Replaced by a newer request.");
    await page.context().close();
  });
