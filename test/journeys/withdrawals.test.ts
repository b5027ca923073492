/**
 * Somebody withdraws and cancels in a real browser, on a phone and a large screen, with and without
 * scripts;
 * a main merchant pays a list; a card is deleted. No page breaks its policy or shuts anybody out.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { csvLine } from "../../src/kit/csv.ts";
import {
  axeViolations,
  complaintsAbout,
  DESKTOP,
  PHONE,
  startBrowser,
  type TestBrowser,
} from "../../testkit/browser.ts";
import { startService } from "../../testkit/service.ts";
import { openShop, verifiedCard } from "../../testkit/trusted-cards.ts";
import { fundsOf, openOwner, SUB_BANKED } from "../../testkit/withdrawals.ts";
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

async function signedIn(email: string, options: BrowserContextOptions): Promise<Page> {
  const page = await browser.page(options);
  await page.goto(`${service.url}/sign-in`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/console**");
  return page;
}

for (const [name, options] of [
  ["a phone", PHONE],
  ["a desktop", DESKTOP],
] as const)
  for (const javaScriptEnabled of [true, false])
    test(`withdraw and cancel on ${name}, scripts ${javaScriptEnabled ? "on" : "off"}`, async () => {
      const owner = await openOwner(service, "merchant", { funds: "500.00 TTD" });
      const page = await signedIn(owner.email, { ...options, javaScriptEnabled });
      const complaints = complaintsAbout(page);
      const expectAccessible = async () => {
        if (javaScriptEnabled) assert.deepEqual(await axeViolations(page), []);
      };
      await page.goto(`${service.url}/console/withdrawals`);
      await expectAccessible();
      await page.getByRole("main").getByRole("link", { name: "Withdraw" }).first().click();
      await page.getByLabel("Amount").fill("600");
      await page.getByRole("button", { name: "Withdraw" }).click();
      await page.getByText("Insufficient funds").first().waitFor();
      await expectAccessible();
      await page.getByLabel("Amount").fill("100");
      await page.getByRole("button", { name: "Withdraw" }).click();
      await page.getByRole("heading", { name: "Withdrawal of TTD 100.00" }).waitFor();
      await page.getByText("Pending", { exact: true }).first().waitFor();
      assert.equal(await fundsOf(service, owner), "395.00 + 105.00");
      await expectAccessible();
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("The withdrawal has been cancelled").waitFor();
      assert.equal(await page.getByRole("button", { name: "Cancel" }).count(), 0);
      assert.equal(await fundsOf(service, owner), "500.00 + 0.00");
      // A refused form answers 422, which the browser writes down as an error.
      assert.deepEqual(
        complaints.filter((line) => !line.includes("422")),
        [],
      );
      await page.context().close();
    });

test("a list of payees is uploaded, read and paid", async () => {
  const main = await openOwner(service, "mainMerchant", { funds: "500.00 TTD" });
  const page = await signedIn(main.email, PHONE);
  const { environment: _, ...payee } = SUB_BANKED;
  const columns = Object.keys(payee);
  const rows = [columns, columns.map((name) => String(payee[name]))];
  const buffer = Buffer.from(rows.map(csvLine).join(""));
  await page.goto(`${service.url}/console/withdrawals`);
  await page.getByRole("link", { name: "Pay a list" }).click();
  assert.deepEqual(await axeViolations(page), []);
  const file = page.getByLabel("CSV file");
  await file.setInputFiles({ name: "payees.csv", mimeType: "text/csv", buffer });
  await page.getByRole("button", { name: "Check the file" }).click();
  await page.getByRole("heading", { name: "Pay 1 payee?" }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole("button", { name: "Pay", exact: true }).click();
  await page.getByText("All payouts of the file have been asked for").waitFor();
  assert.equal(await fundsOf(service, main), "395.00 + 105.00");
  await page.context().close();
});

for (const javaScriptEnabled of [true, false])
  test(`a card is deleted, scripts ${javaScriptEnabled ? "on" : "off"}`, async () => {
    const shop = await openShop(service);
    await verifiedCard(service, { shop });
    const page = await signedIn(shop.email, { ...DESKTOP, javaScriptEnabled });
    await page.goto(`${service.url}/console/cards`);
    if (javaScriptEnabled) assert.deepEqual(await axeViolations(page), []);
    await page.getByRole("link", { name: "Visa •••• 1111" }).click();
    await page.getByRole("button", { name: "Delete" }).click();
    // A dialog over the page, or a page of its own: the same question.
    await page.getByText("can no longer be charged").waitFor();
    const form = page.locator("form", { hasText: "can no longer be charged" });
    await form.getByRole("button", { name: "Delete" }).click();
    await page.getByText("The card has been deleted").waitFor();
    await page.getByText("No cards yet").waitFor();
    await page.context().close();
  });
