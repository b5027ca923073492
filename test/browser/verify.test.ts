/**
 * The guarantee: the page at /verify tells in a browser what the SDK tells, and the key that was
 * pasted there goes nowhere: no request leaves the page once it has loaded (Decision 0054).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Page } from "playwright-core";
import {
  axeViolations,
  complaintsAbout,
  DESKTOP,
  PHONE,
  startBrowser,
} from "../../testkit/browser.ts";
import { startService } from "../../testkit/service.ts";
import { REQUEST_VECTORS, VECTOR_SECRET } from "../sdk/verify/request-vectors.ts";
import {
  BODY,
  deliveryHeaders,
  HASH_KEY,
  redirectOf,
  SECRET,
  SENT_AT,
  SIGNING_SECRET,
} from "../sdk/verify/support.ts";

const service = await startService();
const browser = await startBrowser();
after(async () => {
  await browser.close();
  await service.stop();
});

/** The page, and every request from the moment that it was there. */
async function open(options = DESKTOP): Promise<{ page: Page; asked: string[]; wrong: string[] }> {
  const page = await browser.page(options);
  const wrong = complaintsAbout(page);
  await page.goto(`${service.url}/verify`, { waitUntil: "networkidle" });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  return { page, asked, wrong };
}

const resultOf = (page: Page) => page.locator("#result").innerText();

