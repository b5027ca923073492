/**
 * The guarantee: somebody with a reset link sets a new password in a browser, on a phone as on a
 * desktop, without JavaScript, and is told beside the field what is wrong (Decision 0070).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { attempt } from "../../testkit/auth.ts";
import {
  axeViolations,
  complaintsAbout,
  DESKTOP,
  PHONE,
  startBrowser,
} from "../../testkit/browser.ts";
import { freePort } from "../../testkit/free-port.ts";
import { operatorJson, SIGNED } from "../../testkit/operator.ts";
import { startService } from "../../testkit/service.ts";

const port = await freePort();
const service = await startService({ settings: { PORT: String(port) } });
const browser = await startBrowser();
after(async () => {
  await browser.close();
  await service.stop();
});

const WAYS: [string, BrowserContextOptions][] = [
  ["on a phone", PHONE],
  ["on a desktop, in the dark", { ...DESKTOP, colorScheme: "dark" }],
  ["on a phone without JavaScript", { ...PHONE, javaScriptEnabled: false }],
];

async function linkFor(who: { accountNumber: string }): Promise<string> {
  const made = await operatorJson(service, ["reset-password", who.accountNumber, ...SIGNED]);
  return service.url + new URL(made.url).pathname;
}

/** Axe is a script itself. */
async function expectNoBarriers(page: Page, { javaScriptEnabled = true }: BrowserContextOptions) {
  if (javaScriptEnabled) assert.deepEqual(await axeViolations(page), []);
  const width = page.viewportSize()?.width ?? 0;
  const sheet = await page.locator(".sheet").boundingBox();
  assert(sheet !== null && sheet.x >= 0 && sheet.x + sheet.width <= width, "nothing sticks out");
}

async function fill(page: Page, first: string, second: string): Promise<void> {
  await page.getByLabel("New password").fill(first);
  await page.getByLabel("Confirm the password").fill(second);
  await page.getByRole("button", { name: "Set password" }).click();
}

const picture = (page: Page, name: string) =>
  process.env.SCREENSHOTS === undefined
    ? undefined
    : page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true });

describe("a reset link in a browser", () => {
  for (const [way, options] of WAYS)
    test(`sets the password ${way}`, async () => {
      const who = await service.world.merchant();
      const page = await browser.page(options);
      const wrong = complaintsAbout(page);
      const url = await linkFor(who);
      await page.goto(url);
      assert.equal(await page.title(), "Set a new password");
      await expectNoBarriers(page, options);
      await picture(page, `reset-form-${way.replaceAll(/\W+/g, "-")}`);

      await fill(page, "battery staple", "battery stable");
      await page.getByText("The passwords do not match.").waitFor();
      assert.equal(await page.title(), "Problem: Set a new password");
      const repeated = page.getByLabel("Confirm the password");
      assert.equal(await repeated.getAttribute("aria-invalid"), "true");
      for (const label of ["New password", "Confirm the password"])
        assert.equal(await page.getByLabel(label).inputValue(), "");
      await expectNoBarriers(page, options);
      await picture(page, `reset-problem-${way.replaceAll(/\W+/g, "-")}`);

      await fill(page, "battery staple", "battery staple");
      await page.getByRole("heading", { name: "Your password has been changed" }).waitFor();
      await expectNoBarriers(page, options);
      await picture(page, `reset-done-${way.replaceAll(/\W+/g, "-")}`);
      assert.equal((await attempt(service, who, { password: "battery staple" })).status, 200);

      await page.goto(url);
      await page.getByRole("heading", { name: "This link is no longer valid" }).waitFor();
      await expectNoBarriers(page, options);
      await picture(page, `reset-over-${way.replaceAll(/\W+/g, "-")}`);
      // The browser itself remarks on the statuses of the form with a problem and of the old link.
      assert.deepEqual(
        wrong.filter((line) => !/status of (422|404)/.test(line)),
        [],
      );
      await page.context().close();
    });
});
