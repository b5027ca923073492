/**
 * A customer reads and prints a receipt: no barrier in any language, light or dark, on a phone and
 * a desktop; without scripts; on paper it is one page (Decision 0098).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import type { BrowserContextOptions } from "playwright-core";
import { LANGUAGES, type Language } from "../../src/kit/vocabulary.ts";
import { receiptUrl } from "../../src/modules/receipts/receipt-token.ts";
import { receiptWords } from "../../src/words/receipt/receipt-words.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import {
  axeViolations,
  complaintsAbout,
  DESKTOP,
  PHONE,
  startBrowser,
} from "../../testkit/browser.ts";
import { deliverReceipts, paidBy, setBusiness } from "../../testkit/receipts.ts";
import { startService } from "../../testkit/service.ts";
import { openShop } from "../../testkit/transactions.ts";

const service = await startService();
const browser = await startBrowser();
const shop = await openShop(service);
await setBusiness(service, shop, {
  support_email: "help@example.com",
  support_phone: "+18686221234",
  website: "https://seagrape.example.com/",
});
after(async () => {
  await browser.close();
  await expectBooksToBalance(service.ctx.db);
  await service.stop();
});

const ITEMS = [
  { name: "Caribbean cookbook", quantity: 2, unit_price_minor: 5_500 },
  { name: "Discount", quantity: 1, unit_price_minor: -1_000 },
];
const SCREENS: readonly BrowserContextOptions[] = [
  { ...PHONE, colorScheme: "dark" },
  { ...DESKTOP, colorScheme: "light" },
];

async function paid(language: Language) {
  const order = { language, description: "Two books", items: ITEMS };
  const id = await paidBy(service, shop, { environment: "sandbox", order });
  const { pathname } = new URL(receiptUrl(service.ctx.config, id));
  return { id, url: `${service.url}${pathname}` };
}

for (const language of LANGUAGES)
  describe(`a receipt in ${language}`, () => {
    test("has no barrier and breaks no rule, light and dark", async () => {
      const { url } = await paid(language);
      for (const options of SCREENS) {
        const page = await browser.page(options);
        const complaints = complaintsAbout(page);
        await page.goto(url);
        assert.deepEqual(await axeViolations(page), []);
        assert.deepEqual(complaints, []);
        await page.context().close();
      }
    });

    test("is one page on paper", async () => {
      const page = await browser.page({ ...DESKTOP, javaScriptEnabled: false });
      await page.goto((await paid(language)).url);
      const printed = (await page.pdf({ format: "A4" })).toString("latin1");
      assert.equal(printed.match(/\/Type \/Page\b/g)?.length, 1);
      await page.context().close();
    });

    test("comes as a mail that has no barrier either, and loads nothing", async () => {
      const { id } = await paid(language);
      await deliverReceipts(service);
      const { body } = await service.request("/dev/mail.json");
      const mail = body.find(({ text }: { text: string }) => text.includes(id));
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await browser.page({ ...PHONE, colorScheme });
        const loaded: string[] = [];
        page.on("request", (request) => loaded.push(request.url()));
        await page.setContent(mail.html);
        assert.deepEqual(await axeViolations(page), []);
        assert.deepEqual(loaded, []);
        await page.getByRole("link", { name: receiptWords(language).see }).waitFor();
        await page.context().close();
      }
    });
  });
