/**
 * A site of its own carries a payment link and our script (Decision 0100): a click opens the link in
 * a frame that is as high as its page, is paid in it and closes to where it was opened. Without
 * scripts, or where the frame is refused, the link is followed. Nobody else's message is believed.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { axeViolations, complaintsAbout, DESKTOP, PHONE } from "../../testkit/browser.ts";
import { makeLink, readLink } from "../../testkit/payment-links.ts";
import { CARD, openShop, pay, payButton } from "../../testkit/shop.ts";
import { until } from "../../testkit/until.ts";

const shop = await openShop();
after(() => shop.close());
const { service } = shop;
const { access_token: token } = await shop.merchant.signIn();
const base = service.ctx.config.http.paymentsPublicUrl;
/** What our script needs of a site that allows nothing else. */
const STRICT =
  `default-src 'none'; base-uri 'none'; script-src ${base}; frame-src ${base}; ` +
  "require-trusted-types-for 'script'; trusted-types 'none'";

interface Site {
  readonly options?: BrowserContextOptions;
  readonly policy?: string;
  readonly href?: string;
}

/** A page on the merchant's origin, as small as the snippet allows. */
async function openSite({ options = DESKTOP, policy, href }: Site = {}) {
  const link = await makeLink(service, { token }, { success_message: "See you there!" });
  const page = await shop.browser.page(options);
  const complaints = complaintsAbout(page);
  const html = `<!doctype html><html lang="en"><title>Yoga</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<main aria-label="Yoga"><h1>Yoga</h1><p><a class="windward-pay" href="${href ?? link.url}">Book</a></p>
<p><a href="#more">More</a></p></main>
<script src="${base}/pay/button.js"></script>`;
  const url = `${shop.url}/site?${new URLSearchParams({ html, ...(policy && { policy }) })}`;
  await page.goto(url);
  return { url, link, page, complaints, opener: page.getByRole("link", { name: "Book" }) };
}

const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Book" });
const frameOf = (page: Page) => page.frameLocator("dialog iframe");
const goOnIn = (page: Page) => frameOf(page).getByRole("button", { name: "Continue to payment" });
const hasFocus = (page: Page, selector: string) =>
  page.evaluate<boolean>(`document.activeElement?.closest(${JSON.stringify(selector)}) !== null`);

/** Of the frame, and of what stands in it. */
async function heightsOf(page: Page): Promise<[outside: number, inside: number]> {
  const box = await page.locator("dialog iframe").boundingBox();
  const body = frameOf(page).locator("body");
  const inside = await body.evaluate((each) => each.getBoundingClientRect().height);
  return [Math.round(box?.height ?? 0), Math.ceil(inside)];
}

async function expectFrameToFit(page: Page) {
  await until(async () => {
    const [outside, inside] = await heightsOf(page);
    return outside === inside;
  }, "the frame is as high as its page");
}

const expectClosed = (page: Page) =>
  until(async () => (await page.locator("dialog").count()) === 0, "it is closed");

