/**
 * In a real browser nothing of the console is left after signing out: neither the back button nor
 * another tab shows it. A form of another site does nothing with the cookie of somebody signed in.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { DESKTOP, PHONE, startBrowser, type TestBrowser } from "../../testkit/browser.ts";
import { startService } from "../../testkit/service.ts";
import { PASSWORD } from "../../testkit/world.ts";

const service = await startService();
let browser: TestBrowser;
before(async () => {
  browser = await startBrowser();
});
after(async () => {
  await browser.close();
  await service.stop();
});

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto(`${service.url}/sign-in`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/console**");
}

async function expectNothingOf(page: Page, email: string): Promise<void> {
  assert.match(new URL(page.url()).pathname, /^\/sign-in/);
  assert.ok(!(await page.content()).includes(email));
}

for (const [name, options] of [
  ["a phone", PHONE],
  ["a desktop", DESKTOP],
] as const)
  for (const javaScriptEnabled of [true, false])
    test(`the back button on ${name}, scripts ${javaScriptEnabled ? "on" : "off"}`, async () => {
      const { email } = await service.world.merchant();
      const page = await browser.page({ ...options, javaScriptEnabled });
      await signIn(page, email);
      await page.goto(`${service.url}/console/payments`);
      await page.goto(`${service.url}/console/me`);
      assert.ok((await page.content()).includes(email));
      const other = await page.context().newPage();
      await other.goto(`${service.url}/console/balance`);
      await page.locator("summary").first().click();
      await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
      await page.waitForURL("**/sign-in?done=signed_out");
      for (let back = 0; back < 3; back++) {
        await page.goBack();
        await expectNothingOf(page, email);
      }
      await other.reload();
      await expectNothingOf(other, email);
      await page.context().close();
    });

test("a form of another site does nothing, though the browser is signed in", async () => {
  const { email } = await service.world.merchant();
  const page = await browser.page(DESKTOP);
  await signIn(page, email);
  await page.goto(`${service.url}/console/me`);
  const token = await page.locator('input[name="csrf_token"]').first().inputValue();
  const evil = await page.context().newPage();
  // The worst case: the token has leaked.
  await evil.route("http://evil.example/**", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<form method="post" action="${service.url}/console/me/name">
        <input name="csrf_token" value="${token}"><input name="name" value="Taken Over">
        <button>Win a prize</button></form>`,
    }),
  );
  await evil.goto("http://evil.example/");
  await evil.getByRole("button").click();
  await evil.waitForURL(`${service.url}/**`);
  await page.reload();
  assert.ok(!(await page.content()).includes("Taken Over"));
  assert.ok((await page.content()).includes(email), "and the session goes on");
  await page.context().close();
});
