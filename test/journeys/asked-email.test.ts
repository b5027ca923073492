/**
 * A customer whose shop did not send an e-mail is asked for it on the page, full and simple, with
 * and without JavaScript, and pays (Decision 0064).
 */

import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { sql } from "../../src/infra/db/query.ts";
import { atShop, CARD, fillCard, openShop, pay, payButton, WAYS } from "../../testkit/shop.ts";

const shop = await openShop();
after(() => shop.close());

async function emailOf(transactionId: string): Promise<string | null> {
  const { email } = await shop.service.ctx.db.one<{ email: string | null }>(sql`
    select customer ->> 'email' as email from transactions
    where transaction_id = ${transactionId}`);
  return email;
}

const fields = { email: "", phone: "8687654321", country: "TT" };

for (const [way, options] of WAYS)
  for (const method of ["credit_card", "3co_simple"])
    describe(`a customer ${way}, of a request with ${method}`, () => {
      test("is asked for an e-mail, and pays", async () => {
        const { url, transactionId } = await shop.order({ ...fields, method });
        const page = await shop.browser.page(options);
        await page.goto(url);
        const email = page.getByLabel("E-mail");
        assert.deepEqual(
          await Promise.all(
            ["type", "autocomplete", "required"].map((name) => email.getAttribute(name)),
          ),
          ["email", "email", ""],
        );
        assert.equal(await page.locator("#phone").inputValue(), "");
        assert.equal(await page.locator("#dial").inputValue(), "TT");
        await pay(page, { number: CARD.approved, email: "maya@example.com" });
        assert.equal((await atShop(page, shop)).get("status"), "success");
        assert.equal(await shop.statusOf(transactionId), "success");
        assert.equal(await emailOf(transactionId), "maya@example.com");
        await page.context().close();
      });

      test("sees at the field that it is the seller's e-mail, and the typed text stays", async () => {
        const { url, transactionId } = await shop.order({ ...fields, method });
        const page = await shop.browser.page(options);
        await page.goto(url);
        await pay(page, { number: CARD.approved, email: shop.merchant.email });
        await page.locator("#notice").waitFor();
        assert.match(await page.locator("#email-wrong").innerText(), /the seller's e-mail address/);
        assert.equal(await page.locator("#email").inputValue(), shop.merchant.email);
        assert.equal(await page.locator("#holder").inputValue(), "Maya Joseph");
        assert.deepEqual(await shop.sales(transactionId), []);
        await pay(page, { number: CARD.approved, email: "maya@example.com" });
        assert.equal((await atShop(page, shop)).get("status"), "success");
        await page.context().close();
      });
    });

test("a script says what is missing or wrong before anything is sent", async () => {
  const { url, transactionId } = await shop.order(fields);
  const page = await shop.browser.page();
  await page.goto(url);
  await fillCard(page, { number: CARD.approved });
  const wrong = page.locator("#email-wrong");
  await payButton(page).click();
  assert.equal(await wrong.innerText(), "Enter your e-mail address.");
  assert.equal(await page.evaluate("document.activeElement.id"), "email");
  for (const typed of ["maya", "maya@example"]) {
    await page.locator("#email").fill(typed);
    await payButton(page).click();
    assert.match(await wrong.innerText(), /^Check your e-mail address/);
  }
  assert.deepEqual(await shop.sales(transactionId), []);
  await page.locator("#email").fill("maya@example.com");
  await payButton(page).click();
  assert.equal((await atShop(page, shop)).get("status"), "success");
  await page.context().close();
});
