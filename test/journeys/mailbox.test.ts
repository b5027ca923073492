/**
 * The guarantee: the mailbox of the development stage is readable on a phone as on a desktop, in
 * light and dark, also without JavaScript; and so is a mail in it (Decision 0086).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { findInMailbox } from "../../src/modules/mail/mailbox.ts";
import {
  axeViolations,
  complaintsAbout,
  DESKTOP,
  PHONE,
  startBrowser,
} from "../../testkit/browser.ts";
import { sendMails } from "../../testkit/mails.ts";
import { startService } from "../../testkit/service.ts";
import { queue } from "../mail/support.ts";

const service = await startService();
const browser = await startBrowser();
after(async () => {
  await browser.close();
  await service.stop();
});

const WAYS: [string, BrowserContextOptions][] = [
  ["on a phone", PHONE],
  ["on a phone, in the dark", { ...PHONE, colorScheme: "dark" }],
  ["on a desktop", DESKTOP],
  ["on a desktop, in the dark", { ...DESKTOP, colorScheme: "dark" }],
  ["without JavaScript", { ...PHONE, javaScriptEnabled: false }],
];

/** The test's own scripts, which look into the frame, are refused there as well. */
const OURS = /^Blocked script execution in '[^']*\/html'/;

const MAIL_PATH = /\/dev\/mail\/(?<id>[^/]+)$/;

async function expectNoBarriers(page: Page): Promise<void> {
  assert.deepEqual(await axeViolations(page), []);
  const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
  assert(Number(overflow) <= 0, `${overflow} px stick out`);
}

/** Axe cannot look into the frame, which runs no script: its document is judged by itself. */
async function expectNoBarriersInMail(page: Page, options: BrowserContextOptions): Promise<void> {
  const { id = "" } = MAIL_PATH.exec(page.url())?.groups ?? {};
  const mail = await findInMailbox(service.ctx, id);
  const alone = await browser.page(options);
  await alone.setContent(mail?.html ?? "");
  // As every browser paints it; axe takes what is not said for white.
  await alone.addStyleTag({ content: "html { background: Canvas }" });
  await expectNoBarriers(alone);
  assert.equal(await page.locator("iframe").getAttribute("title"), "HTML part");
  await page.locator("iframe").evaluate((element) => element.remove());
  await expectNoBarriers(page);
}

describe("the mailbox in a browser", () => {
  test("says that it is empty", async () => {
    const page = await browser.page(PHONE);
    await page.goto(`${service.url}/dev/mail`);
    await page.getByText("Nothing was sent yet.").waitFor();
    assert.deepEqual(await axeViolations(page), []);
  });

  for (const [way, options] of WAYS)
    test(`shows a mail and its link ${way}`, async () => {
      const link = `${service.url}/docs/errors`;
      const parts = [
        "Somebody signed in from a browser that we have not seen before.",
        { link, text: "See what happened" },
        { rows: [["Browser", `Firefox ${"x".repeat(80)}`] as const] },
      ];
      await queue(service, {
        subject: `A new sign-in ${way}`,
        content: { heading: "A new sign-in", parts },
      });
      await sendMails(service.ctx);
      const page = await browser.page(options);
      const wrong = complaintsAbout(page);
      await page.goto(`${service.url}/dev/mail`);
      if (options.javaScriptEnabled !== false) await expectNoBarriers(page);
      await page.getByRole("link", { name: `A new sign-in ${way}`, exact: true }).click();
      await page.getByRole("heading", { name: `A new sign-in ${way}` }).waitFor();
      const frame = page.frameLocator("iframe");
      await frame.getByRole("heading", { name: "A new sign-in" }).waitFor();
      const picture = process.env.SCREENSHOTS;
      if (picture !== undefined)
        await page.screenshot({
          path: `${picture}/mail-${way.replaceAll(/\W+/g, "-")}.png`,
          fullPage: true,
        });
      const [opened] = await Promise.all([
        page.waitForEvent("popup"),
        frame.getByRole("link", { name: "See what happened" }).click(),
      ]);
      await opened.getByRole("heading", { name: "Errors", exact: true }).waitFor();
      await opened.close();
      if (options.javaScriptEnabled !== false) await expectNoBarriersInMail(page, options);
      await page.getByRole("link", { name: link }).click();
      await page.getByRole("heading", { name: "Errors", exact: true }).waitFor();
      assert.deepEqual(
        wrong.filter((line) => !OURS.test(line)),
        [],
      );
    });
});
