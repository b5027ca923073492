/**
 * The form is where a customer can use it: Pay in sight on a desktop and near on a phone, the order
 * beside it on a tablet, options folded, the region's countries first, and the time that is left in
 * sight wherever the page was scrolled to, small and without colour until the last minute.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { DESKTOP } from "../../testkit/browser.ts";
import { CARD, fillCard, openShop, pay, payButton, unfold } from "../../testkit/shop.ts";

const shop = await openShop();
after(() => shop.close());

const SMALL: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
};
const TABLET: BrowserContextOptions = { viewport: { width: 768, height: 1024 } };

const ITEMS = [45, 30, 20, 5].map((unit_price, at) => ({
  name: `Book ${at + 1} of the reading circle of Speightstown`,
  quantity: 1,
  unit_price,
}));
const ADDRESS = {
  country: "US",
  addr1: "1 Bay Street",
  addr2: "Apartment 2",
  city: "Boston",
  state: "US-MA",
  zipcode: "02108",
};
/** What a request may ask of a customer, and show. */
const ORDERS: readonly [string, Record<string, string>][] = [
  ["a card", {}],
  ["a card and an e-mail", { email: "" }],
  ["a card with its address", { avs: "1", country: "US" }],
  ["items", { items: JSON.stringify(ITEMS), description: "For the reading circle" }],
];

async function open(fields: Record<string, string> = {}, options = DESKTOP): Promise<Page> {
  const { url } = await shop.order(fields);
  const page = await shop.browser.page(options);
  await page.goto(url);
  return page;
}

const bottomOfPay = (page: Page) =>
  payButton(page).evaluate((button) => button.getBoundingClientRect().bottom);

/** Nothing lies over it, and it is on the screen. */
const isInSight = (page: Page, selector: string) =>
  page.evaluate<boolean>(`(() => {
    const part = document.querySelector(${JSON.stringify(selector)});
    const { left, top, width, height } = part.getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    return seen !== null && part.contains(seen);
  })()`);

describe("Pay is", () => {
  for (const [what, fields] of ORDERS) {
    test(`in sight on a desktop without scrolling: ${what}`, async () => {
      const page = await open(fields);
      assert((await bottomOfPay(page)) <= 800, `it ends at ${await bottomOfPay(page)}`);
      await page.context().close();
    });

    test(`at most one screen away on a phone, with everything filled in: ${what}`, async () => {
      const page = await open(fields, SMALL);
      const address = fields.avs === "1" ? ADDRESS : {};
      const email = fields.email === "" ? { email: "maya@example.com" } : {};
      await fillCard(page, { number: CARD.approved, ...email, ...address });
      await page.evaluate("scrollTo(0, 0)");
      assert((await bottomOfPay(page)) <= 2 * 844, `it ends at ${await bottomOfPay(page)}`);
      await page.context().close();
    });
  }

  test("in sight on a tablet, and the order stands beside the form", async () => {
    for (const [what, fields] of ORDERS) {
      const page = await open(fields, TABLET);
      assert((await bottomOfPay(page)) <= 1024, what);
      const [order, main] = await Promise.all(
        [".order", "main"].map((part) => page.locator(part).boundingBox()),
      );
      assert(order && main);
      assert(order.x + order.width <= main.x);
      assert(order.width >= 240 && main.width >= 440, `${order.width} beside ${main.width}`);
      await page.context().close();
    }
  });

  test("in sight again on a desktop after a decline", async () => {
    const page = await open();
    await pay(page, { number: CARD.declined });
    await page.locator("#notice").waitFor();
    assert((await bottomOfPay(page)) <= 800, `it ends at ${await bottomOfPay(page)}`);
    await page.context().close();
  });
});

describe("the form", () => {
  test("folds away what may be left out, and opens where something in it is wrong", async () => {
    for (const javaScriptEnabled of [true, false]) {
      const page = await open({}, { ...SMALL, javaScriptEnabled });
      const country = page.locator("#country");
      assert.equal(await country.isVisible(), false);
      await fillCard(page, { number: CARD.approved, country: "TT", phone: "12" });
      await page.locator("details", { has: country }).locator("summary").click();
      assert.equal(await country.isVisible(), false);
      await payButton(page).click();
      await page.locator("#notice").waitFor();
      const wrong = await page.locator("#phone-wrong").innerText();
      assert.match(wrong, /not a valid phone number/);
      assert(await page.locator("#phone").isVisible());
      await page.context().close();
    }
  });

  test("names countries of the region first, then the rest of the Caribbean", async () => {
    const page = await open();
    await unfold(page.locator("#country"));
    for (const name of ["country", "dial"]) {
      const options = await page
        .locator(`#${name} option`)
        .evaluateAll((all) => all.map((option) => option.getAttribute("value")));
      assert.deepEqual(options.slice(1, 6), ["BB", "GD", "GY", "JM", "TT"]);
      assert(options.slice(6, 32).includes("LC"), name);
      assert.equal(new Set(options).size, options.length, "no country is there twice");
    }
    await page.context().close();
  });
});

describe("the time left", () => {
  test("is small and without colour until the last minute", async () => {
    const { url } = await shop.order();
    const page = await shop.browser.page(SMALL);
    await page.clock.install();
    await page.goto(url);
    const looks = () =>
      page.evaluate<{ isQuiet: boolean; backgroundColor: string; isSmall: boolean }>(`(() => {
        const of = (part) => getComputedStyle(document.querySelector(part));
        const { color, backgroundColor, fontSize } = of("#time");
        const isQuiet = color === of(".soft").color;
        return { isQuiet, backgroundColor, isSmall: Number.parseFloat(fontSize) < 16 };
      })()`);
    const quiet = { isQuiet: true, backgroundColor: "rgba(0, 0, 0, 0)", isSmall: true };
    assert.deepEqual(await looks(), quiet);
    await page.clock.runFor(115_000);
    assert.deepEqual(await looks(), quiet);
    await page.clock.runFor(10_000);
    assert.equal((await looks()).isQuiet, false);
    assert.notEqual((await looks()).backgroundColor, quiet.backgroundColor);
    await page.context().close();
  });

  for (const [screen, options] of [
    ["a phone", SMALL],
    ["a tablet", TABLET],
    ["a desktop", DESKTOP],
    ["a phone without JavaScript", { ...SMALL, javaScriptEnabled: false }],
  ] as const)
    test(`is in sight at the top and at the end of the longest form, on ${screen}`, async () => {
      for (const method of ["credit_card_co", "3co_simple"]) {
        const page = await open({ method, avs: "1", country: "US", email: "" }, options);
        await unfold(page.locator("#phone"));
        for (const at of [0, 10_000]) {
          await page.evaluate(`scrollTo(0, ${at})`);
          assert(await isInSight(page, "#time"), `${method} scrolled by ${at}`);
        }
        // What gets the focus is not covered by it.
        await page.locator("#phone").focus();
        await page.locator("#number").focus();
        assert(await isInSight(page, "#number"), method);
        assert(await isInSight(page, "#time"), method);
        await page.context().close();
      }
    });
});
