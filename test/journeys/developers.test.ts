/**
 * A developer with a browser makes a key, uses it, sees its requests and revokes it; finds out why
 * a webhook failed, mends the receiver and replays. On a phone, on a desktop, and without
 * JavaScript; nothing is too wide, and axe finds nothing.
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import {
  axeViolations,
  complaintsAbout,
  DESKTOP,
  PHONE,
  startBrowser,
} from "../../testkit/browser.ts";
import { startReceiver } from "../../testkit/receivers.ts";
import { startService } from "../../testkit/service.ts";
import { newEvent, recordAll } from "../../testkit/webhooks.ts";
import { PASSWORD, type Person } from "../../testkit/world.ts";

const service = await startService();
const browser = await startBrowser();
after(async () => {
  await browser.close();
  await service.ctx.messenger.stop();
  await service.stop();
});

const WAYS: [string, BrowserContextOptions][] = [
  ["on a phone", { ...PHONE, viewport: { width: 390, height: 844 } }],
  ["on a desktop, in the dark", { ...DESKTOP, colorScheme: "dark" }],
  ["without JavaScript", { ...DESKTOP, javaScriptEnabled: false }],
];

const press = (page: Page, name: string) =>
  page.locator("main").getByRole("button", { name, exact: true }).first().click();
const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { level: 1, name }).waitFor();
const follow = (page: Page, name: string | RegExp) =>
  page.getByRole("link", { name }).first().click();

/** With its picture, where they are wanted. */
async function expectFine(page: Page, name: string, options: BrowserContextOptions) {
  const hasScripts = options.javaScriptEnabled ?? true;
  if (hasScripts) assert.deepEqual(await axeViolations(page), [], name);
  const width = page.viewportSize()?.width ?? 0;
  const needed = await page.locator("html").evaluate((root) => root.scrollWidth);
  assert(needed <= width, `${name} is ${needed} wide, on a screen of ${width}`);
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS === undefined || !hasScripts) return;
  const way = `${width}-${options.colorScheme ?? "light"}`;
  await page.screenshot({ path: `${SCREENSHOTS}/${name}-${way}.png`, fullPage: true });
}

async function signIn(page: Page, { email }: Person): Promise<void> {
  await page.goto(`${service.url}/sign-in`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await heading(page, "Home");
}

/** In a dialog where scripts run, on a page of its own where they do not. */
async function confirm(page: Page, name: string, { javaScriptEnabled = true }) {
  await press(page, name);
  const within = javaScriptEnabled ? page.locator("dialog[open]") : page.locator("main");
  await within.getByRole("button", { name, exact: true }).click();
}

async function makeKey(page: Page, options: BrowserContextOptions): Promise<string> {
  await page.goto(`${service.url}/console/developers`);
  await heading(page, "Keys");
  await expectFine(page, "keys-none", options);
  await follow(page, "Make a key");
  await heading(page, "Make a key");
  await press(page, "Make the key");
  await page.getByRole("alert").waitFor();
  await expectFine(page, "key-form-refused", options);
  await page.getByLabel("Name").fill("Web shop");
  await page.getByLabel(/^svc-transactions-retrieve/).check();
  await page.getByLabel(/^svc-user-retrieve/).check();
  await press(page, "Make the key");
  await heading(page, "Your new key");
  await expectFine(page, "key-made", options);
  assert.doesNotMatch(page.url(), /svc_test/);
  return page.locator(".copyable code").innerText();
}

for (const [way, options] of WAYS)
  describe(way, () => {
    test("a key is made, used, looked after and revoked", async () => {
      const shop = await service.world.merchant();
      const page = await browser.page(options);
      const wrong = complaintsAbout(page);
      await signIn(page, shop);
      const key = await makeKey(page, options);
      assert.equal((await service.request("/events", { key })).status, 200);
      assert.equal((await service.request("/events?page_size=zero", { key })).status, 400);
      await service.ctx.requestLog.flush();
      await follow(page, "I have copied it");
      await heading(page, "Web shop");
      await expectFine(page, "key", options);
      await follow(page, "Its requests");
      await heading(page, "Requests");
      await expectFine(page, "requests", options);
      await page.getByRole("row").filter({ hasText: "400" }).getByRole("link").click();
      await heading(page, "GET /events");
      await page.getByText("What happened", { exact: true }).waitFor();
      await expectFine(page, "request", options);
      await page.goto(`${service.url}/console/developers/keys`);
      await expectFine(page, "keys", options);
      await follow(page, "Web shop");
      await confirm(page, "Revoke", options);
      await page.getByText("The key has been revoked.").waitFor();
      assert.equal((await service.request("/events", { key })).status, 401);
      assert.deepEqual(
        wrong.filter((line) => !/status of 4/.test(line)),
        [],
      );
      await page.context().close();
    });

    test("a webhook's failure is found, and after mending it is replayed", async () => {
      const receiver = await startReceiver((_request, response) => {
        response.writeHead(500, { "content-type": "text/html" }).end("<h1>Out of disk</h1>");
      });
      const shop = await service.world.merchant();
      const page = await browser.page(options);
      await signIn(page, shop);
      await page.goto(`${service.url}/console/developers/webhooks`);
      await expectFine(page, "webhooks-none", options);
      await follow(page, "Add an endpoint");
      await page.getByLabel("Address").fill(receiver.url);
      await page.getByLabel("Description").fill("Web shop");
      await expectFine(page, "endpoint-form", options);
      await press(page, "Add the endpoint");
      await heading(page, "The endpoint's secret");
      await expectFine(page, "endpoint-secret", options);
      await follow(page, "I have copied it");
      const endpointId = page.url().split("/").at(-1) ?? "";
      const { accountNumber } = shop;
      await recordAll(service.ctx, [newEvent({ accountNumber, environment: "sandbox" }, {})]);
      await service.numberEvents();
      await service.ctx.messenger.deliver(endpointId);
      await page.reload();
      await page.getByText("Your server failed (500).").waitFor();
      await expectFine(page, "endpoint-failing", options);
      await follow(page, "payment.success");
      await page.getByText("<h1>Out of disk</h1>").waitFor();
      await expectFine(page, "delivery", options);
      await page.goto(`${service.url}/console/developers/events`);
      await expectFine(page, "events", options);
      await follow(page, "payment.success");
      await expectFine(page, "event", options);
      receiver.behave("well");
      await page.goto(`${service.url}/console/developers/webhooks/${endpointId}`);
      await press(page, "Replay");
      await page.getByText("The events are on their way again.").waitFor();
      await service.ctx.messenger.deliver(endpointId);
      await page.reload();
      await page.getByRole("table").getByText("Delivered").waitFor();
      assert.equal(receiver.received.length, 2);
      await page.context().close();
      await receiver.close();
    });
  });
