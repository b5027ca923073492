/**
 * The documents as people meet them: there is something to read before any script has come, nothing
 * is asked of another host, and the guides need no script at all.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { Page } from "playwright-core";
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

describe("the reference", () => {
  test("can be read before its script comes, on a phone", async () => {
    const page = await browser.page(PHONE);
    await page.route("**/docs/reference.js", () => {}); // it never comes
    await page.goto(`${service.url}/docs`, { waitUntil: "commit" });
    await page.getByRole("heading", { name: "Windward reference" }).waitFor();
    assert(await page.getByRole("link", { name: "Getting started" }).isVisible());
    assert(await page.getByText("POST /plugins/payments/request").isVisible());
    assert.equal(await isTooWide(page), false);
    assert.deepEqual(await axeViolations(page), []);
    await page.context().close();
  });

  test("shows every chapter, without a request to another origin", async () => {
    const page = await browser.page(DESKTOP);
    const strangers = strangersOf(page);
    const complaints = complaintsAbout(page);
    await page.goto(`${service.url}/docs`);
    await page.getByText("Introduction").first().waitFor();
    assert.equal(await page.locator(".plain").count(), 0, "the first paint is still there");
    for (const chapter of ["Signing in", "Checkout", "Withdrawals", "Webhooks"])
      assert(await page.getByText(chapter).first().isVisible(), chapter);
    await page.waitForTimeout(500); // what it does when it thinks itself alone
    assert.deepEqual(strangers, []);
    assert.deepEqual(complaints, []);
    await page.context().close();
  });
});

const LOOKED_AT = ["/docs/start", "/collections/", "/docs/errors", "/docs/errors/field_required"];

describe("the guides, the errors and the collections", () => {
  for (const [where, options] of [
    ["a phone", PHONE],
    ["a desktop", DESKTOP],
  ] as const)
    test(`are read on ${where} without a script, by everybody`, async () => {
      const page = await browser.page({ ...options, javaScriptEnabled: false });
      const strangers = strangersOf(page);
      for (const { path, title } of GUIDES) {
        await page.goto(service.url + path);
        assert(await page.getByRole("heading", { name: title, level: 1 }).isVisible(), path);
      }
      assert.deepEqual(strangers, []);
      await page.context().close();
      const looked = await browser.page(options);
      for (const path of LOOKED_AT) {
        await looked.goto(service.url + path);
        assert.equal(await isTooWide(looked), false, path);
        assert.deepEqual(await axeViolations(looked), [], path);
      }
      await looked.context().close();
    });

  test("show their code in the language that was chosen", async () => {
    const page = await browser.page({ ...DESKTOP, javaScriptEnabled: false });
    await page.goto(`${service.url}/docs/start`);
    const shown = () => page.locator("pre[data-in]:visible").count();
    assert(await page.getByText("BASE=http").first().isVisible());
    const inCurl = await shown();
    await page.getByLabel("Python").check();
    assert(await page.getByText("import base64").isVisible());
    assert.equal(await page.getByText("BASE=http").first().isVisible(), false);
    assert.equal(await shown(), inCurl);
    await page.context().close();
  });

  test("lead to each other, and to nothing that is not served", async () => {
    for (const { path } of GUIDES) {
      const { text } = await service.request(path);
      const links = [...text.matchAll(/href="(\/[^"#]*)/g)].map(([, to = ""]) => to);
      for (const to of new Set(links)) assert.equal((await service.request(to)).status, 200, to);
    }
  });

  test("say where this service is", async () => {
    const { text } = await service.request("/docs/start");
    assert(text.includes(`BASE=${service.ctx.config.http.publicUrl}`));
    assert(!text.includes("localhost:3000"));
  });
});
