/**
 * The simple page in a shop's frame (Decision 0097): it fits 400 by 560 without scrolling, tells
 * the page around it how high it is, and a hostile one learns nothing else and moves nothing.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Page } from "playwright-core";
import { axeViolations, DESKTOP } from "../../testkit/browser.ts";
import { CARD, fillCard, openShop, payButton, unfold } from "../../testkit/shop.ts";
import { until } from "../../testkit/until.ts";

const shop = await openShop();
after(() => shop.close());

interface Told {
  readonly data: Record<string, unknown>;
  readonly origin: string;
}

/** A page of the shop with the payment in a frame, which keeps every message that it gets. */
async function frame(fields: Record<string, string> = {}) {
  const { url, transactionId } = await shop.order({ method: "3co_simple", ...fields });
  const page = await shop.browser.page(DESKTOP);
  await page.goto(`${shop.url}/frame?page=about:blank`);
  await page.evaluate(`(() => {
    window.told = [];
    addEventListener("message", ({ data, origin }) => told.push({ data, origin }));
    const frame = document.querySelector("iframe");
    frame.style = "width: 400px; height: 560px; border: 0";
    frame.src = ${JSON.stringify(url)};
  })()`);
  const inside = page.frameLocator("iframe");
  await payButton(inside).waitFor();
  return { page, inside, url, transactionId };
}

const toldTo = (page: Page) => page.evaluate<Told[]>("window.told");

const heightInside = async (page: Page) => {
  const [, inner] = page.frames();
  assert(inner !== undefined);
  return inner.evaluate<number>("document.body.getBoundingClientRect().height");
};

test("it fits a frame of 400 by 560, and nothing has to be scrolled to", async () => {
  const { page, inside } = await frame();
  const [, inner] = page.frames();
  const sizes = await inner?.evaluate<number[]>(
    "[document.documentElement.scrollHeight, document.documentElement.scrollWidth]",
  );
  assert.deepEqual(sizes, [560, 400]);
  const button = await payButton(inside).boundingBox();
  const frameBox = await page.locator("iframe").boundingBox();
  assert(button !== null && frameBox !== null);
  const end = button.y + button.height - frameBox.y;
  const height = await heightInside(page);
  assert(end > 0 && end < height && height <= 560, `the button ends at ${end} of ${height}`);
  assert.equal(await inside.locator("main").getByText("order-").count(), 0);
  assert.equal(await inside.locator(".lines").getAttribute("open"), null);
  assert.deepEqual(await axeViolations(page), []);
  await page.context().close();
});

test("it tells its height when it is there, and whenever it changes", async () => {
  const { page, inside, url } = await frame();
  await until(async () => (await toldTo(page)).length > 0, "the height is told");
  const [first] = await toldTo(page);
  assert.deepEqual(first, {
    data: { type: "windward:height", height: Math.ceil(await heightInside(page)) },
    origin: new URL(url).origin,
  });
  await unfold(inside.locator("#country"));
  await until(
    async () => (await toldTo(page)).at(-1)?.data.height === Math.ceil(await heightInside(page)),
    "the new height is told",
  );
  assert(Number((await toldTo(page)).at(-1)?.data.height) > Number(first?.data.height));
  await page.context().close();
});

test("a hostile page around it learns the height alone, and moves nothing", async () => {
  const { page, inside, transactionId } = await frame();
  const inner = page.frames()[1];
  const isClosed = await page.evaluate<boolean>(`(() => {
    try {
      return frames[0].document === undefined;
    } catch {
      return true;
    }
  })()`);
  assert(isClosed, "its document cannot be read");
  let posts = 0;
  page.on("request", (request) => {
    if (request.method() === "POST") posts += 1;
  });
  await fillCard(inside, { number: CARD.declined });
  // Time goes on, of which nobody is told.
  const textInside = 'document.body.innerText.replace(/[0-9]/g, "0")';
  const before = await inner?.evaluate<string>(textInside);
  await inner?.evaluate(`(() => {
    window.isLast = new Promise((done) => {
      addEventListener("message", ({ data }) => data === "last" && done());
    });
  })()`);
  await page.evaluate(`(() => {
    const messages = ["pay", "windward:height", { type: "windward:height", height: 1 },
      { type: "submit" }, { type: "windward:submit", number: "4111111111111111" },
      { step: "ended", next: "https://evil.example" }, null, 7, "x".repeat(1_000_000), "last"];
    for (const message of messages) frames[0].postMessage(message, "*");
  })()`);
  // Messages are delivered in order: once the last is, the others were.
  await inner?.evaluate("window.isLast");
  await inner?.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
  assert.equal(await inside.locator("#number").inputValue(), "4111 1111 1111 3333");
  assert.equal(await inner?.evaluate<string>(textInside), before);
  assert.equal(posts, 0);
  assert.deepEqual(await shop.sales(transactionId), []);

  await payButton(inside).click();
  await inside.locator("#notice").waitFor();
  await fillCard(inside, { number: CARD.approved });
  await payButton(inside).click();
  await inside.locator("#status").waitFor();
  const told = await toldTo(page);
  assert(told.length > 1);
  for (const { data } of told) {
    assert.deepEqual(Object.keys(data).sort(), ["height", "type"]);
    assert.equal(data.type, "windward:height");
    assert(Number.isInteger(data.height));
  }
  await page.context().close();
});

test("a page that is not framed tells nobody anything", async () => {
  for (const method of ["3co_simple", "credit_card_co"]) {
    const { url } = await shop.order({ method });
    const page = await shop.browser.page(DESKTOP);
    await page.addInitScript(`
      window.told = [];
      addEventListener("message", ({ data }) => told.push(data));`);
    await page.goto(url);
    await fillCard(page, { number: CARD.approved });
    assert.deepEqual(await toldTo(page), []);
    await page.context().close();
  }
});
