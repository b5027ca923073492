/**
 * A merchant's own page: with a wide logo and a colour of any lightness it stays readable, holds
 * nothing wider than the screen, and is paid (Decision 0093).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { BrowserContextOptions } from "playwright-core";
import { axeViolations, DESKTOP, PHONE } from "../../testkit/browser.ts";
import { multipart } from "../../testkit/pictures.ts";
import { atShop, CARD, openShop, pay } from "../../testkit/shop.ts";

const shop = await openShop();
after(() => shop.close());

const WIDE = `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="100">
  <rect width="960" height="100" fill="#203a43"/></svg>`;
const { access_token: token } = await shop.merchant.signIn();
const logo = multipart([
  { name: "logo", content: Buffer.from(WIDE), fileName: "logo.svg", type: "image/svg+xml" },
]);
const set = await shop.service.request("/user/logo", { method: "POST", token, raw: logo });
assert.equal(set.status, 201);

const SCREENS: readonly [string, BrowserContextOptions][] = [
  ["credit_card", { ...PHONE, colorScheme: "dark" }],
  ["credit_card", DESKTOP],
  ["3co_simple", PHONE],
];

function rgbOf(colour: string): string {
  const parts = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return `rgb(${parts.join(", ")})`;
}

for (const colour of ["#fff6c4", "#808080", "#1a1a40"])
  describe(`with ${colour}`, () => {
    test("it is readable, light and dark, on a phone and a desktop", async () => {
      const json = {
        accent_colour: colour,
        business_name: "The Sea Grape Bookshop of Speightstown",
      };
      await shop.service.request("/user/business", { method: "PATCH", token, json });
      for (const [method, options] of SCREENS) {
        const page = await shop.browser.page(options);
        await page.goto((await shop.order({ method })).url);
        assert.deepEqual(await axeViolations(page), []);
        const { scrollWidth, clientWidth } = await page
          .locator("html")
          .evaluate((root) => ({ scrollWidth: root.scrollWidth, clientWidth: root.clientWidth }));
        assert.ok(scrollWidth <= clientWidth, `${scrollWidth} wide of ${clientWidth}`);
        const painted = await page.evaluate<string>(
          "getComputedStyle(document.querySelector('#pay')).backgroundColor",
        );
        assert.equal(painted, rgbOf(colour));
        await page.context().close();
      }
    });
  });

test("nothing moves when the logo arrives", async () => {
  for (const [method, options] of SCREENS) {
    const page = await shop.browser.page(options);
    await page.addInitScript(`
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shift += entry.value;
      }).observe({ type: "layout-shift", buffered: true });`);
    // Later than everything else.
    const { promise: mayArrive, resolve: arrive } = Promise.withResolvers<void>();
    await page.route("**/logos/*", async (route) => {
      await mayArrive;
      await route.continue();
    });
    await page.goto((await shop.order({ method })).url, { waitUntil: "domcontentloaded" });
    const painted = "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 300)))";
    await page.evaluate(painted);
    arrive();
    await page.waitForLoadState("load");
    await page.evaluate(painted);
    const width = await page.evaluate<number>("document.querySelector('.logo').naturalWidth");
    assert(width > 0, "it has arrived");
    const shift = await page.evaluate<number>("window.shift");
    assert(shift < 0.01, `${method} moved by ${shift}`);
    await page.context().close();
  }
});

test("it is paid", async () => {
  const { url, transactionId } = await shop.order();
  const page = await shop.browser.page(PHONE);
  await page.goto(url);
  await pay(page, { number: CARD.approved });
  assert.equal((await atShop(page, shop)).get("status"), "success");
  assert.equal(await shop.statusOf(transactionId), "success");
});
