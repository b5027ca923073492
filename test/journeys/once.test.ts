/**
 * One order is charged once, whatever a customer does with a browser: double clicks, two tabs, the
 * back button, a reload; and the page stays honest when time runs out or the shop does not answer.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { axeViolations, DESKTOP, PHONE } from "../../testkit/browser.ts";
import { atShop, CARD, fillCard, openShop, pay, payButton, WAYS } from "../../testkit/shop.ts";

const shop = await openShop();
after(() => shop.close());

const APPROVED_ONCE = [{ outcome: "approved" }];

for (const [way, options] of WAYS) {
  const hasScripts = options.javaScriptEnabled !== false;

  describe(`a customer ${way}`, () => {
    test("clicks twice and pays once", async () => {
      const { url, transactionId } = await shop.order();
      const page = await shop.browser.page(options);
      await page.goto(url);
      await fillCard(page, { number: CARD.slow });
      await payButton(page).dblclick();
      assert.equal((await atShop(page, shop)).get("status"), "success");
      assert.deepEqual(await shop.sales(transactionId), APPROVED_ONCE);
      await page.context().close();
    });

    test("pays in two tabs at once and pays once; both tell the truth", async () => {
      const { url, transactionId } = await shop.order();
      const one = await shop.browser.page(options);
      const other = await one.context().newPage();
      await Promise.all([one.goto(url), other.goto(url)]);
      await Promise.all([one, other].map((page) => fillCard(page, { number: CARD.slow })));
      await Promise.all([one, other].map((page) => payButton(page).click({ noWaitAfter: true })));
      const results = await Promise.all([one, other].map((page) => atShop(page, shop)));
      assert.deepEqual(
        results.map((result) => result.get("status")),
        ["success", "success"],
      );
      assert.deepEqual(await shop.sales(transactionId), APPROVED_ONCE);
      await one.context().close();
    });

    test("comes back with the back button and sees the end, with nothing to send again", async () => {
      const { url, transactionId } = await shop.order();
      const page = await shop.browser.page(options);
      await page.goto(url);
      await pay(page, { number: CARD.approved });
      await atShop(page, shop);
      await page.goBack();
      await page.getByRole("heading", { name: "Paid" }).waitFor();
      const text = await page.locator("main").innerText();
      assert(text.includes(transactionId), text);
      assert.equal(await page.locator("input").count(), 0);
      assert.doesNotMatch(await page.content(), /4111111111111111/);
      await page.getByRole("link", { name: /Continue to/ }).click();
      assert.equal((await atShop(page, shop)).get("status"), "success");
      assert.deepEqual(await shop.sales(transactionId), APPROVED_ONCE);
      await page.context().close();
    });

    test("presses Enter in a field and pays", async () => {
      const { url, transactionId } = await shop.order();
      const page = await shop.browser.page(options);
      await page.goto(url);
      await fillCard(page, { number: CARD.approved });
      await page.locator("#holder").press("Enter");
      assert.equal((await atShop(page, shop)).get("status"), "success");
      assert.deepEqual(await shop.sales(transactionId), APPROVED_ONCE);
      await page.context().close();
    });

    test("reloads after a decline, and no second card is tried", async () => {
      const { url, transactionId } = await shop.order();
      const page = await shop.browser.page(options);
      await page.goto(url);
      await pay(page, { number: CARD.declined });
      await page.locator("#notice").waitFor();
      await page.reload();
      await page.locator("#notice").waitFor();
      assert.deepEqual(await shop.sales(transactionId), [{ outcome: "declined" }]);
      await page.context().close();
    });

    for (const [minutes, fields] of [
      [3, {}],
      [5, { avs: "1" }],
    ] as const) {
      test(`finds after ${minutes} minutes that the time is over, and no money taken`, async () => {
        const { url, transactionId } = await shop.order(fields);
        const page = await shop.browser.page(options);
        await page.goto(url);
        const address = { country: "AW", addr1: "1 L G Smith Blvd", city: "Oranjestad" };
        await fillCard(page, { number: CARD.approved, ...(minutes === 5 ? address : {}) });
        await shop.service.clock.advance({ seconds: minutes * 60 - 2 });
        assert.equal(await shop.statusOf(transactionId), "incomplete");
        await shop.service.clock.advance({ seconds: 3 });
        await payButton(page).click();
        const result = await atShop(page, shop);
        assert.equal(result.get("status"), "failed");
        assert.equal(result.get("message"), "[3-R98]: Transaction timed out.");
        assert.deepEqual(await shop.sales(transactionId), []);
        await page.goto(url);
        await page.getByRole("heading", { name: "Time is up" }).waitFor();
        await page.context().close();
      });
    }

    test("gets no answer from the bank, and the order ends unpaid", async () => {
      const { url, transactionId } = await shop.order();
      const page = await shop.browser.page(options);
      await page.goto(url);
      await pay(page, { number: CARD.silent });
      await page.getByRole("heading", { name: /Confirm with your bank/ }).waitFor();
      await shop.service.clock.advance({ minutes: 4 });
      await shop.sweep();
      if (!hasScripts) await page.goto(`${url}?waiting=1`);
      const result = await atShop(page, shop);
      assert.equal(result.get("status"), "failed");
      assert.equal(await shop.statusOf(transactionId), "failed");
      await page.context().close();
    });
  });
}

test("a shop that does not answer leaves the customer with the result and the reference", async () => {
  const { url, transactionId } = await shop.order({ response_url: `${shop.url}/silent` });
  const page = await shop.browser.page(PHONE);
  // The driver gets nothing from a page that is navigating to another site, so the page reports.
  await page.addInitScript(`
    setInterval(() => {
      const { innerText: text = "" } = document.querySelector("#waiting") ?? {};
      if (text.startsWith("Paid")) fetch("/livez?shown=" + encodeURIComponent(text));
    }, 200)`);
  const shown = new Promise<string>((resolve) => {
    shop.service.server.http.on("request", (request) => {
      const text = new URL(request.url ?? "", url).searchParams.get("shown");
      if (text !== null) resolve(text);
    });
  });
  await page.goto(url);
  await fillCard(page, { number: CARD.approved });
  const click = payButton(page).click();
  const text = await shown;
  assert.match(text, /You paid TTD\s105\.20 to/);
  assert(text.includes(transactionId), text);
  assert.match(text, /Continue to/);
  assert.equal(await shop.statusOf(transactionId), "success");
  await page.context().close();
  await click.catch(() => "it was waiting for the shop");
  const later = await shop.browser.page(DESKTOP);
  await later.goto(url);
  assert((await later.locator("main").innerText()).includes(transactionId));
  await later.context().close();
});

test("the clock on the page runs, warns in words once, and leads on when it is over", async () => {
  const { url } = await shop.order();
  const page = await shop.browser.page(PHONE);
  await page.clock.install();
  await page.goto(url);
  const said = page.locator("#time-said");
  await page.clock.runFor(30_000);
  assert.match(await page.locator("#time").innerText(), /^Time left to pay: 2:(29|30)$/);
  assert.equal(await said.textContent(), "");
  await page.clock.runFor(92_000);
  assert.match((await said.textContent()) ?? "", /1 minute left to pay/);
  assert.deepEqual(await axeViolations(page), []);
  await page.clock.runFor(40_000);
  assert.match((await said.textContent()) ?? "", /20 seconds left/);
  await shop.service.clock.advance({ minutes: 3 });
  await page.clock.runFor(25_000);
  await page.getByRole("heading", { name: "Time is up" }).waitFor();
  await page.context().close();
});

test("with the keyboard alone a card is paid, and what is wrong gets the focus", async () => {
  const { url } = await shop.order();
  const page = await shop.browser.page(DESKTOP);
  await page.goto(url);
  const focused = () => page.evaluate<string>("document.activeElement?.id");
  const tabTo = async (id: string) => {
    for (let steps = 0; (await focused()) !== id; steps += 1) {
      assert(steps < 20, `${id} cannot be reached`);
      await page.keyboard.press("Tab");
    }
  };
  await tabTo("number");
  await page.keyboard.type("4111111111111111");
  assert.equal(await page.locator("#number").inputValue(), "4111 1111 1111 1111");
  await tabTo("expiry");
  await page.keyboard.type("935");
  assert.equal(await page.locator("#expiry").inputValue(), "09 / 35");
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "cvv", "the first that is missing");
  assert.match(await page.locator("#cvv-wrong").innerText(), /Enter the security code/);
  await page.keyboard.type("123");
  await tabTo("holder");
  await page.keyboard.type("Maya Joseph");
  await tabTo("pay");
  await page.keyboard.press("Enter");
  assert.equal((await atShop(page, shop)).get("status"), "success");
  await page.context().close();
});
