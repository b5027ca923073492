/**
 * The site as people meet it: there is something to read before any script has come, nothing is
 * asked of another host, and nothing but the interactive reference needs a script.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { seedDemoWorld } from "../../src/demo-world.ts";
import { GUIDES } from "../../src/site/guides.ts";
import {
  axeViolations,
  complaintsAbout,
  DESKTOP,
  PHONE,
  startBrowser,
} from "../../testkit/browser.ts";
import { freePort } from "../../testkit/free-port.ts";
import { startService } from "../../testkit/service.ts";

const service = await startService({ settings: { PORT: String(await freePort()) } });
await seedDemoWorld(service.ctx);
const browser = await startBrowser();
after(async () => {
  await browser.close();
  await service.stop();
});

/** Every address that the page asks for, from now on, that is not ours. */
function strangersOf(page: Page): string[] {
  const strangers: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== service.url && !/^(data|blob):$/.test(url.protocol))
      strangers.push(url.href);
  });
  return strangers;
}

async function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate("document.documentElement.scrollWidth > innerWidth");
}

describe("the interactive reference", () => {
  test("leads to the plain one before its script comes, on a phone", async () => {
    const page = await browser.page(PHONE);
    await page.route("**/docs/reference.js", () => {}); // it never comes
    await page.goto(`${service.url}/docs/try`, { waitUntil: "commit" });
    await page.getByRole("heading", { name: "Windward reference" }).waitFor();
    assert(await page.getByRole("link", { name: "the same reference" }).isVisible());
    assert.equal(await isTooWide(page), false);
    assert.deepEqual(await axeViolations(page), []);
    await page.context().close();
  });

  test("shows every chapter, without a request to another origin", async () => {
    const page = await browser.page(DESKTOP);
    const strangers = strangersOf(page);
    const complaints = complaintsAbout(page);
    await page.goto(`${service.url}/docs/try`);
    const reference = page.locator("#reference");
    await reference.getByText("Introduction").first().waitFor();
    assert.equal(await page.locator(".plain").count(), 0, "the first paint is still there");
    for (const chapter of ["Signing in", "Checkout", "Withdrawals", "Webhooks"])
      assert(await reference.getByText(chapter).first().isVisible(), chapter);
    await page.waitForTimeout(500); // what it does when it thinks itself alone
    assert.deepEqual(strangers, []);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
});

/** One of each kind. */
const LOOKED_AT = [
  "/",
  "/docs",
  "/docs/start",
  "/docs/console",
  "/docs/search?q=refund",
  "/docs/reference",
  "/docs/reference/transactions",
  "/docs/errors",
  "/docs/errors/field_required",
  "/docs/welcome",
  "/docs/going-live",
  "/docs/pricing",
  "/docs/typescript",
  "/collections/",
];

describe("the pages of the site", () => {
  for (const [where, options] of [
    ["a phone", PHONE],
    ["a desktop", DESKTOP],
  ] as const)
    for (const colorScheme of ["light", "dark"] as const)
      test(`can be used by everybody on ${where}, ${colorScheme}`, async () => {
        const page = await browser.page({ ...options, colorScheme });
        const strangers = strangersOf(page);
        const complaints = complaintsAbout(page);
        for (const path of LOOKED_AT) {
          await page.goto(service.url + path);
          assert.equal(await isTooWide(page), false, path);
          assert.deepEqual(await axeViolations(page), [], path);
        }
        assert.deepEqual([strangers, complaints], [[], []]);
        await page.context().close();
      });

  test("look the same after a reload, which is answered from what the browser keeps", async () => {
    const page = await browser.page(DESKTOP);
    const complaints = complaintsAbout(page);
    for (const path of ["/docs/start", "/docs/reference", "/docs/errors"]) {
      await page.goto(service.url + path);
      const style = () => page.evaluate("getComputedStyle(document.body).fontFamily");
      const before = await style();
      for (let times = 0; times < 2; times += 1) await page.reload();
      assert.equal(await style(), before, path);
    }
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  test("are read without a script", async () => {
    const page = await browser.page({ ...PHONE, javaScriptEnabled: false });
    for (const { path, title } of GUIDES) {
      await page.goto(service.url + path);
      assert(await page.getByRole("heading", { name: title, level: 1 }).isVisible(), path);
    }
    await page.getByText("Menu", { exact: true }).click();
    await page.getByRole("link", { name: "Errors", exact: true }).click();
    await page.getByRole("heading", { name: "Errors", level: 1 }).waitFor();
    await page.getByRole("searchbox").fill("save a card");
    await page.getByRole("searchbox").press("Enter");
    await page
      .getByRole("link", { name: /^Trusted cards|^Save a card/ })
      .first()
      .click();
    await page.waitForURL(/trusted-cards/);
    await page.context().close();
  });

  test("have a menu that stays in its place and shows every page, on a phone", async () => {
    const page = await browser.page(PHONE);
    await page.goto(`${service.url}/docs/start`);
    const menu = page.locator(".menu-fold > summary");
    const before = await menu.boundingBox();
    await menu.click();
    assert.deepEqual(await menu.boundingBox(), before);
    const list = page.locator(".menu-fold > nav");
    assert(await list.evaluate((nav) => nav.scrollHeight <= nav.clientHeight), "it is cut");
    assert.deepEqual(await axeViolations(page), []);
    await page.context().close();
  });

  test("end their navigation above the footer, and begin their text at one place", async () => {
    const page = await browser.page(DESKTOP);
    const starts = new Set<number | undefined>();
    for (const path of ["/docs", "/docs/sandbox", "/docs/welcome", "/docs/errors"]) {
      await page.goto(service.url + path);
      starts.add((await page.locator("h1").boundingBox())?.x);
      await page.evaluate("scrollTo(0, document.body.scrollHeight)");
      const nav = await page.locator(".pages").boundingBox();
      const foot = await page.locator(".foot").boundingBox();
      assert((nav?.y ?? 0) + (nav?.height ?? 0) <= (foot?.y ?? 0), path);
    }
    assert.equal(starts.size, 1);
    await page.context().close();
  });

  test("are used with the keyboard alone", async () => {
    const page = await browser.page(DESKTOP);
    await page.goto(`${service.url}/docs/start`);
    await page.keyboard.press("Tab");
    assert.equal(await page.locator(":focus").textContent(), "Skip to content");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate("document.activeElement.id"), "main");
    await page.keyboard.press("/");
    await page.keyboard.type("webhook signature");
    await page.locator("#found a").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/docs\/(webhooks|verify|start)/);
    await page.context().close();
  });

  test("show results while somebody types, and close them", async () => {
    const page = await browser.page(PHONE);
    await page.goto(`${service.url}/docs`);
    await page.getByRole("searchbox").fill("refund");
    await page.locator("#found a").first().waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("#found").isVisible(), false);
    await page.context().close();
  });
});

describe("somebody who types", () => {
  test("sends one request for a word, not one for each key", async () => {
    const page = await browser.page(DESKTOP);
    await page.clock.install();
    await page.goto(`${service.url}/docs`);
    const searches: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/docs/search")) searches.push(request.url());
    });
    await page.getByRole("searchbox").pressSequentially("refund");
    assert.deepEqual(searches, []);
    await page.clock.runFor(1000);
    await page.locator("#found a").first().waitFor();
    assert.deepEqual(searches, [`${service.url}/docs/search?q=refund`]);
    await page.context().close();
  });
});

