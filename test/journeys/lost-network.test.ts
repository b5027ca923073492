/**
 * The network fails at every point of the background submit (Decision 0096): before the form, in
 * the middle of it, after the service took it, in its answer, slowly, for good. Never are there two
 * charges, never is a result lost, and the page says what is true and keeps what was typed.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { axeViolations, DESKTOP, PHONE } from "../../testkit/browser.ts";
import { type Failure, startFailingNetwork } from "../../testkit/failing-network.ts";
import { freePort } from "../../testkit/free-port.ts";
import { atShop, CARD, fillCard, openShop, pay, payButton } from "../../testkit/shop.ts";
import { until } from "../../testkit/until.ts";

const port = await freePort();
const network = await startFailingNetwork(port);
const shop = await openShop({ PORT: String(port), PUBLIC_URL: network.url });
after(async () => {
  await shop.close();
  await network.close();
});

const notice = (page: Page) => page.locator("#notice");
const tryAgain = (page: Page) => page.getByRole("button", { name: "Try again" });
const outcomes = async (id: string) => (await shop.sales(id)).map(({ outcome }) => outcome);

async function open(fields: Record<string, string> = {}, options = PHONE) {
  const { url, transactionId } = await shop.order(fields);
  const page = await shop.browser.page(options);
  await page.goto(url);
  return { page, transactionId };
}

async function expectLost(page: Page): Promise<void> {
  await tryAgain(page).waitFor();
  const words = await notice(page).innerText();
  assert.match(words, /The connection was lost/);
  assert.match(words, /We do not know yet whether your details reached us/);
  assert.match(words, /you will not be charged twice/);
  assert.match(words, /Everything you typed is still here/);
}

/** A form that was taken may have been found out about before the button is pressed. */
async function pressAgain(page: Page, mayBeGone: boolean): Promise<void> {
  const pressed = tryAgain(page).click();
  await (mayBeGone ? pressed.catch(() => "it went on by itself") : pressed);
}

async function expectTyped(page: Page, number: string): Promise<void> {
  const values = { number, expiry: "09 / 35", cvv: "123", holder: "Maya Joseph" };
  for (const [name, value] of Object.entries(values))
    assert.equal(await page.locator(`#${name}`).inputValue(), value, name);
}

const FAILURES: readonly Failure[] = ["before", "during", "after", "in the answer"];

for (const failure of FAILURES) {
  const wasTaken = failure === "after" || failure === "in the answer";

  describe(`the network fails ${failure === "before" ? "before the form" : failure}`, () => {
    test("and Try again pays once, with everything still typed", async () => {
      const { page, transactionId } = await open();
      network.fail(failure);
      await pay(page, { number: CARD.approved });
      await expectLost(page);
      await expectTyped(page, "4111 1111 1111 1111");
      if (!wasTaken) assert.deepEqual(await axeViolations(page), []);
      assert.deepEqual(await outcomes(transactionId), wasTaken ? ["approved"] : []);
      network.fail(undefined);
      await pressAgain(page, wasTaken);
      assert.equal((await atShop(page, shop)).get("status"), "success");
      assert.deepEqual(await outcomes(transactionId), ["approved"]);
      await page.context().close();
    });

    test("and Try again learns of a decline, which is one try", async () => {
      const { page, transactionId } = await open();
      network.fail(failure);
      await pay(page, { number: CARD.declined });
      await expectLost(page);
      network.fail(undefined);
      await pressAgain(page, wasTaken);
      await notice(page).getByText("Your card was declined").waitFor();
      assert.match(await notice(page).innerText(), /You have 4 tries left/);
      assert.equal(await page.locator("#number").inputValue(), "4111 1111 1111 3333");
      assert.equal(await page.locator("#cvv").inputValue(), "");
      assert.deepEqual(await outcomes(transactionId), ["declined"]);
      await page.context().close();
    });
  });
}

test("a result whose answer was lost is found without asking for it", async () => {
  const { page, transactionId } = await open();
  network.fail("after");
  await pay(page, { number: CARD.approved });
  await expectLost(page);
  assert.equal((await atShop(page, shop)).get("status"), "success");
  network.fail(undefined);
  assert.deepEqual(await outcomes(transactionId), ["approved"]);
  await page.context().close();
});

test("an answer that never ends is not waited for once the result is known", async () => {
  const { page, transactionId } = await open();
  network.fail("hanging");
  await pay(page, { number: CARD.approved });
  assert.equal((await atShop(page, shop)).get("status"), "success");
  network.fail(undefined);
  assert.deepEqual(await outcomes(transactionId), ["approved"]);
  await page.context().close();
});

