/**
 * The simple page fits a shop's frame of 400 by 560 (Decision 0097), in every language, with and
 * without a logo, with a short and with the longest name, with and without scripts. A decline makes
 * it higher, and it says by how much.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Frame, Page } from "playwright-core";
import { LANGUAGES } from "../../src/kit/vocabulary.ts";
import { axeViolations, DESKTOP } from "../../testkit/browser.ts";
import { multipart } from "../../testkit/pictures.ts";
import { CARD, fillCard, openShop, payButton } from "../../testkit/shop.ts";
import { until } from "../../testkit/until.ts";

const shop = await openShop();
after(() => shop.close());
const { access_token: token } = await shop.merchant.signIn();

const FRAME = { width: 400, height: 560 };
const SHORT = "Sea Grape Books";
const LONGEST = "The Sea Grape Bookshop and Stationers of Speightstown & Sons";

const setName = (business_name: string) =>
  shop.service.request("/user/business", { method: "PATCH", token, json: { business_name } });

async function setLogo(width: number, height: number): Promise<void> {
  const content = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}"
    height="${height}"><rect width="${width}" height="${height}" fill="#203a43"/></svg>`);
  const part = { name: "logo", content, fileName: "logo.svg", type: "image/svg+xml" };
  const raw = multipart([part]);
  const { status } = await shop.service.request("/user/logo", { method: "POST", token, raw });
  assert.ok(status === 201 || status === 200);
}

async function framed(
  language: string,
  hasScripts = true,
): Promise<{ page: Page; inner: Frame; heights(): Promise<number[]> }> {
  const { url } = await shop.order({ method: "3co_simple", language });
  const page = await shop.browser.page({ ...DESKTOP, javaScriptEnabled: hasScripts });
  await page.addInitScript(`
    window.heights = [];
    addEventListener("message", ({ data }) => window.heights.push(data.height));`);
  await page.goto(`${shop.url}/frame?page=${encodeURIComponent(url)}`);
  await setHeight(page, FRAME.height);
  const [, inner] = page.frames();
  assert(inner !== undefined);
  await payButton(inner).waitFor();
  return { page, inner, heights: () => page.evaluate<number[]>("window.heights") };
}

const setHeight = (page: Page, height: number) =>
  page.locator("iframe").evaluate((frame, style) => {
    frame.setAttribute("style", style);
  }, `width: ${FRAME.width}px; height: ${height}px; border: 0`);

const sizesOf = async (inner: Frame) =>
  inner
    .locator("html")
    .evaluate((root) => ({ width: root.scrollWidth, height: root.scrollHeight }));

async function expectFits(language: string, hasScripts = true): Promise<void> {
  const { page, inner } = await framed(language, hasScripts);
  assert.equal(await inner.locator("html").getAttribute("lang"), language);
  assert.deepEqual(await sizesOf(inner), FRAME, language);
  if (hasScripts) assert.deepEqual(await axeViolations(page), []);
  await page.context().close();
}

const LOGOS: readonly [string, (() => Promise<void>) | undefined][] = [
  ["without a logo", undefined],
  ["with a square logo", () => setLogo(160, 160)],
  ["with a wide logo", () => setLogo(480, 120)],
];

for (const [which, set] of LOGOS)
  describe(`a page ${which} needs no scrolling`, () => {
    for (const name of [SHORT, LONGEST])
      test(`of ${name}, in four languages`, async () => {
        await set?.();
        await setName(name);
        for (const language of LANGUAGES) await expectFits(language);
      });
  });

test("without scripts it needs none, either", async () => {
  await setName(SHORT);
  for (const language of LANGUAGES) await expectFits(language, false);
});

test("a decline makes it higher, which it tells, and then nothing has to be scrolled to", async () => {
  for (const language of LANGUAGES) {
    const { page, inner, heights } = await framed(language);
    await fillCard(inner, { number: CARD.declined });
    const [before = 0] = await heights();
    assert(before > 0 && before <= FRAME.height);
    await payButton(inner).click();
    await inner.locator("#notice").waitFor();
    await until(async () => ((await heights()).at(-1) ?? 0) > FRAME.height, "it is told");
    const told = (await heights()).at(-1) ?? 0;
    assert(told - before <= 170, `it is ${told - before} higher`);
    await setHeight(page, told);
    await until(async () => (await sizesOf(inner)).height === told, "it fits the new height");
    await page.context().close();
  }
});