describe("code in the guides", () => {
  test("is shown in the language that was chosen, without a script", async () => {
    const page = await browser.page({ ...DESKTOP, javaScriptEnabled: false });
    await page.goto(`${service.url}/docs/start`);
    const shown = () => page.locator("figure[data-in]:visible").count();
    assert(await page.getByText("BASE=http").first().isVisible());
    const inCurl = await shown();
    await page.getByLabel("Python").check();
    assert(await page.getByText("base64, hashlib").isVisible());
    assert.equal(await page.getByText("BASE=http").first().isVisible(), false);
    assert.equal(await shown(), inCurl + 1, "curl has no receiver of webhooks");
    assert(await page.getByText("python3 guide.py").isVisible());
    assert.equal(await page.getByText("php guide.php").isVisible(), false);
    await page.context().close();
  });

  test("stays in that language on the next visit, and no cookie says so", async () => {
    const page = await browser.page(DESKTOP);
    await page.goto(`${service.url}/docs/start`);
    await page.getByLabel("PHP").check();
    // A page that has its code in one language shows it, and offers no choice.
    await page.goto(`${service.url}/docs/sandbox`);
    assert(await page.locator("figure.code").first().isVisible());
    assert.equal(await page.getByLabel("PHP").count(), 0);
    await page.goto(`${service.url}/docs/start`);
    assert(await page.getByLabel("PHP").isChecked());
    assert(await page.locator('figure[data-in="php"]').first().isVisible());
    assert.deepEqual(await page.context().cookies(), []);
    await page.context().close();
  });

  test("is copied as it stands", async () => {
    const page = await browser.page({ ...DESKTOP, permissions: ["clipboard-write"] });
    await page.goto(`${service.url}/docs/start`);
    const figure = page.locator("figure.code:visible").first();
    await page.evaluate(
      "navigator.clipboard.writeText = async (text) => { document.title = text; }",
    );
    await figure.getByRole("button", { name: "Copy this code" }).click();
    await figure.getByText("Copied").waitFor();
    assert.equal(await page.title(), "npm ci && npm start");
    await page.context().close();
  });

  test("says where this service is", async () => {
    const { text } = await service.request("/docs/start");
    assert(text.includes(`BASE=${service.ctx.config.http.publicUrl}`));
    assert(!text.includes("localhost:3000"));
  });
});

describe("the home page of a development service", () => {
  for (const javaScriptEnabled of [true, false])
    test(`leads to a paid test order, scripts ${javaScriptEnabled}`, async () => {
      const page = await browser.page({ ...PHONE, javaScriptEnabled });
      await page.goto(`${service.url}/`);
      assert(await page.getByText("merchant@example.com", { exact: true }).isVisible());
      await page.getByRole("button", { name: "Pay a test order" }).click();
      await page.waitForURL(/\/checkout\//);
      await page.getByLabel("Card number").fill("4111 1111 1111 1111");
      await page.getByLabel("Expiry").fill("12/39");
      await page.getByLabel("Security code").fill("123");
      await page.getByLabel("Name on card").fill("A Mohammed");
      await page.getByRole("button", { name: /^Pay/ }).click();
      const greeting = "You were just paid TTD 105.20, and the result verifies";
      await page.getByRole("heading", { name: greeting }).waitFor();
      if (javaScriptEnabled) assert.deepEqual(await axeViolations(page), []);
      await page.context().close();
    });

  test("leads to the sign-in and to the documentation", async () => {
    const page = await browser.page(DESKTOP);
    await page.goto(`${service.url}/`);
    await page.getByRole("main").getByRole("link", { name: "Documentation" }).click();
    await page.waitForURL(`${service.url}/docs`);
    await page.goBack();
    await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
    await page.waitForURL(`${service.url}/sign-in`);
    await page.context().close();
  });
});
