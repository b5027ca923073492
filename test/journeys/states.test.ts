/**
 * Every state of the payment page, as a browser draws it: nothing that somebody with a screen
 * reader, a keyboard or weak eyes would stumble over, nothing wider than a phone, nothing that
 * moves after it was drawn, and targets that a thumb can hit.
 */

import assert from "node:assert/strict";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { readConfig } from "../../src/infra/config.ts";
import { ASSETS_PATH, serveAsset } from "../../src/modules/checkout/page/assets.ts";
import type { CheckoutView } from "../../src/modules/checkout/page/checkout-view.ts";
import { pageHeaders } from "../../src/modules/checkout/page/page-headers.ts";
import { renderPage, renderPlainPage } from "../../src/modules/checkout/page/render-page.ts";
import { english as t } from "../../src/words/checkout/en.ts";
import {
  axeViolations,
  complaintsAbout,
  DESKTOP,
  PHONE,
  startBrowser,
} from "../../testkit/browser.ts";
import { BASE_VIEW, STATES } from "../../testkit/checkout-views.ts";

const config = readConfig({});
const BANK = `<!doctype html><html lang="en"><title>Bank</title><main><h1>Bank</h1></main></html>`;

const server = http.createServer((request, response) => {
  const [, layout = "", state = "", more] = decodeURIComponent(request.url ?? "").split("/");
  if (request.url?.startsWith(ASSETS_PATH)) {
    const { body, contentType } = serveAsset(more ?? "", "");
    return void response.setHeader("content-type", contentType ?? "").end(body);
  }
  if (more === "status") {
    const step = STATES[state as keyof typeof STATES];
    const told = { step: step.kind, attempts: "attempts" in step ? step.attempts : 0 };
    return void response.setHeader("content-type", "application/json").end(JSON.stringify(told));
  }
  response.setHeader("content-type", "text/html; charset=utf-8");
  if (more === "challenge") return void response.end(BANK);
  if (state === "nothing") return void response.end(renderPlainPage(t.notFound, t));
  const step = STATES[state as keyof typeof STATES];
  const view = { ...BASE_VIEW, path: `/${layout}/${encodeURIComponent(state)}`, layout, step };
  const headers = pageHeaders(config, { layout: view.layout as CheckoutView["layout"] }, "nonce");
  response.setHeaders(new Map(Object.entries(headers)));
  response.end(renderPage(view as CheckoutView, { t, nonce: "nonce" }));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const browser = await startBrowser();
after(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

const ALL = [...Object.keys(STATES), "nothing"];
const FORMS = [
  "card",
  "card with an address",
  "card with an e-mail",
  "an e-mail that is wrong",
  "problems",
  "challenge",
  "a real bank's challenge",
  "paid",
];

const SCREENS: readonly [string, string, readonly string[], BrowserContextOptions][] = [
  ["full", "a phone", ALL, PHONE],
  ["full", "a dark desktop", ALL, { ...DESKTOP, colorScheme: "dark" }],
  ["simple", "a phone", FORMS, PHONE],
  ["simple", "a dark desktop", ["card"], { ...DESKTOP, colorScheme: "dark" }],
  ["full", "a phone without JavaScript", FORMS, { ...PHONE, javaScriptEnabled: false }],
];

/** In the dark the same document has other colours, and nothing else. */
const rulesOf = ({ colorScheme }: BrowserContextOptions) =>
  colorScheme === "dark" ? ["color-contrast"] : [];

const open = (page: Page, layout: string, state: string) =>
  page.goto(`${url}/${layout}/${encodeURIComponent(state)}`, { waitUntil: "load" });

for (const [layout, screen, states, options] of SCREENS) {
  describe(`the ${layout} page on ${screen}`, () => {
    let page: Page;
    let complaints: string[];
    before(async () => {
      page = await browser.page(options);
      complaints = complaintsAbout(page);
    });
    after(() => page.context().close());
    for (const state of states) {
      test(`has no barrier and breaks no rule: ${state}`, async () => {
        complaints.length = 0;
        await open(page, layout, state);
        if (options.javaScriptEnabled !== false)
          assert.deepEqual(await axeViolations(page, rulesOf(options)), []);
        assert.deepEqual(complaints, []);
        const { width = 0 } = page.viewportSize() ?? {};
        const wide = await page.locator("html").evaluate((root) => root.scrollWidth);
        assert(wide <= width, `it is ${wide} wide`);
      });
    }
  });
}

test("the simple page is no dark slab in a shop that knows no dark scheme", async () => {
  const page = await browser.page({ ...DESKTOP, colorScheme: "dark" });
  await open(page, "simple", "card");
  const colours = await page.evaluate<string[]>(`[
    getComputedStyle(document.documentElement).colorScheme,
    getComputedStyle(document.body).backgroundColor,
    getComputedStyle(document.querySelector(".sheet")).backgroundColor,
  ]`);
  assert.deepEqual(colours, ["light", "rgba(0, 0, 0, 0)", "rgb(255, 255, 255)"]);
  await page.context().close();
});

test("on a phone the country of a phone number is not cut off", async () => {
  const page = await browser.page(PHONE);
  await open(page, "full", "card with an address");
  const cut = await page.evaluate<boolean>(`(() => {
    const dial = document.getElementById("dial");
    const probe = document.createElement("canvas").getContext("2d");
    probe.font = getComputedStyle(dial).font;
    // Beside the words there are padding and an arrow.
    return probe.measureText(dial.options[0].text).width + 48 > dial.clientWidth;
  })()`);
  assert.equal(cut, false);
  await page.context().close();
});

test("what a thumb must hit is at least 44 pixels high", async () => {
  const page = await browser.page(PHONE);
  await open(page, "full", "declined");
  const low = await page.evaluate<string[]>(`
    [...document.querySelectorAll("main input, main select, main button, main summary, main a")]
      .filter((each) => each.offsetParent !== null && each.type !== "hidden")
      .filter((each) => each.getBoundingClientRect().height < 44)
      .map((each) => each.outerHTML)`);
  assert.deepEqual(low, []);
  await page.context().close();
});

test("nothing moves after it was drawn", async () => {
  for (const options of [PHONE, DESKTOP]) {
    const page = await browser.page(options);
    await page.addInitScript(`
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shift += entry.value;
      }).observe({ type: "layout-shift", buffered: true });`);
    for (const state of ["card", "declined", "working", "paid"]) {
      await open(page, "full", state);
      await page.evaluate(
        "new Promise((done) => requestAnimationFrame(() => setTimeout(done, 300)))",
      );
      const shift = await page.evaluate<number>("window.shift");
      assert(shift < 0.01, `${state} moved by ${shift}`);
    }
    await page.context().close();
  }
});