describe("the verifier's page", () => {
  test("leads back to the site, and says what it is to search engines", async () => {
    const { page } = await open();
    const links = await page.locator("header a").evaluateAll((all) => all.map((a) => a.href));
    assert.deepEqual(
      links.map((href) => new URL(href).pathname),
      ["/", "/docs", "/docs/verify"],
    );
    const about = await page.locator("meta[name=description]").getAttribute("content");
    assert((about ?? "").length > 40);
  });

  for (const [name, options] of [
    ["on a phone", PHONE],
    ["on a desktop, in the dark", { ...DESKTOP, colorScheme: "dark" as const }],
  ] as const)
    test(`verifies and explains a redirect ${name}, without a request`, async () => {
      const { page, asked, wrong } = await open(options);
      await page.fill("#url", redirectOf());
      await page.fill("#signing-secret", SIGNING_SECRET);
      await page.click("#redirect button[type=submit]");
      await page.locator("#result h2").waitFor();
      assert.match(await resultOf(page), /^It verifies\./);
      await page.fill("#url", redirectOf().replace("order+7", "order+8"));
      await page.click("#redirect button[type=submit]");
      await page.locator("#result mark").first().waitFor();
      assert.match(await resultOf(page), /It does not verify\.\s+order_id was "order 7\+1"/);
      assert.deepEqual(await page.locator("#result mark").allInnerTexts(), ["7", "8"]);
      assert.deepEqual(await axeViolations(page), []);
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      assert.equal(overflow, 0);
      assert.deepEqual([asked, wrong], [[], []]);
    });

  for (const [name, options] of [
    ["on a phone", PHONE],
    ["on a desktop, in the dark", { ...DESKTOP, colorScheme: "dark" as const }],
  ] as const)
    test(`verifies and explains a payment request ${name}, without a request`, async () => {
      const { page, asked, wrong } = await open(options);
      const { body = "", signature = "" } = REQUEST_VECTORS[3] ?? {};
      await page.click("#request-tab");
      await page.fill("#request-body", `${body.slice(0, -1)},\n"signature":"${signature}"}`);
      await page.fill("#request-secret", VECTOR_SECRET);
      await page.click("#request button[type=submit]");
      await page.locator("#result h2").waitFor();
      assert.match(await resultOf(page), /^It verifies\./);
      assert(!(await resultOf(page)).includes(VECTOR_SECRET));
      await page.fill("#request-body", body.replace("100.00", "100"));
      await page.fill("#request-signature", signature);
      await page.click("#request button[type=submit]");
      await page.locator("#result mark").first().waitFor();
      assert.match(await resultOf(page), /The total was signed as 100\.00, and sent as 100\./);
      assert.deepEqual(await page.locator("#result mark").allInnerTexts(), [".", "end"]);
      assert.deepEqual(await axeViolations(page), []);
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      assert.equal(overflow, 0);
      assert.deepEqual([asked, wrong], [[], []]);
    });

  test("moves through its three tabs with the arrows, round and round", async () => {
    const { page } = await open();
    await page.locator("#redirect-tab").focus();
    await page.keyboard.press("ArrowLeft");
    assert.equal(await page.evaluate("document.activeElement.id"), "request-tab");
    assert.deepEqual(await page.locator("[role=tabpanel]:visible").count(), 1);
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate("document.activeElement.id"), "redirect-tab");
  });

  test("opens the tab that the address names, also when the address changes", async () => {
    const page = await browser.page(DESKTOP);
    await page.goto(`${service.url}/verify#request`);
    await page.locator("#request-panel").waitFor();
    assert.equal(await page.locator("#request-tab").getAttribute("aria-selected"), "true");
    assert.equal(await page.locator("[role=tabpanel]:visible").count(), 1);
    assert.equal(await page.evaluate("scrollY"), 0, "the tabs are in view");
    await page.evaluate("location.hash = 'webhook'");
    await page.locator("#webhook-panel").waitFor();
    assert.equal(await page.locator("[role=tabpanel]:visible").count(), 1);
    await page.context().close();
  });

  test("is used by the keyboard alone, webhooks too", async () => {
    const { page, asked, wrong } = await open();
    await page.locator("#redirect-tab").focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate("document.activeElement.id"), "webhook-tab");
    const lines = Object.entries(deliveryHeaders()).map(([header, value]) => `${header}: ${value}`);
    for (const text of [`${BODY}\n`, lines.join("\n"), SECRET, SENT_AT.toISOString()]) {
      await page.keyboard.press("Tab");
      await page.keyboard.insertText(text);
    }
    await page.keyboard.press("Enter");
    await page.locator("#result h2").waitFor();
    assert.match(await resultOf(page), /White space was added around the body/);
    assert.equal(await page.evaluate("document.activeElement.id"), "result");
    assert.deepEqual(await axeViolations(page), []);
    assert.deepEqual([asked, wrong], [[], []]);
  });

  test("keeps no key: nothing is stored, and nothing is left when it is gone back to", async () => {
    const { page } = await open();
    await page.fill("#signing-secret", SIGNING_SECRET);
    await page.fill("#hash-key", HASH_KEY);
    await page.fill("#url", redirectOf());
    await page.click("#redirect button[type=submit]");
    await page.locator("#result h2").waitFor();
    const kept = "[localStorage.length, sessionStorage.length, document.cookie, location.search]";
    assert.deepEqual(await page.evaluate(kept), [0, 0, "", ""]);
    assert(!(await resultOf(page)).includes(SIGNING_SECRET));
    await page.goto(`${service.url}/livez`);
    await page.goBack();
    assert.equal(await page.inputValue("#signing-secret"), "");
    assert.equal(await page.inputValue("#url"), "");
  });

  test("could send nothing if it wanted to", async () => {
    const { page } = await open();
    const tries = `Promise.all([
      fetch("/livez").then(() => "sent", () => "refused"),
      new Promise((resolve) => {
        const image = new Image();
        image.onload = () => resolve("sent");
        image.onerror = () => resolve("refused");
        image.src = "/livez";
      }),
      Promise.resolve(navigator.sendBeacon("/livez", "x")).then(() => "tried"),
    ])`;
    const arrived: string[] = [];
    page.on("response", (response) => arrived.push(response.url()));
    assert.deepEqual((await page.evaluate(tries)) as string[], ["refused", "refused", "tried"]);
    assert.deepEqual(arrived, []);
  });
});

test("its scripts are the SDK's own, checked by their digests and asked for once", async () => {
  const { headers, text } = await service.request("/verify");
  assert.match(headers.get("content-security-policy") ?? "", /connect-src 'none'/);
  const tags = [...text.matchAll(/(?:href|src)="(\/verify\/assets\/[\w.-]+)" integrity="sha384-/g)];
  const paths = tags.map(([, path = ""]) => path);
  for (const name of ["page", "explain-redirect", "explain-webhook", "explain-request", "md5"])
    assert(paths.includes(`/verify/assets/${name}.js`), name);
  for (const path of paths) {
    const first = await service.request(path);
    assert.equal(first.status, 200);
    assert.doesNotMatch(first.text, /from "[^"]*\.ts"|: string\b/);
    const etag = first.headers.get("etag") ?? "";
    const again = await service.request(path, { headers: { "if-none-match": etag } });
    assert.deepEqual([again.status, again.text], [304, ""]);
  }
  for (const name of ["page.ts", "..%2Fpackage.json", "none.js"])
    assert.equal((await service.request(`/verify/assets/${name}`)).status, 404);
  const { body } = await service.request("/openapi.json");
  assert(!Object.keys(body.paths).some((path) => path.startsWith("/verify")));
});
