/**
 * The form while it is filled in: what is wrong is said at its field, in the service's own words,
 * when the field is left or complete, and not while it is merely unfinished; nothing is sent for
 * it.
 */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { axeViolations, complaintsAbout, DESKTOP } from "../../testkit/browser.ts";
import { atShop, CARD, fillCard, openShop, payButton } from "../../testkit/shop.ts";

const shop = await openShop();
after(() => shop.close());

const NOT_VALID = "Check your card number. It is not valid.";

async function open(fields: Record<string, string> = {}): Promise<Page> {
  const { url } = await shop.order(fields);
  const page = await shop.browser.page(DESKTOP);
  await page.goto(url);
  return page;
}

const wrong = (page: Page, name: string) => page.locator(`#${name}-wrong`).innerText();

describe("what is typed is checked:", () => {
  let page: Page;
  let complaints: string[];
  before(async () => {
    page = await open();
    complaints = complaintsAbout(page);
  });
  after(async () => {
    assert.deepEqual(complaints, []);
    await page.context().close();
  });

  test("a number by its last digit, once it is complete", async () => {
    await page.locator("#number").pressSequentially("411111111111111");
    assert.equal(await wrong(page, "number"), "", "it is merely unfinished");
    await page.keyboard.type("2");
    assert.equal(await page.locator("#number").inputValue(), "4111 1111 1111 1112");
    assert.equal(await wrong(page, "number"), NOT_VALID);
    assert.equal(await page.locator("#number-wrong").getAttribute("aria-live"), "polite");
    assert.equal(await page.locator("#number").getAttribute("aria-invalid"), "true");
    await page.keyboard.press("Backspace");
    assert.equal(await wrong(page, "number"), "", "it is being corrected");
    await page.keyboard.type("1");
    assert.equal(await wrong(page, "number"), "");
  });

  test("a number that is left too early", async () => {
    await page.locator("#number").fill("4111 1111");
    assert.equal(await wrong(page, "number"), "");
    await page.locator("#holder").focus();
    assert.match(await wrong(page, "number"), /13 to 19 digits/);
  });

  test("a number by its network, pasted or filled in", async () => {
    await page.locator("#number").fill("378282246310005");
    assert.match(await wrong(page, "number"), /American Express cards are not taken/);
    await page.locator("#number").fill("6011000990139424");
    assert.match(await wrong(page, "number"), /Use a Visa or a Mastercard/);
    await page.locator("#number").fill("5555 5555 5555 4444");
    assert.equal(await wrong(page, "number"), "");
    await page.locator("#number").fill(CARD.declined);
    assert.equal(await wrong(page, "number"), "", "a card of the sandbox is right");
  });

  test("an expiry date by the service's date", async () => {
    await page.locator("#expiry").pressSequentially("01");
    assert.equal(await wrong(page, "expiry"), "");
    await page.keyboard.type("20");
    assert.equal(await wrong(page, "expiry"), "This card has expired. Please use another card.");
    await page.locator("#expiry").fill("12/99");
    assert.match(await wrong(page, "expiry"), /too far in the future/);
    await page.locator("#expiry").fill("13/35");
    assert.match(await wrong(page, "expiry"), /as shown on the card/);
    await page.locator("#expiry").fill("09/2035");
    assert.equal(await wrong(page, "expiry"), "");
  });

  test("a code by its length, which the card's network decides", async () => {
    await page.locator("#number").fill(CARD.approved);
    await page.locator("#cvv").fill("12");
    assert.equal(await wrong(page, "cvv"), "");
    await page.locator("#cvv").fill("1234");
    assert.match(await wrong(page, "cvv"), /has 3 digits/);
    await page.locator("#number").fill("378282246310005");
    await page.locator("#cvv").fill("1234");
    assert.equal(await wrong(page, "cvv"), "", "that network's codes have four");
  });

  test("and nothing is sent while something is known to be wrong", async () => {
    let sent = 0;
    page.on("request", (request) => {
      if (request.method() === "POST") sent += 1;
    });
    await fillCard(page, { number: "4111 1111 1111 1112", expiry: "01 / 20" });
    await payButton(page).click();
    const notice = page.locator("#notice");
    assert.match(await notice.innerText(), /^Please check 2 fields/);
    assert.match(await notice.innerText(), new RegExp(NOT_VALID));
    assert.equal(await page.evaluate("document.activeElement.id"), "number");
    assert.deepEqual(await axeViolations(page), []);
    assert.equal(sent, 0);
    await fillCard(page, { number: CARD.approved });
    await payButton(page).click();
    assert.equal((await atShop(page, shop)).get("status"), "success");
  });
});

test("a merchant that takes one network for an order says so at the number", async () => {
  const page = await open({ card_type: "visa" });
  await page.locator("#number").fill(CARD.mastercard);
  assert.equal(await wrong(page, "number"), "This is a Mastercard. For this order, use a Visa.");
  await page.context().close();
});
