/**
 * A person with a browser pays, on a phone and on a desktop, with and without JavaScript: every way
 * through the payment page ends with the truth at the shop, and one charge at most.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { atShop, CARD, openShop, pay, WAYS } from "../../testkit/shop.ts";
import { until } from "../../testkit/until.ts";

const shop = await openShop();
after(() => shop.close());

for (const [way, options] of WAYS) {
  const hasScripts = options.javaScriptEnabled !== false;

  describe(`a customer ${way}`, () => {
    test("pays, and the shop is told so after it is true", async () => {
      const { url, transactionId } = await shop.order();
      const page = await shop.browser.page(options);
      await page.goto(url);
      await pay(page, { number: "4111 1111 1111 1111" });
      const result = await atShop(page, shop);
      assert.equal(result.get("status"), "success");
      assert.equal(result.get("transaction_id"), transactionId);
      assert.equal(result.get("total"), "105.20");
      assert.equal(result.get("shelf"), "7");
      assert.equal(await shop.statusOf(transactionId), "success");
      assert.deepEqual(await shop.sales(transactionId), [{ outcome: "approved" }]);
      await page.context().close();
    });

    test("is declined kindly, keeps what was typed, and pays with another card", async () => {
      const { url, transactionId } = await shop.order();
      const page = await shop.browser.page(options);
      await page.goto(url);
      await pay(page, { number: CARD.declined });
      const notice = page.locator("#notice");
      await notice.waitFor();
      const words = await notice.innerText();
      assert.match(words, /Your card was declined/);
      assert.match(words, /Visa ending in 3333: The card's bank did not approve the payment\./);
      assert.match(words, /No money was taken.*You have 4 tries left/);
      assert.equal(await page.locator("#holder").inputValue(), "Maya Joseph");
      // Sent in the background, the form stays where it was typed; nothing comes from the service.
      const kept = hasScripts ? "4111 1111 1111 3333" : "";
      assert.equal(await page.locator("#number").inputValue(), kept);
      assert.equal(await page.locator("#cvv").inputValue(), "");
      assert.doesNotMatch(await page.content(), /4111 ?1111 ?1111 ?3333"/);
      await pay(page, { number: CARD.mastercard });
      assert.equal((await atShop(page, shop)).get("status"), "success");
      const sales = await shop.sales(transactionId);
      assert.deepEqual(sales.map(({ outcome }) => outcome).sort(), ["approved", "declined"]);
      await page.context().close();
    });

    test("is told which code is wrong when the bank refuses it", async () => {
      const { url } = await shop.order();
      const page = await shop.browser.page(options);
      await page.goto(url);
      await pay(page, { number: CARD.wrongCvv });
      await page.locator("#notice").waitFor();
      assert.match(await page.locator("#notice").innerText(), /security code of the card is wrong/);
      await page.context().close();
    });

    test("sees at each field what is wrong, and no card number comes back", async () => {
      const { url, transactionId } = await shop.order();
      const page = await shop.browser.page(options);
      await page.goto(url);
      await pay(page, { number: "4111 1111 1111 1112", expiry: "01 / 20" });
      await page.locator("#notice").waitFor();
      assert.match(await page.locator("#number-wrong").innerText(), /It is not valid/);
      assert.match(await page.locator("#expiry-wrong").innerText(), /expired/);
      // It stays where it was typed, and comes back from nowhere.
      const kept = options.javaScriptEnabled === false ? "" : "01 / 20";
      assert.equal(await page.locator("#expiry").inputValue(), kept);
      assert.doesNotMatch(await page.content(), /1112|01 \/ 20/);
      assert.deepEqual(await shop.sales(transactionId), []);
      await page.context().close();
    });

    test("reads at the number that the card is not taken, not that its code is too long", async () => {
      const { url } = await shop.order();
      const page = await shop.browser.page(options);
      await page.goto(url);
      await pay(page, { number: "378282246310005", cvv: "1234" });
      await page.getByText("American Express cards are not taken here").first().waitFor();
      assert.equal(await page.locator("#cvv-wrong").innerText(), "");
      await pay(page, { number: CARD.approved, cvv: "1234" });
      await page.locator("#cvv-wrong", { hasText: "3 digits" }).waitFor();
      assert.equal(await page.locator("#number-wrong").innerText(), "");
      await page.context().close();
    });

    test("answers the bank, and the payment goes on by itself", async () => {
      const { url, transactionId } = await shop.order();
      const page = await shop.browser.page(options);
      await page.goto(url);
      await pay(page, { number: CARD.challenged });
      if (hasScripts) {
        const bank = page.frameLocator("#bank");
        await bank.getByRole("button", { name: "Confirm the payment" }).click();
      } else {
        await page.getByRole("link", { name: "Open your bank's page" }).click();
        await page.getByRole("button", { name: "Continue to your bank" }).click();
        await page.getByRole("button", { name: "Confirm the payment" }).click();
        await page.getByRole("button", { name: "Back to the payment page" }).click();
        await page.getByRole("heading", { name: "Paid" }).waitFor();
      }
      assert.equal((await atShop(page, shop)).get("status"), "success");
      assert.deepEqual(await shop.sales(transactionId), [{ outcome: "approved" }]);
      await page.context().close();
    });

    test("refuses at the bank, and may try another card", async () => {
      const { url, transactionId } = await shop.order();
      const page = await shop.browser.page(options);
      await page.goto(url);
      await pay(page, { number: CARD.challenged });
      if (hasScripts) {
        const bank = page.frameLocator("#bank");
        await bank.getByRole("button", { name: "Decline the payment" }).click();
      } else {
        await page.getByRole("link", { name: "Open your bank's page" }).click();
        await page.getByRole("button", { name: "Continue to your bank" }).click();
        await page.getByRole("button", { name: "Decline the payment" }).click();
        await page.getByRole("button", { name: "Back to the payment page" }).click();
      }
      await page.locator("#notice").waitFor();
      assert.match(await page.locator("#notice").innerText(), /did not confirm/);
      await pay(page, { number: CARD.approved });
      assert.equal((await atShop(page, shop)).get("status"), "success");
      assert.equal(await shop.statusOf(transactionId), "success");
      await page.context().close();
    });

    test("gives an address where the bank compares it, with a state of the country", async () => {
      const { url, transactionId } = await shop.order({ avs: "1", country: "US" });
      const page = await shop.browser.page(options);
      await page.goto(url);
      assert.equal(await page.locator("#country").inputValue(), "US");
      assert.equal(await page.locator("#dial").inputValue(), "US");
      assert.doesNotMatch(await page.locator("label[for=state]").innerText(), /optional/);
      await page.locator("#country").selectOption("CA");
      if (!hasScripts) await page.getByRole("button", { name: /Show states/ }).click();
      await page.locator("#state option[value=CA-ON]").waitFor({ state: "attached" });
      assert.doesNotMatch(await page.locator("label[for=state]").innerText(), /optional/);
      const address = { addr1: "1 King St", city: "Toronto", state: "CA-ON", zipcode: "M5H 1A1" };
      await pay(page, { number: "4111111111114444", ...address });
      assert.equal((await atShop(page, shop)).get("status"), "success");
      assert.equal(await shop.statusOf(transactionId), "success");
      await page.context().close();
    });

    test("goes back without paying, and the shop is told", async () => {
      const { url, transactionId } = await shop.order();
      const page = await shop.browser.page(options);
      await page.goto(url);
      await page.getByRole("button", { name: /without paying/ }).click();
      const result = await atShop(page, shop);
      assert.equal(result.get("status"), "failed");
      assert.equal(result.get("hash"), null);
      assert.deepEqual(await shop.sales(transactionId), []);
      await page.context().close();
    });

    test("waits while nobody knows, and is told as soon as somebody does", async () => {
      const { url, transactionId } = await shop.order();
      const page = await shop.browser.page(options);
      await page.goto(url);
      await pay(page, { number: CARD.unknown });
      await page.getByRole("heading", { name: "One moment, please" }).first().waitFor();
      // The page says so before the form has arrived.
      await until(async () => (await shop.sales(transactionId)).length === 1, "the sale");
      await shop.service.clock.advance({ seconds: 20 });
      await until(async () => {
        await shop.sweep();
        return page.url().startsWith(shop.url);
      }, "the result at the shop");
      assert.equal((await atShop(page, shop)).get("status"), "success");
      assert.deepEqual(await shop.sales(transactionId), [{ outcome: "approved" }]);
      await page.context().close();
    });
  });
}
