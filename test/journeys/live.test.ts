/**
 * A person with a browser pays by a real card, through the fake of the acquirer: on the full page
 * and on the simple one in the shop's frame, on a phone and on a desktop. What the card's bank
 * wants happens in a frame, nothing breaks a page's rules, and one charge is made.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { BrowserContextOptions } from "playwright-core";
import { complaintsAbout, DESKTOP, PHONE } from "../../testkit/browser.ts";
import {
  answerBank,
  bankIn,
  inspect,
  LIVE_CARD,
  openLiveShop,
  picture,
} from "../../testkit/live-shop.ts";
import { atShop, fillCard, payButton } from "../../testkit/shop.ts";

const shop = await openLiveShop();
after(() => shop.close());

const SCREENS: readonly [string, BrowserContextOptions][] = [
  ["on a phone", PHONE],
  ["on a desktop", DESKTOP],
];

/** What a browser says of a page that broke its own policy, or was led where it may not go. */
const brokenRules = (complaints: readonly string[]) =>
  complaints.filter((line) => /Content.Security.Policy|sandbox|Refused|violates/i.test(line));

function expectNoReports(): void {
  assert.deepEqual(
    shop.service.logged.filter((line) => line.includes("broke its rules")),
    [],
  );
}

for (const [screen, options] of SCREENS) {
  describe(`a customer ${screen}`, () => {
    test("is asked by the bank on the full page, and pays", async () => {
      const { page, transactionId } = await shop.payWith(LIVE_CARD.challenged, "full", options);
      const complaints = complaintsAbout(page);
      await bankIn(page).getByLabel("Password").waitFor();
      await inspect(page, `challenge full ${screen}`);
      await page.locator("#time b").waitFor();
      assert.equal(await page.locator("#bank").getAttribute("title"), "Your bank's page");
      await answerBank(page, "3ds2");
      const result = await atShop(page, shop);
      assert.equal(result.get("status"), "success");
      assert.equal(result.get("transaction_id"), transactionId);
      assert.deepEqual(await shop.charges(transactionId), ["Y 1"]);
      assert.deepEqual(brokenRules(complaints), []);
      expectNoReports();
      await page.context().close();
    });

    test("is asked by the bank on the simple page, in a frame of the shop", async () => {
      const { fingerprintedAndChallenged: number } = LIVE_CARD;
      const { page, at, transactionId } = await shop.payWith(number, "simple", options);
      const complaints = complaintsAbout(page);
      await bankIn(at).getByLabel("Password").waitFor();
      await inspect(page, `challenge simple ${screen}`);
      await answerBank(at, "wrong");
      await bankIn(at).getByText("2 tries are left").waitFor();
      await answerBank(at, "3ds2");
      await at.locator("#status").waitFor();
      assert.equal(await at.locator("#status").innerText(), "success");
      assert(page.url().startsWith(`${shop.url}/frame`), "the shop's own page has stayed");
      assert.deepEqual(await shop.charges(transactionId), ["Y 1"]);
      assert.deepEqual(brokenRules(complaints), []);
      expectNoReports();
      await page.context().close();
    });

    test("reads a quiet thanks in the frame, and is not asked to open the bank again", async () => {
      const { page } = await shop.payWith(LIVE_CARD.challenged, "full", options);
      const more = page.getByRole("link", { name: /^Nothing above/ });
      await bankIn(page).getByLabel("Password").waitFor();
      assert(await more.isVisible());
      // So that the page stays as it is.
      await page.route("**/status", (route) => route.abort());
      await answerBank(page, "3ds2");
      await bankIn(page).getByRole("heading", { name: "Thank you" }).waitFor();
      await more.waitFor({ state: "hidden" });
      assert.equal(await bankIn(page).locator("footer").count(), 0);
      await inspect(page, `thanks ${screen}`);
      await page.unroute("**/status");
      assert.equal((await atShop(page, shop)).get("status"), "success");
      await page.context().close();
    });

    for (const which of ["frictionless", "fingerprinted"] as const)
      test(`does nothing where the bank asks nothing: ${which}`, async () => {
        for (const kind of ["full", "simple"] as const) {
          const { page, at, transactionId } = await shop.payWith(LIVE_CARD[which], kind, options);
          const complaints = complaintsAbout(page);
          await picture(page, `${which} ${kind} ${screen}`);
          if (kind === "full") await atShop(page, shop);
          await at.locator("#status").waitFor();
          assert.equal(await at.locator("#status").innerText(), "success");
          assert.deepEqual(await shop.charges(transactionId), ["Y 1"]);
          assert.deepEqual(brokenRules(complaints), []);
          await page.context().close();
        }
        expectNoReports();
      });

    test("opens the bank's page in a window of its own, and is led back", async () => {
      const { page, transactionId } = await shop.payWith(LIVE_CARD.challenged, "full", options);
      await page.getByRole("link", { name: /Open your bank's page/ }).click();
      const bank = page.frameLocator("#bank");
      await bank.getByLabel("Password").waitFor();
      await inspect(page, `window ${screen}`);
      await bank.getByLabel("Password").fill("3ds2");
      await bank.getByRole("button", { name: "Submit" }).click();
      assert.equal((await atShop(page, shop)).get("status"), "success");
      assert.deepEqual(await shop.charges(transactionId), ["Y 1"]);
      await page.context().close();
    });
  });
}

test("a customer with a keyboard alone types the password and pays", async () => {
  const { url, transactionId } = await shop.order();
  const page = await shop.browser.page(DESKTOP);
  await page.goto(url);
  await fillCard(page, { number: LIVE_CARD.challenged });
  await payButton(page).press("Enter");
  const password = bankIn(page).getByLabel("Password");
  await password.waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.type("3ds2");
  assert.equal(await password.inputValue(), "3ds2", "the first stop is the bank's field");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.equal((await atShop(page, shop)).get("status"), "success");
  assert.deepEqual(await shop.charges(transactionId), ["Y 1"]);
  await page.context().close();
});
