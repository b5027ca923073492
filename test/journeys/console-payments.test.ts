/**
 * In a real browser, on a phone and on a desktop, with and without scripts: a payment is found by
 * the last four digits of its card, part of it is refunded, and the page tells how that ends.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { expectBooksToBalance, fund } from "../../testkit/books.ts";
import { JOURNEY_WAYS, startJourneys } from "../../testkit/journey-ways.ts";
import { sweepRefunds } from "../../testkit/sweeps.ts";
import { APPROVED, newPayment, openShop, pay, type Shop } from "../../testkit/transactions.ts";

const journeys = await startJourneys();
const { service } = journeys;
after(async () => {
  await expectBooksToBalance(service.ctx.db);
  await journeys.close();
});

async function shopWithPayments(): Promise<Shop> {
  const shop = await openShop(service);
  await fund(service.ctx.db, shop.accountNumber, "500.00 TTD", "sandbox");
  for (const [orderId, lastFour] of [
    ["blue-1", "1111"],
    ["blue-2", "4242"],
  ] as const) {
    const payment = newPayment(shop, { environment: "sandbox", orderId });
    await pay(service, payment, { ...APPROVED, card: { brand: "visa", lastFour } });
  }
  return shop;
}

for (const way of JOURNEY_WAYS)
  test(`found by its last four, refunded in part, followed to the end ${way.name}`, async () => {
    const journey = await journeys.begin(way);
    const { page } = journey;
    await journey.signIn(await shopWithPayments());
    await journey.expectFine("home");

    await page.getByRole("link", { name: "Payments", exact: true }).click();
    const search = page.getByRole("searchbox", { name: "Search payments" });
    await search.fill("4242");
    await search.press("Enter");
    await page.waitForURL(/\/console\/payments\?q=4242/);
    await page.getByRole("navigation", { name: "Pages" }).getByText("1 payment").waitFor();
    await journey.expectFine("payments-found");
    await journey.follow("blue-2");
    await journey.expectHeading("TTD 105.20");

    await journey.press("Refund");
    await page.getByLabel("Amount").fill("25");
    await page.getByLabel("Reason").fill("Returned in its box.");
    await journey.expectFine("refund");
    await journey.press(`Refund${way.hasScripts ? " TTD 25.00" : ""}`);
    await journey.expectText("The refund was requested.");
    await journey.expectText("Under way");

    await sweepRefunds(service.ctx);
    await service.numberEvents();
    // With scripts the page changes by itself.
    if (!way.hasScripts) await page.reload();
    await journey.expectText("Partly refunded");
    await journey.expectText("TTD 25.00 refunded");
    assert.equal(await page.getByText("Under way").count(), 0);
    await journey.expectFine("payment-refunded");
    await journey.end();
  });