for (const [way, options] of [
  ["on a phone", PHONE],
  ["on a desktop in the dark", { ...DESKTOP, colorScheme: "dark" }],
] as const)
  test(`${way}, it is paid in the frame, which fits and gives the focus back`, async () => {
    const { url, link, page, opener, complaints } = await openSite({ options });
    await opener.click();
    await dialogOf(page).waitFor();
    await goOnIn(page).waitFor();
    await expectFrameToFit(page);
    assert.deepEqual(await axeViolations(page), []);
    const needed = await page.locator("html").evaluate((root) => root.scrollWidth);
    assert(needed <= (page.viewportSize()?.width ?? 0));
    await goOnIn(page).click();
    await payButton(frameOf(page)).waitFor();
    assert.equal(await frameOf(page).locator("html").getAttribute("class"), "simple");
    await expectFrameToFit(page);
    await pay(frameOf(page), { number: CARD.approved, email: "maya@example.com" });
    await frameOf(page).getByText("See you there!").waitFor();
    await expectFrameToFit(page);
    await dialogOf(page).getByRole("button", { name: "Close" }).click();
    await expectClosed(page);
    assert(await hasFocus(page, "a.windward-pay"), "the focus is where it was");
    assert.equal(page.url(), url);
    assert.equal((await readLink(service, { token }, link.id)).paid_count, 1);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

test("by keyboard, it opens, keeps the focus and closes", async () => {
  const { page, opener } = await openSite();
  await opener.focus();
  await page.keyboard.press("Enter");
  await goOnIn(page).waitFor();
  assert(await hasFocus(page, "dialog"), "the focus is in the dialog");
  for (const key of ["Tab", "Tab", "Shift+Tab", "Tab", "Tab", "Tab"]) {
    await page.keyboard.press(key);
    assert.equal(await hasFocus(page, "main"), false, "the page behind is out of reach");
  }
  await dialogOf(page).getByRole("button", { name: "Close" }).focus();
  await page.keyboard.press("Escape");
  await expectClosed(page);
  assert(await hasFocus(page, "a.windward-pay"));
  await page.keyboard.press("Enter");
  await goOnIn(page).waitFor();
  await page.context().close();
});

test("a site with a strict policy names our origin for scripts and frames", async () => {
  const { page, opener, complaints } = await openSite({ policy: STRICT });
  await opener.click();
  await goOnIn(page).waitFor();
  await expectFrameToFit(page);
  assert.deepEqual(complaints, []);
  await page.context().close();
});

describe("only the frame's own word counts", () => {
  test("a height of another window or frame, or that is none, changes nothing", async () => {
    const { page, opener } = await openSite();
    await opener.click();
    await goOnIn(page).waitFor();
    await expectFrameToFit(page);
    const [before] = await heightsOf(page);
    await page.evaluate(`(async () => {
      const height = { type: "windward:height", height: 3000 };
      postMessage(height, "*");
      const other = document.createElement("iframe");
      document.body.append(other);
      other.contentWindow.eval("parent.postMessage(" + JSON.stringify(height) + ", '*')");
    })()`);
    const inner = page.frames().find((each) => each.url().startsWith(base));
    await inner?.evaluate(`(() => {
      for (const height of [-1, 0, 1, "3000", NaN, null, {}])
        parent.postMessage({ type: "windward:height", height }, "*");
      for (const message of [null, 7, "windward:height", { type: "windward:close" }])
        parent.postMessage(message, "*");
    })()`);
    // Messages are delivered in order: once this one is, the others were.
    await page.evaluate(`new Promise((done) => {
      addEventListener("message", ({ data }) => data === "last" && done());
      postMessage("last", "*");
    })`);
    await inner?.evaluate("new Promise((done) => requestAnimationFrame(done))");
    assert.deepEqual((await heightsOf(page))[0], before);
    await page.context().close();
  });
});

describe("the link is followed", () => {
  const expectLinkPage = async (page: Page, url: string) => {
    await page.waitForURL(url);
    await page.getByRole("button", { name: "Continue to payment" }).waitFor();
    assert.equal(await page.locator("html").getAttribute("class"), "full");
  };

  for (const [way, options] of [
    ["on a phone", PHONE],
    ["on a desktop", DESKTOP],
  ] as const)
    test(`without JavaScript ${way}, and paid there`, async () => {
      const site = await openSite({ options: { ...options, javaScriptEnabled: false } });
      const { page, link, opener } = site;
      await opener.click();
      await expectLinkPage(page, link.url);
      await page.getByRole("button", { name: "Continue to payment" }).click();
      await pay(page, { number: CARD.approved, email: "maya@example.com" });
      await page.getByText("See you there!").waitFor();
      assert.equal((await readLink(service, { token }, link.id)).paid_count, 1);
      await page.context().close();
    });

  test("where the site's policy refuses the frame", async () => {
    const policy = `default-src 'none'; script-src ${base}`;
    const { page, link, opener } = await openSite({ policy });
    await opener.click();
    await expectLinkPage(page, link.url);
    await page.context().close();
  });

  test("in a new tab, with the key for it", async () => {
    const { page, link, opener } = await openSite();
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      opener.click({ modifiers: ["ControlOrMeta"] }),
    ]);
    await expectLinkPage(tab, link.url);
    assert.equal(await page.locator("dialog").count(), 0);
    await page.context().close();
  });

  test("where it leads to another site", async () => {
    const { page, opener } = await openSite({ href: `${shop.url}/elsewhere` });
    await opener.click();
    await page.waitForURL(`${shop.url}/elsewhere`);
    await page.context().close();
  });
});
