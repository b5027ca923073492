/**
 * A real card whose bank says no, whose customer walks away, whose gateway is down, or whose
 * browser runs no scripts: nothing is charged, and the page says so and leads on.
 */

import assert from "node:assert/strict";
import { after, afterEach, describe, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { DESKTOP, PHONE } from "../../testkit/browser.ts";
import {
  answerBank,
  bankIn,
  inspect,
  inspectStill,
  LIVE_CARD,
  openLiveShop,
} from "../../testkit/live-shop.ts";
import { atShop, pay } from "../../testkit/shop.ts";

const shop = await openLiveShop();
after(() => shop.close());
afterEach(() => shop.fake.control.send({ clearFaults: true }));

const SCREENS: readonly [string, BrowserContextOptions][] = [
  ["on a phone", PHONE],
  ["on a desktop", DESKTOP],
];

async function expectNotice(page: Page, words: RegExp): Promise<void> {
  const notice = page.locator("#notice");
  await notice.waitFor();
  assert.match(await notice.innerText(), words);
}

for (const [screen, options] of SCREENS) {
  describe(`a customer ${screen}`, () => {
    test("cancels at the bank, and pays with another card", async () => {
      const { page, transactionId } = await shop.payWith(LIVE_CARD.challenged, "full", options);
      await bankIn(page).getByRole("button", { name: "Cancel" }).click();
      await expectNotice(page, /No money was taken/);
      await inspect(page, `cancelled ${screen}`);
      await pay(page, { number: LIVE_CARD.frictionless });
      assert.equal((await atShop(page, shop)).get("status"), "success");
      assert.deepEqual(await shop.charges(transactionId), ["N 0", "Y 1"]);
      await page.context().close();
    });

    test("types a wrong password three times, and may try another card", async () => {
      const { page, transactionId } = await shop.payWith(LIVE_CARD.challenged, "full", options);
      for (const left of ["2 tries are left", "1 try is left"]) {
        await answerBank(page, "wrong");
        await bankIn(page).getByText(left).waitFor();
      }
      await answerBank(page, "wrong");
      await expectNotice(page, /No money was taken.*You have 4 tries left/);
      assert.deepEqual(await shop.charges(transactionId), ["N 0"]);
      await page.context().close();
    });

    test("comes too late for the gateway, and goes back without paying", async () => {
      const { page, transactionId } = await shop.payWith(LIVE_CARD.challenged, "full", options);
      await bankIn(page).getByLabel("Password").waitFor();
      await shop.fake.control.advance(301);
      await answerBank(page, "3ds2");
      await bankIn(page).getByText("This payment has expired.").waitFor();
      await inspect(page, `expired ${screen}`);
      await page.getByRole("button", { name: /without paying/ }).click();
      assert.equal((await atShop(page, shop)).get("status"), "failed");
      assert.deepEqual(await shop.charges(transactionId), ["challenge 0"]);
      await page.context().close();
    });

    test("never answers the bank: the page goes on when the time is over", async () => {
      const { page, transactionId } = await shop.payWith(LIVE_CARD.challenged, "full", options);
      await bankIn(page).getByLabel("Password").waitFor();
      await shop.service.clock.advance({ seconds: 181 });
      await shop.sweep();
      assert.equal((await atShop(page, shop)).get("status"), "failed");
      assert.equal(await shop.statusOf(transactionId), "failed");
      assert.deepEqual(await shop.charges(transactionId), ["challenge 0"]);
      await page.context().close();
    });

    test("reads that no card can be charged, and pays when that is over", async () => {
      await shop.fake.control.fault({ kind: "500-html-before", endpoint: "spi/sale" });
      const { page } = await shop.payWith(LIVE_CARD.frictionless, "full", options);
      await expectNotice(page, /^We could not charge your card\s+Cards cannot be charged/);
      await expectNotice(page, /at the moment\. Your card was not charged\./);
      await inspect(page, `not taken ${screen}`);
      await pay(page, { number: LIVE_CARD.frictionless });
      assert.equal((await atShop(page, shop)).get("status"), "success");
      await page.context().close();
    });

    test("without JavaScript reads that this step needs it, and goes back", async () => {
      const still = { ...options, javaScriptEnabled: false };
      const { page, url, transactionId } = await shop.payWith(LIVE_CARD.challenged, "full", still);
      await page.getByRole("heading", { name: "This step needs JavaScript" }).waitFor();
      await inspectStill(shop, page, `without scripts ${screen}`);
      await page.getByRole("link", { name: "Load this page again" }).click();
      await page.goto(`${url}/challenge`);
      assert.match(await page.locator("main").innerText(), /Your card was not charged/);
      await inspectStill(shop, page, `window without scripts ${screen}`);
      await page.getByRole("link", { name: "Back to the payment page" }).click();
      await page.getByRole("button", { name: /without paying/ }).click();
      assert.equal((await atShop(page, shop)).get("status"), "failed");
      assert.deepEqual(await shop.charges(transactionId), ["start 0"]);
      await page.context().close();
    });
  });
}
