/**
 * A connection that comes and goes while somebody pays (Decision 0096), on a phone and on a
 * desktop: offline before Pay, in the middle of it, when the answer is due; slow 3G; a closed tab;
 * and a code that was wrong. One charge at most, a true sentence, nothing typed twice.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { DESKTOP, PHONE } from "../../testkit/browser.ts";
import { CARD, fillCard, pay, payButton } from "../../testkit/shop.ts";
import {
  expectLost,
  expectTyped,
  noticeOf,
  openUnreliableShop,
  tryAgain,
} from "../../testkit/unreliable-shop.ts";
import { until } from "../../testkit/until.ts";

const shop = await openUnreliableShop();
const { network } = shop;
after(() => shop.close());

const SMALL = { ...PHONE, viewport: { width: 390, height: 844 } };

for (const [screen, options] of [
  ["on a phone", SMALL],
  ["on a desktop", DESKTOP],
] as const)
  describe(screen, () => {
    test("offline before Pay says so, sends nothing, and pays once it is back", async () => {
      const payment = await shop.open(options);
      const { page, transactionId } = payment;
      const before = network.forms();
      await fillCard(page, { number: CARD.approved });
      await page.context().setOffline(true);
      await payButton(page).click();
      await tryAgain(page).waitFor();
      assert.equal(
        await noticeOf(page).innerText(),
        "You are offline\n\nNothing was sent, and no money was taken. Check your connection, " +
          "then try again.\n\nEverything you typed is still here.\n\nTry again",
      );
      await tryAgain(page).click();
      await tryAgain(page).waitFor();
      await expectTyped(page, "4111 1111 1111 1111");
      assert.equal(network.forms(), before);
      await shop.expectEnd(transactionId, { outcomes: [], status: "incomplete" });
      await page.context().setOffline(false);
      await tryAgain(page).click();
      await shop.expectPaidOnce(payment);
      await page.context().close();
    });

    test("offline in the middle of Pay says so, and is back online: paid once", async () => {
      const payment = await shop.open(options);
      const { page } = payment;
      const before = network.forms();
      network.fail("hanging");
      await pay(page, { number: CARD.slow });
      await until(() => network.forms() > before, "the form is under way");
      await page.context().setOffline(true);
      await page
        .getByText("There is no connection at the moment. The result appears here when it is back.")
        .waitFor();
      network.fail(undefined);
      await page.context().setOffline(false);
      await shop.expectPaidOnce(payment);
      await page.context().close();
    });

    test("declined, the code corrected, paid without typing the number again", async () => {
      const payment = await shop.open(options);
      const { page } = payment;
      const { sandbox } = shop.service.ctx.gateways;
      assert(sandbox !== undefined);
      // This bank knows the code of the card.
      const { sale } = sandbox;
      sandbox.sale = (wanted) => {
        const { card } = wanted;
        const number = card.cvv === "123" ? card.number : CARD.wrongCvv;
        return sale.call(sandbox, { ...wanted, card: { ...card, number } });
      };
      await pay(page, { number: CARD.approved, cvv: "999" });
      await noticeOf(page).getByText("The security code of the card is wrong").waitFor();
      assert.match(await noticeOf(page).innerText(), /No money was taken/);
      assert.equal(await page.evaluate("document.activeElement.id"), "cvv");
      await page.keyboard.type("123");
      await expectTyped(page, "4111 1111 1111 1111");
      assert.doesNotMatch(await page.content(), /4111 1111 1111 1111"/);
      await page.keyboard.press("Enter");
      await shop.expectPaidOnce(payment, 1);
      sandbox.sale = sale;
      await page.context().close();
    });
  });

test("offline when the answer is lost, Try again is still offered, and pays once", async () => {
  const payment = await shop.open(SMALL);
  const { page } = payment;
  const before = network.forms();
  network.fail("after");
  await pay(page, { number: CARD.slow });
  await until(() => network.forms() > before, "the form is under way");
  await page.context().setOffline(true);
  await expectLost(page);
  await tryAgain(page).click();
  await expectLost(page);
  network.fail(undefined);
  await page.context().setOffline(false);
  await tryAgain(page).click();
  await shop.expectPaidOnce(payment);
  await page.context().close();
});

test("offline when it is paid, the page shows that, and goes on to the shop later", async () => {
  const payment = await shop.open(SMALL);
  const { page } = payment;
  // The browser believes to be offline, and what is under way still arrives.
  await page.addInitScript(
    "Object.defineProperty(navigator, 'onLine', { get: () => !window.away })",
  );
  await page.reload();
  await pay(page, { number: CARD.slow });
  await page.evaluate("window.away = true");
  await page.getByRole("heading", { name: "Paid" }).waitFor();
  assert(page.url().startsWith(network.url));
  await page.evaluate("dispatchEvent(new Event('online'))");
  await shop.expectPaidOnce(payment);
  await page.context().close();
});

test("slow 3G pays once, however often the button is pressed", async () => {
  const payment = await shop.open(SMALL);
  const { page } = payment;
  const browser = await page.context().newCDPSession(page);
  await browser.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 2000,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  });
  await fillCard(page, { number: CARD.approved });
  await payButton(page).dblclick();
  await page.getByText("Please do not close this page or pay again.").waitFor();
  await shop.expectPaidOnce(payment);
  await page.context().close();
});

test("a tab that is closed while the bank is asked: the payment goes on, and its page tells", async () => {
  const { page, url, transactionId } = await shop.open(DESKTOP);
  const before = network.forms();
  await pay(page, { number: CARD.slow });
  await until(() => network.forms() > before, "the form is under way");
  await page.close();
  await until(async () => (await shop.statusOf(transactionId)) === "success", "it is paid");
  const later = await page.context().newPage();
  await later.goto(url);
  await later.getByRole("heading", { name: "Paid" }).waitFor();
  await shop.expectEnd(transactionId, { outcomes: ["approved"], status: "success" });
  await later.context().close();
});