test("a form that gets stuck is told of after 10 seconds, and can be sent again after 30", async () => {
  const { page, transactionId } = await open();
  await page.clock.install();
  await fillCard(page, { number: CARD.approved });
  network.fail("stuck");
  await payButton(page).click();
  const text = page.locator("#waiting-text");
  const runUntil = async (isThere: () => Promise<boolean>) => {
    for (let seconds = 0; !(await isThere()); seconds += 1) {
      assert(seconds < 60, await page.locator("main").innerText());
      await page.clock.runFor(1000);
    }
  };
  await runUntil(async () => /connection is slow/.test((await text.textContent()) ?? ""));
  assert(await page.locator("#time").isVisible(), "the time left stays in sight");
  await runUntil(() => tryAgain(page).isVisible());
  await expectLost(page);
  await expectTyped(page, "4111 1111 1111 1111");
  network.fail(undefined);
  await tryAgain(page).click();
  await page.clock.resume();
  assert.equal((await atShop(page, shop)).get("status"), "success");
  assert.deepEqual(await outcomes(transactionId), ["approved"]);
  await page.context().close();
});

describe("a phone without a connection", () => {
  test("says so before anything is sent, and pays once it is back", async () => {
    const { page, transactionId } = await open();
    const before = network.forms();
    await fillCard(page, { number: CARD.approved });
    await page.context().setOffline(true);
    await payButton(page).click();
    await tryAgain(page).waitFor();
    const words = await notice(page).innerText();
    assert.match(words, /You are offline\s+Nothing was sent, and no money was taken/);
    await tryAgain(page).click();
    await tryAgain(page).waitFor();
    assert.equal(network.forms(), before);
    await page.context().setOffline(false);
    await tryAgain(page).click();
    assert.equal((await atShop(page, shop)).get("status"), "success");
    assert.deepEqual(await outcomes(transactionId), ["approved"]);
    await page.context().close();
  });

  test("in the middle of Pay says so, and is back online: paid once", async () => {
    const { page, transactionId } = await open();
    const before = network.forms();
    network.fail("hanging");
    await pay(page, { number: CARD.slow });
    await until(() => network.forms() > before, "the form is under way");
    await page.context().setOffline(true);
    await page.getByText("There is no connection at the moment").waitFor();
    network.fail(undefined);
    await page.context().setOffline(false);
    assert.equal((await atShop(page, shop)).get("status"), "success");
    assert.deepEqual(await outcomes(transactionId), ["approved"]);
    await page.context().close();
  });

  test("when the answer is lost still offers to try again, and then pays once", async () => {
    const { page, transactionId } = await open();
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
    assert.equal((await atShop(page, shop)).get("status"), "success");
    assert.deepEqual(await outcomes(transactionId), ["approved"]);
    await page.context().close();
  });

  test("when it is paid shows that, and goes on to the shop once it is back", async () => {
    const { page, transactionId } = await open();
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
    assert.equal((await atShop(page, shop)).get("status"), "success");
    assert.deepEqual(await outcomes(transactionId), ["approved"]);
    await page.context().close();
  });
});

test("slow 3G pays once, however often the button is pressed", async () => {
  const { page, transactionId } = await open();
  const browser = await page.context().newCDPSession(page);
  await browser.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 2000,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  });
  await fillCard(page, { number: CARD.approved });
  await payButton(page).dblclick();
  assert.equal((await atShop(page, shop)).get("status"), "success");
  assert.deepEqual(await outcomes(transactionId), ["approved"]);
  await page.context().close();
});

test("a tab that is closed in the middle of Pay: the payment goes on, and its page tells", async () => {
  const { url, transactionId } = await shop.order();
  const page = await shop.browser.page(DESKTOP);
  await page.goto(url);
  const before = network.forms();
  await pay(page, { number: CARD.slow });
  await until(() => network.forms() > before, "the form is under way");
  await page.close();
  await until(async () => (await shop.statusOf(transactionId)) === "success", "it is paid");
  const later = await page.context().newPage();
  await later.goto(url);
  await later.getByRole("heading", { name: "Paid" }).waitFor();
  assert.deepEqual(await outcomes(transactionId), ["approved"]);
  await later.context().close();
});

test("declined, the code corrected, paid without typing the number again", async () => {
  const { page, transactionId } = await open();
  const { sandbox } = shop.service.ctx.gateways;
  assert(sandbox !== undefined);
  // This bank knows the code of the card.
  const { sale } = sandbox;
  sandbox.sale = (wanted) => {
    const { card } = wanted;
    const isWrong = card.cvv !== "123";
    const number = isWrong ? CARD.wrongCvv : card.number;
    return sale.call(sandbox, { ...wanted, card: { ...card, number } });
  };
  await pay(page, { number: CARD.approved, cvv: "999" });
  await notice(page).getByText("The security code of the card is wrong").waitFor();
  assert.equal(await page.evaluate("document.activeElement.id"), "cvv");
  assert.equal(await page.locator("#number").inputValue(), "4111 1111 1111 1111");
  assert.equal(await page.locator("#expiry").inputValue(), "09 / 35");
  assert.equal(await page.locator("#holder").inputValue(), "Maya Joseph");
  assert.doesNotMatch(await page.content(), /4111 1111 1111 1111"/);
  await page.keyboard.type("123");
  await page.keyboard.press("Enter");
  assert.equal((await atShop(page, shop)).get("status"), "success");
  sandbox.sale = sale;
  assert.deepEqual((await outcomes(transactionId)).sort(), ["approved", "declined"]);
  await page.context().close();
});
