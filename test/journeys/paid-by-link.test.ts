/**
 * Getting paid without code: an owner makes a link in the console, a customer scans its QR code,
 * pays in Spanish and finds the receipt in the mailbox, and the owner finds who paid by the link.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import jsqr from "jsqr";
import sharp from "sharp";
import { workOffNotes } from "../../src/infra/jobs/due-notes.ts";
import { createMailLoop } from "../../src/modules/mail/send-mail.ts";
import { receiptsDue } from "../../src/modules/receipts/mail-receipts.ts";
import { expectBooksToBalance } from "../../testkit/books.ts";
import { JOURNEY_WAYS, type Journey, startJourneys } from "../../testkit/journey-ways.ts";
import { mailArrives } from "../../testkit/mails.ts";
import { CARD, fillCard, payButton } from "../../testkit/shop.ts";

const journeys = await startJourneys();
const { service, url } = journeys;
const mails = createMailLoop(service.ctx);
before(mails.start);
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await mails.stop();
  await journeys.close();
});

async function makeLink({ page, press, open, expectText, expectFine }: Journey): Promise<void> {
  await open("/console/links");
  await expectText("Get paid without a shop");
  await page.getByRole("link", { name: "Make a link" }).first().click();
  await page.getByLabel("What is paid for").fill("Clase de yoga");
  await page.getByLabel("Amount", { exact: true }).fill("1,200.50");
  await page.getByText("More options").click();
  await page.getByLabel("What the customer is asked for").fill("Su nombre");
  await page.getByLabel("Language").selectOption("es");
  await expectFine("new-link");
  await press("Make the link");
  await expectText("The link has been made. Share it below.");
  await expectFine("link");
}

/** As a phone would: the picture that the page offers, read by another library than wrote it. */
async function scan({ page }: Journey): Promise<string> {
  const png = await page.getByRole("link", { name: "Picture (PNG)" }).getAttribute("href");
  const picture = await (await fetch(new URL(png ?? "", url))).bytes();
  const { data, info } = await sharp(picture)
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const found = jsqr.default(new Uint8ClampedArray(data), info.width, info.height);
  assert(found !== null, "the QR code cannot be read");
  return found.data;
}

async function payInSpanish(customer: Journey, address: string, email: string): Promise<void> {
  const { page } = customer;
  await page.goto(address);
  await customer.expectHeading("Clase de yoga");
  await page.getByLabel("Su nombre").fill("Inés Pérez");
  await customer.expectFine("pay-by-link");
  await customer.press("Continuar al pago");
  await page.getByLabel("Número de tarjeta").waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "es");
  // The fee is the customer's to pay.
  assert.equal(await payButton(page).innerText(), "Pagar TTD\u00a01,244.22");
  await fillCard(page, { number: CARD.approved, email });
  await payButton(page).click();
  await customer.expectHeading("Gracias. Pago realizado.");
  await customer.expectFine("paid-by-link");
}

for (const way of JOURNEY_WAYS)
  test(`${way.name}, a link is made, scanned, paid and found again`, async () => {
    const email = `ines-${JOURNEY_WAYS.indexOf(way)}@example.com`;
    const merchant = await service.world.merchant();
    const owner = await journeys.begin(way);
    await owner.signIn(merchant);
    await makeLink(owner);
    const linkPage = owner.page.url();
    const address = await scan(owner);
    assert.match(address, new RegExp(`^${url}/pay/[2-9a-z]{14}$`));

    const customer = await journeys.begin(way);
    await payInSpanish(customer, address, email);
    await workOffNotes(service.ctx.db, receiptsDue(service.ctx));
    await mailArrives(service, { to: email, subject: "[Prueba] Recibo de Test merchant" });
    await customer.open("/dev/mail");
    await customer.page.getByRole("row").filter({ hasText: email }).getByRole("link").click();
    await customer.expectText("Usted pagó");
    await customer.end();

    await owner.page.goto(linkPage);
    await owner.follow("See who paid");
    await owner.expectText(email);
    await owner.page.getByRole("row").filter({ hasText: email }).getByRole("link").first().click();
    await owner.expectText("Inés Pérez");
    await owner.end();
  });
